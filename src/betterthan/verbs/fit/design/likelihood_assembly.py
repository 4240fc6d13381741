"""Build a likelihood from comparisons and formulas: the meaning of every coefficient."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, PlanError, nearest
from betterthan.models import design_matrix, formulas, links, solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.coefficient import Coefficient
from betterthan.verbs.fit.design.comparisons import Comparisons
from betterthan.verbs.fit.design.system_covariates import Objects, known, on_grid
from betterthan.verbs.fit.design.term_names import POSITION, UNDECIDED
from betterthan.verbs.fit.outcome_chances import PairPredictor
from betterthan.verbs.fit.worth_table import Onto

_LINKS: Mapping[str, links.Link] = {
    "davidson": links.DavidsonLink(),
    "fixed": links.DavidsonLink(),
    "drop": links.Logistic(),
    "half": links.Logistic(),
    "rao-kupper": links.RaoKupperLink(),
}


@dataclass(frozen=True)
class Strengths:
    """The coefficients that determine strengths: their names, the subject matrix, and their basis."""

    systems: tuple[str, ...]
    names: tuple[str, ...]
    subject: formulas.Terms
    basis: FloatArray
    reference: int | None  # the system whose effects are 0 by choice, if systems have effects of their own

    @classmethod
    def of(
        cls, systems: tuple[str, ...], subject: formulas.Terms, table: Objects | None, options: FitOptions
    ) -> "Strengths":
        """Cross systems, or what is known about them, with the columns of the subject."""
        reference = _reference(systems, options.reference)
        free = np.delete(np.eye(len(systems)), reference, axis=1)
        own = [system for place, system in enumerate(systems) if place != reference]
        matrix, names, referred = free, own, True
        if table is not None:
            about = known(systems, table) if options.terms is None else formulas.nothing(len(systems))
            matrix, names, referred = about.matrix, list(about.names), options.residual
            if options.residual:
                matrix, names = np.concatenate([matrix, free], axis=1), [*names, *own]
        crossed = tuple(_crossed(name, column) for column in subject.names for name in names)
        basis = np.kron(np.eye(len(subject.names)), matrix).astype(np.float64)
        return cls(systems, crossed, subject, basis, reference if referred else None)

    def onto(self) -> Onto:
        """Return the map from coefficients to strengths, for any subject."""
        return Onto(len(self.systems), self.subject, self.basis, None)

    def with_reference(self, coefficients: Sequence[Coefficient]) -> tuple[Coefficient, ...]:
        """Show the system of reference at its place among the others."""
        found = list(coefficients)
        if self.reference is None:
            return tuple(found)
        columns, own = len(self.subject.names), len(self.systems) - 1
        each = len(self.names) // columns
        for place in reversed(range(columns)):  # from behind: what is put in moves only what has its place already
            name = _crossed(self.systems[self.reference], self.subject.names[place])
            found.insert((place + 1) * each - own + self.reference, Coefficient.reference_one(name))
        return tuple(found)


@dataclass(frozen=True)
class Assembled:
    """A likelihood whose coefficients have names and kinds: strength, gap or width."""

    problem: solver.FitProblem
    strengths: Strengths
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    onto: Onto
    parts: tuple[formulas.Terms, formulas.Terms, formulas.Terms]  # contrast, position and width, as formulas made them

    def predictor(self, needs: tuple[str, ...], coefficients: FloatArray) -> PairPredictor:
        """Return the predictor of outcomes of other comparisons."""
        strengths, problem = self.strengths, self.problem
        return PairPredictor(
            needs,
            problem.link,
            problem.offset,
            coefficients,
            len(strengths.systems),
            strengths.basis,
            strengths.subject,
            self.onto.of_objects,
            *self.parts,
        )


def assemble(comparisons: Comparisons, outcomes: FloatArray, table: Objects | None, options: FitOptions) -> Assembled:
    """Evaluate all formulas, and put the likelihood together."""
    rows = len(comparisons.left)
    subject = formulas.evaluate(options.subject, comparisons.columns, rows) if options.subject else formulas.ones(rows)
    strengths = Strengths.of(comparisons.systems, subject, table, options)
    grid, onto = formulas.nothing(rows), strengths.onto()
    if table is not None and options.terms is not None:
        grid, anywhere = on_grid(comparisons, table, options.terms)
        onto = Onto(len(comparisons.systems), subject, strengths.basis, anywhere)
    position = _position(comparisons, options.position)
    gap = formulas.joined([grid, comparisons.contrast, position])
    width = _width(comparisons, options)
    design = design_matrix.PredictorDesign(
        comparisons.left,
        comparisons.right,
        len(comparisons.systems),
        subject.matrix,
        strengths.basis,
        np.asfortranarray(gap.matrix),
        np.asfortranarray(width.matrix),  # columns are what is multiplied
    )
    problem = solver.FitProblem(_LINKS[options.ties], outcomes, design, 0.0 if options.ties == "fixed" else None)
    strong = len(strengths.names) + len(grid.names)
    kinds = ("strength",) * strong + ("gap",) * (len(gap.names) - len(grid.names)) + ("width",) * len(width.names)
    return Assembled(
        problem,
        strengths,
        (*strengths.names, *gap.names, *width.names),
        kinds,
        onto,
        (comparisons.contrast, position, width),
    )


def _reference(systems: Sequence[str], wanted: str | None) -> int:
    if wanted is None:
        return len(systems) - 1
    if wanted not in systems:
        raise PlanError(f"the reference {wanted!r} is not among the systems", remedy=nearest(wanted, systems))
    return list(systems).index(wanted)


def _crossed(name: str, column: str) -> str:
    return name if column == formulas.INTERCEPT else f"{name}:{column}"


def _position(comparisons: Comparisons, position: bool | str) -> formulas.Terms:
    rows = len(comparisons.left)
    if position is False:
        return formulas.nothing(rows)
    if position is True:
        return formulas.Terms((POSITION,), np.ones((rows, 1)))
    found = formulas.evaluate(position, comparisons.columns, rows)
    names = tuple(POSITION if name == formulas.INTERCEPT else f"{POSITION}:{name}" for name in found.names)
    return found.picked(names, found.matrix)


def _width(comparisons: Comparisons, options: FitOptions) -> formulas.Terms:
    rows = len(comparisons.left)
    if not options.estimates_ties:
        return formulas.nothing(rows)
    if options.undecided is None:
        return formulas.Terms((UNDECIDED,), np.ones((rows, 1)))
    if options.undecided == "object":
        matrix = np.zeros((rows, len(comparisons.systems)))
        matrix[np.arange(rows), comparisons.left] = matrix[np.arange(rows), comparisons.right] = 1.0
        return formulas.Terms(tuple(f"{UNDECIDED}:{system}" for system in comparisons.systems), matrix)
    found = formulas.evaluate(options.undecided, comparisons.columns, rows)
    names = tuple(UNDECIDED if name == formulas.INTERCEPT else f"{UNDECIDED}:{name}" for name in found.names)
    return found.picked(names, found.matrix)


def coefficients_of(
    names: Sequence[str],
    kinds: Sequence[str],
    solution: solver.FitSolution,
    errors: standard_errors.Errors,
    level: float,
) -> tuple[Coefficient, ...]:
    """Return every coefficient with its standard error and test."""
    known = np.flatnonzero(~solution.aliased)
    error, freedom = np.zeros((2, len(names)))
    error[known], freedom[known] = errors.error(np.eye(len(names))[known])
    return tuple(
        Coefficient.aliased_one(name, kind)
        if solution.aliased[place]
        else Coefficient.of(
            name,
            kind,
            float(solution.coefficients[place]),
            (float(error[place]), float(freedom[place])),
            level,
            infinite=bool(solution.infinite[place]),
        )
        for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
    )
