"""Fit latent classes of judges from several starts; the number of classes with the smallest BIC is chosen."""

from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, scipy, spelling
from betterthan.findings import kinds
from betterthan.models import formulas, solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.system_covariates import Objects
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.patterns.class_likelihood import AGREE, Mixture
from betterthan.verbs.fit.patterns.latent_classes import LatentClasses, Tried, sorted_by
from betterthan.verbs.fit.patterns.pattern_answers import Answers
from betterthan.verbs.fit.patterns.pattern_model import PatternModel, pattern_model
from betterthan.verbs.fit.patterns.pattern_predictor import predictor_of
from betterthan.verbs.fit.patterns.pattern_summary import described
from betterthan.verbs.fit.worth_row import Worth
from betterthan.verbs.fit.worth_table import Onto, worths

_JUDGE, _ROW = "judge", "row"
#: Chances that start a climb are drawn from a Dirichlet distribution; the smaller this is, the clearer they are.
_CLEAR = 0.3


@dataclass(frozen=True)
class Judges:
    """The members of classes: their role (`of`), their names, and the member of every pattern."""

    of: str
    names: tuple[str, ...]
    unit: IntArray

    @classmethod
    def among(cls, answers: Answers, options: FitOptions) -> "Judges":
        """Take the unit that was requested, or else judges where they are known, or else the patterns themselves."""
        wanted = options.unit or (_JUDGE if _JUDGE in answers.about else _ROW)
        number = len(answers.weight)
        if wanted == _ROW:
            return cls(_ROW, answers.names, np.arange(number))
        if wanted not in answers.about:
            raise PlanError(
                f"{spelling.option('unit', wanted)} names nothing that whole patterns belong to, so it has no "
                "latent classes",
                allowed=", ".join([_ROW, *answers.about]),
            )
        column = answers.about[wanted]
        return cls(wanted, tuple(column.labels[code] for code in np.unique(column.codes)), column.compact[0])


def fit_classes(answers: Answers, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit every number of classes that was requested, and return the one with the smallest BIC."""
    judges = Judges.among(answers, options)
    fits = [
        ClassFit(_model(answers, table, options, each), judges, options, each) for each in sorted({*options.classes})
    ]
    best = min(fits, key=lambda each: each.tried.bic)
    return best.result(tuple(each.tried for each in fits))


class ClassFit:
    """One number of classes, fitted from all starts."""

    def __init__(self, model: PatternModel, judges: Judges, options: FitOptions, number: int) -> None:
        self.model, self.judges, self.options, self.number = model, judges, options, number
        self.answers, units = model.answers, len(judges.names)
        every = [model.with_subjects(self._subjects(place)) for place in range(number)]
        parts = [one.moments(np.zeros(one.size), model.weight / number) for one in every]
        whole = np.sum([each[2] for each in parts], axis=0)
        self.aliased, self.null = solver.identifiable(
            whole - np.sum([each[3] for each in parts], axis=0), np.diag(whole)
        )
        self.kept = np.flatnonzero(~self.aliased)
        small = [replace(one, maps=one.maps[:, :, self.kept]) for one in every]
        self.mixture = Mixture(small, model.likelihood.cells.row, self.answers.weight, judges.unit, units)
        self._refuse_saturated(units)
        rng = np.random.default_rng([options.seed, number])
        starts = 1 if number == 1 else options.starts
        tried = [self.mixture.climb(rng.dirichlet(np.full(number, _CLEAR), units)) for _ in range(starts)]
        self.found = self._largest_first(max(tried, key=lambda each: each.value))
        reached = sum(each.value > self.found.value - AGREE * (1 + abs(self.found.value)) for each in tried)
        parameters, value = len(self.found.point), self.found.value
        self.tried = Tried(
            number,
            value,
            parameters,
            2 * parameters - 2 * value,
            float(parameters * np.log(units) - 2 * value),
            reached,
        )

    def _subjects(self, place: int) -> FloatArray:
        """Return the subjects of one class: its own column, and what is known about who judged."""
        found = self.model.subjects.copy()
        found[:, : self.number] = np.arange(self.number) == place
        return found

    def _refuse_saturated(self, units: int) -> None:
        """Refuse more parameters than a table of single patterns can tell."""
        one_each = units == len(self.answers.weight)
        cells = self.model.likelihood.space.size * len(self.model.subjects) - len(self.model.subjects)
        parameters = self.mixture.size + self.number - 1
        if one_each and parameters > cells:
            raise PlanError(
                f"{self.number} classes have {parameters} parameters, but the table of patterns has {cells} degrees of "
                "freedom",
                remedy=f"Ask for fewer {spelling.option('classes')}.",
            )

    def _largest_first(self, found: solver.Maximum) -> solver.Maximum:
        """Return the same maximum with classes in the order of their size."""
        size, shares = self.mixture.size, np.append(found.point[self.mixture.size :], 0.0)
        order = sorted_by(shares)
        columns, each = self.model.subjects.shape[1], len(self.model.strengths.names) // self.model.subjects.shape[1]
        whole = np.zeros(self.model.likelihood.size)
        whole[self.kept] = found.point[:size]
        blocks = whole[: columns * each].reshape(columns, each)
        whole[: columns * each] = np.concatenate([blocks[order], blocks[self.number :]]).ravel()
        logits = shares[order] - shares[order[-1]]
        return self.mixture.refine(np.append(whole[self.kept], logits[:-1]))

    def result(self, tried: tuple[Tried, ...]) -> LogLinear:
        """Return it as a fitted model, with its classes next to the other numbers of them."""
        options, names = self.options.changed(unit=self.judges.of), self.judges.names
        size, point = self.mixture.size, self.found.point
        _, _, known, lost = self.mixture.moments(point)
        inverse = solver.inverted(known - lost)
        full = len(self.model.names)
        coefficients, covariance = np.full(full, np.nan), np.full((full, full), np.nan)
        coefficients[self.kept] = point[:size]
        covariance[np.ix_(self.kept, self.kept)] = inverse[:size, :size]
        infinite = np.sqrt(np.maximum(np.nan_to_num(np.diag(covariance)), 0.0)) > solver.UNKNOWN
        solution = solver.FitSolution(
            coefficients,
            covariance,
            self.aliased,
            infinite,
            self.null,
            self.found.value,
            self.found.steps,
            self.found.converged,
        )
        share = scipy.special.softmax(np.append(point[size:], 0.0))
        slope = np.diag(share)[:, :-1] - np.outer(share, share[:-1])
        errors = np.sqrt(np.maximum(np.diag(slope @ inverse[size:, size:] @ slope.T), 0.0))
        chances = dict(zip(names, (tuple(row) for row in self.mixture.posterior(point).tolist()), strict=True))
        of = self.answers.per if options.unit == _ROW else str(options.unit)
        classes = LatentClasses(of, tuple(share.tolist()), tuple(errors.tolist()), chances, tried)
        plain = described(self.model, solution, standard_errors.Errors(covariance), options)
        least = kinds.fitting.UNSTABLE_CLASSES.thresholds["reached_least"]
        unstable = []
        if self.number > 1 and self.tried.reached < min(least, options.starts + 1):
            reached = self.tried.reached
            unstable = [
                kinds.fitting.UNSTABLE_CLASSES.found(starts=options.starts, reached=reached, classes=self.number)
            ]
        single = len(names) == len(self.answers.weight)
        # Several patterns of one judge are no cells of a table.
        null = plain.null_deviance if single else -2 * self._null()
        return replace(
            plain,
            classes=classes,
            worths=self._worths(solution),
            predictor=predictor_of(self.model, coefficients, share),
            deviance=plain.deviance if single else -2 * self.found.value,
            null_deviance=null,
            df=plain.df - (self.number - 1),
            findings=(*plain.findings, *unstable),
            observed=np.empty((1, 0)),
            fitted=np.empty((1, 0)),
        )

    def _null(self) -> float:
        likelihood = self.model.likelihood
        return float(self.model.weight @ likelihood.log_chances(np.zeros(likelihood.size)))

    def _worths(self, solution: solver.FitSolution) -> tuple[Worth, ...]:
        """Return the worths of every class, for every kind of subject."""
        model, found = self.model, []
        rows = len(self.answers.weight)
        for place in range(self.number):
            matrix = np.repeat((np.arange(self.number) == place)[None].astype(np.float64), rows, axis=0)
            subject = formulas.joined(
                [
                    formulas.Terms(model.strengths.subject.names[: self.number], matrix),
                    _covariates(self.answers, self.options),
                ]
            )
            onto = Onto(len(self.answers.systems), subject, model.strengths.basis, None)
            for each in worths(self.answers.systems, model.columns, onto, solution, solution.covariance):
                kind = f", {each.group}" if each.group else ""
                found.append(replace(each, group=f"class {place + 1}{kind}"))
        return tuple(found)


def _covariates(answers: Answers, options: FitOptions) -> formulas.Terms:
    rows = len(answers.weight)
    if not options.subject:
        return formulas.nothing(rows)
    return formulas.evaluate(options.subject, answers.columns, rows).without_intercept()


def _model(answers: Answers, table: Objects | None, options: FitOptions, number: int) -> PatternModel:
    """Return a model whose subjects are classes; what is known about who judged has the same effects in all."""
    rows = len(answers.weight)
    first = np.repeat((np.arange(number) == 0)[None].astype(np.float64), rows, axis=0)
    names = tuple(f"class{place + 1}" for place in range(number))
    return pattern_model(
        answers, table, options, formulas.joined([formulas.Terms(names, first), _covariates(answers, options)])
    )
