"""The result of `fit`: coefficients, worths and deviance, with findings and a signature."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from betterthan.base import BetterthanError, FloatArray, IntArray, PlanError, nearest, scipy, spelling
from betterthan.evidence import Account
from betterthan.models import standard_errors
from betterthan.options import FitOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result
from betterthan.verbs.fit.anova_table import TEST_COLUMNS, tested
from betterthan.verbs.fit.coefficient import Coefficient, line_of
from betterthan.verbs.fit.estimation.random_judges import RandomJudges
from betterthan.verbs.fit.likelihood_ratio import LikelihoodRatio
from betterthan.verbs.fit.outcome_chances import Predictor, predicted
from betterthan.verbs.fit.patterns.latent_classes import LatentClasses
from betterthan.verbs.fit.patterns.pattern_table import PatternTable
from betterthan.verbs.fit.worth_row import Worth

SCALES = ("log", "lambda")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class LogLinear(Result):
    """A fitted log-linear Bradley–Terry model; find a coefficient by its term.

    `df` and `deviance` compare with the saturated model of the crossed table, `null_deviance` is that of no effects.

    >>> import betterthan as bt
    >>> model = bt.fit([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 3, ties="drop")
    >>> round(model["owl"].estimate, 4), model.df
    (0.6931, 0)
    """

    verb: ClassVar[str] = "fit"
    schema: ClassVar[str] = "fit/1"
    holds = (
        "scale",
        "coefficients",
        "deviance",
        "df",
        "null_deviance",
        "null_df",
        "gof_p",
        "pearson",
        "log_likelihood",
        "aic",
        "bic",
        "judgments",
        "unit",
        "clusters",
        "refused",
        "converged",
        "iterations",
        "reference",
        ("worth", "worth_by_group"),
        "worths",
        "tests",
        "random",
        "patterns",
        "classes",
    )

    settings: FitOptions
    coefficients: tuple[Coefficient, ...]
    errors: standard_errors.Errors
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    null: FloatArray
    worths: tuple[Worth, ...]
    systems: tuple[str, ...]
    reference: str | None
    left: IntArray
    right: IntArray
    observed: FloatArray
    fitted: FloatArray
    log_likelihood: float
    deviance: float
    null_deviance: float
    df: int
    null_df: int
    judgments: float
    weight: float | None  # of every judgment, None where they differ
    converged: bool
    iterations: int
    account: Account
    random: RandomJudges | None = None
    tests: tuple[LikelihoodRatio, ...] = ()
    patterns: PatternTable | None = None
    classes: LatentClasses | None = None
    predictor: Predictor | None = None

    @property
    def covariance(self) -> FloatArray:
        """The covariance of all coefficients but those of reference, NaN for aliased ones."""
        return self.errors.covariance

    @property
    def unit(self) -> str | None:
        """The unit of dependence; None where random effects take its place."""
        return self.settings.unit

    @property
    def clusters(self) -> dict[str, int]:
        """The units of cluster-robust standard errors with their numbers; empty for model-based errors."""
        return dict(self.errors.sizes or {})

    @property
    def level(self) -> float:
        """The level of intervals."""
        return self.settings.level

    @property
    def scale(self) -> str:
        """How strengths are shown: as log-worths, or as half of them."""
        return self.settings.scale

    def __iter__(self) -> Iterator[Coefficient]:
        return iter(self.coefficients)

    def __getitem__(self, term: str) -> Coefficient:
        found = next((each for each in self.coefficients if each.term == term), None)
        if found is None:
            terms = [each.term for each in self.coefficients]
            raise BetterthanError(f"no term {term!r} in this model. {nearest(term, terms)}")
        return found

    @property
    def parameters(self) -> int:
        """How many coefficients were estimated, and the standard deviation of random effects."""
        return self.null_df - self.df + (self.random is not None)

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return 2 * self.parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian criterion; with latent classes its sample are those who belong to them."""
        number = self.classes.units if self.classes else self.judgments
        return float(self.parameters * np.log(number) - 2 * self.log_likelihood)

    @property
    def gof_p(self) -> float | None:
        """The chance of so large a deviance if the model holds, None where the deviance does not tell."""
        return float(scipy.special.chdtrc(self.df, self.deviance)) if self.df > 0 and not self.untold else None

    @property
    def untold(self) -> str:
        """Why the deviance says nothing about the goodness of fit; empty where it does.

        Its chi-square distribution needs independent judgments and large expected counts (Cochran's rule: none below 1,
        at most a fifth below 5).
        """
        if self.classes is not None:
            return "latent classes are compared by BIC"
        if not self.observed.shape[1]:
            return "answers are missing" if self.patterns else "whole rankings make no table of counts"
        if self.random is not None or self.errors.sizes:
            return "judgments are dependent"
        if self.weight != 1.0:
            return "judgments are weighted"
        expected = self.fitted[np.any(self.fitted > 0, axis=1)]
        few = float(np.mean(expected < 5))
        if few > 0.2 or np.any(expected < 1):
            return f"{100 * few:.0f} % of the expected counts are below 5, the smallest is {expected.min():.2g}"
        return ""

    @property
    def pearson(self) -> float:
        """Pearson's statistic of the fit."""
        return float(np.sum(self.residuals() ** 2))

    @property
    def worth(self) -> dict[str, float]:
        """The worths, if all judges share them."""
        if len(self.worths) != 1:
            raise BetterthanError(
                "worths differ between kinds of judges", remedy="Use `worths`, which has one entry per kind of judge."
            )
        return self.worths[0].worth

    def scaled(self, scale: str) -> "LogLinear":
        """Return the model with strengths as log-worths (`log`) or as half of them, the λ of the papers (`lambda`).

        Parameters
        ----------
        scale : {'log', 'lambda'}
            Scale of the strengths.

        Returns
        -------
        LogLinear
            The same model on that scale.
        """
        if scale not in SCALES:
            raise PlanError(f"scale must be one of {', '.join(SCALES)}, got {scale!r}.")
        if scale == self.scale:
            return self
        if scale == "log":
            raise PlanError("this model is on the λ scale already", remedy="Scale the model it was made from.")
        halves = np.array([0.5 if kind == "strength" else 1.0 for kind in self.kinds])
        return replace(
            self,
            coefficients=tuple(each.halved() for each in self.coefficients),
            settings=self.settings.changed(scale=scale),
            errors=self.errors.scaled(halves),
            null=self.null * halves[:, None],
            worths=tuple(each.halved() for each in self.worths),
            random=self.random.halved() if self.random else None,
        )

    def contrast(self, a: str, b: str) -> Coefficient:
        """Return the difference between two terms, such as two systems, with its error.

        Parameters
        ----------
        a : str
            First term.
        b : str
            Second term.

        Returns
        -------
        Coefficient
            The difference with its standard error.
        """
        weight = np.zeros(len(self.names))
        for term, sign in ((a, 1.0), (b, -1.0)):
            each = self[term]
            if each.estimate is None:
                raise BetterthanError(f"{term!r} cannot be estimated, because other terms determine it.")
            if not each.reference:
                weight[self.names.index(term)] += sign
        if np.any(np.abs(weight @ self.null) > 1e-6):
            raise BetterthanError(f"{a!r} and {b!r} cannot be compared, because no comparisons link them.")
        total = (self[a].estimate or 0.0) - (self[b].estimate or 0.0)
        error, freedom = self.errors.error(weight[None])
        kind = self[a].kind
        found = Coefficient.of(f"{a} − {b}", kind, total, (float(error[0]), float(freedom[0])), self.level)
        # Odds are those of winning, whatever the scale.
        whole = 2 * total if self.scale == "lambda" and kind == "strength" else total
        return replace(found, odds=float(np.exp(min(whole, 700.0))))

    def summary(self, level: float | None = None) -> "LogLinear":
        """Return the model with intervals at a level, which prints as R's summary does.

        Parameters
        ----------
        level : float, optional
            Confidence level; by default that of the fit.

        Returns
        -------
        LogLinear
            The same model with these intervals.

        Examples
        --------
        >>> import betterthan as bt
        >>> model = bt.fit([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 3)
        >>> round(model.summary(0.9)["owl"].high - model["owl"].high, 4)
        -0.2228
        """
        if level is None:
            return self
        return replace(
            self,
            coefficients=tuple(each.at_level(level) for each in self.coefficients),
            settings=self.settings.changed(level=level),
        )

    def confint(self, level: float | None = None) -> dict[str, tuple[float | None, float | None]]:
        """Return the confidence interval of every term; None is an end that is not known.

        Parameters
        ----------
        level : float, optional
            Confidence level; by default that of the fit.

        Returns
        -------
        dict
            Lower and upper limit by term.
        """
        return {each.term: (each.low, each.high) for each in self.summary(level)}

    def vcov(self) -> dict[str, dict[str, float]]:
        """Return variances and covariances of the terms, but for aliased ones and the reference."""
        known = [place for place in range(len(self.names)) if not np.isnan(self.covariance[place, place])]
        return {self.names[a]: {self.names[b]: float(self.covariance[a, b]) for b in known} for a in known}

    def predict(self, rows: Any = None) -> dict[str, list[Any]]:
        """Return the chances that the left system wins, ties or loses, for every pair or for the rows of a table.

        A table has the columns `left` and `right`, and those that formulas of the model name.

        Parameters
        ----------
        rows : table, optional
            Table with the columns `left` and `right`; by default every pair.

        Returns
        -------
        dict
            The table with the columns `win`, `tie` and `loss`.

        Examples
        --------
        >>> import betterthan as bt
        >>> model = bt.fit([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 3)
        >>> [round(chance, 4) for chance in model.predict({"left": ["owl", "yak"], "right": ["yak", "owl"]})["win"]]
        [0.6667, 0.3333]
        """
        if self.predictor is None:
            raise PlanError(
                "strengths of this model depend on which answers are missing, so it predicts no pairs",
                remedy=f"Fit it with {spelling.option('missing', 'ignorable')}.",
            )
        return predicted(self.predictor, self.systems, rows)

    def residuals(self) -> FloatArray:
        """Return Pearson residuals (3 × comparisons, or 1 × patterns); cells that cannot occur have none."""
        error = np.sqrt(self.fitted)
        return np.divide(self.observed - self.fitted, error, out=np.zeros_like(error), where=error > 0)

    def cells(self) -> dict[str, list[Any]]:
        """Return every cell of the table: who met whom, the outcome, observed, fitted and residual.

        Cells of patterns are described in words instead of by sides and outcome.
        """
        if self.patterns is not None:
            return self._pattern_cells(self.patterns)
        pairs = len(self.left)
        kinds = [place for place in range(3) if np.any(self.fitted[place] > 0)]
        words = ("left", "tie", "right")
        residual = self.residuals()
        return {
            "left": [self.systems[place] for _ in kinds for place in self.left],
            "right": [self.systems[place] for _ in kinds for place in self.right],
            "outcome": [words[kind] for kind in kinds for _ in range(pairs)],
            **{
                name: [float(value) for kind in kinds for value in values[kind]]
                for name, values in (("observed", self.observed), ("fitted", self.fitted), ("residual", residual))
            },
        }

    def _pattern_cells(self, patterns: PatternTable) -> dict[str, list[Any]]:
        number = self.observed.shape[1]
        counts = {"observed": self.observed, "fitted": self.fitted, "residual": self.residuals()}
        return {
            "pattern": [patterns.word(place % patterns.possible) for place in range(number)],
            **{name: values[0].tolist() for name, values in counts.items()},
        }

    def figures(self) -> dict[tuple[str, str], float | None]:
        """Return the estimates of all terms, next to the reference that they are relative to."""
        reference = next((one.term for one in self.coefficients if one.reference), "")
        return {
            ("estimate", f"{one.term} (reference {reference})" if reference else one.term): one.estimate
            for one in self.coefficients
            if not one.reference and not one.infinite
        }

    def columns(self) -> dict[str, list[Any]]:
        """Return the coefficients as columns."""
        return {field.name: [getattr(each, field.name) for each in self.coefficients] for field in fields(Coefficient)}

    @property
    def refused(self) -> int:
        """How many rows were left out."""
        return self.account.refused

    @property
    def worth_by_group(self) -> dict[str, float] | dict[str, dict[str, float]]:
        """The worths; of several kinds of judges, by the name of the kind."""
        return self.worth if len(self.worths) == 1 else {each.group: each.worth for each in self.worths}

    def table(self) -> Table:
        """Return the coefficients as a finished table."""
        student = self.errors.robust is not None or self.errors.freedom is not None
        columns = [
            Column("term", "left", flexible=True),
            Column("estimate"),
            Column("std. error"),
            *([Column("t"), Column("df", optional=3)] if student else [Column("z")]),
            Column("p"),
            Column(f"{100 * self.level:g} % interval", "left", optional=1),
            Column("odds", optional=2),
        ]
        return Table(columns, [line_of(each, student=student) for each in self.coefficients])

    def worth_table(self) -> Table:
        """Return the worths as a finished table: systems × kinds of judges."""
        several = len(self.worths) > 1
        heads = [each.group or "worth" for each in self.worths]
        columns = [Column("system", "left", flexible=True)]
        for head in heads:
            columns += [Column(head), Column("std. error", optional=2)]
        if not several:
            columns.append(Column("quasi error", optional=1))
        first = self.worths[0]
        rows = []
        for system in sorted(self.systems, key=lambda name: -first.worth.get(name, 0.0)):
            line = [system]
            for each in self.worths:
                line += [f"{part[system]:.4f}" if system in part else "" for part in (each.worth, each.se)]
            if not several:
                line.append(f"{first.quasi_se[system]:.4f}" if first.quasi_se and system in first.quasi_se else "")
            rows.append(line)
        return Table(columns, rows)

    def test_table(self) -> Table:
        """Return the tests of single terms as a finished table, one for each that was left out."""
        columns = [Column("left out", "left", flexible=True), *TEST_COLUMNS]
        return Table(columns, [[test.term or "", *tested(test)] for test in self.tests])

    def tables(self) -> list[Table]:
        """Return coefficients, and worths."""
        return [
            self.table(),
            *([self.worth_table()] if self.worths else []),
            *([self.classes.table()] if self.classes else []),
            *([self.test_table()] if self.tests else []),
        ]

    def body(self, width: int | None) -> list[str]:
        """Return coefficients, worths and deviances, as R's summary does."""
        left_out = f" · {self.account.refused:,} left out" if self.account.refused else ""
        what = "λ (half the log-worth)" if self.scale == "lambda" else "log-worth"
        head = f"{self.judgments:,.0f} {self._counted} · {len(self.systems)} systems{left_out} · strengths as {what}"
        parts = [wrapped(head, width), "", self.table().to_text(width), ""]
        if self.worths and len(self.worths) <= 6:
            parts += [self.worth_table().to_text(width), ""]
        if self.classes is not None:
            parts += [self.classes.table().to_text(width), "", wrapped(str(self.classes), width)]
        parts += [wrapped(str(self.patterns), width)] if self.patterns is not None else []
        parts += [wrapped(self._errors(), width), wrapped(self._deviances(), width)]
        criteria = f"Log-likelihood {self.log_likelihood:.4f}, AIC {self.aic:.2f}, BIC {self.bic:.2f}"
        parts.append(wrapped(f"{criteria}; {self.iterations} steps", width))
        if self.tests:
            parts += ["", self.test_table().to_text(width), ""]
        if self.random is not None:
            parts.append(wrapped(str(self.random), width))
        return parts

    def _errors(self) -> str:
        if self.random is not None:
            rough = "" if self.weight is not None else ", and are approximate because weights differ"
            freedom = f"tests of strengths have {len(self.random.deviations) - 1:,} degrees of freedom"
            return f"Standard errors allow for differences between values of {self.random.column}{rough}; {freedom}."
        if self.clusters:
            units = " and ".join(f"{number:,} {counted_unit(unit, number)}" for unit, number in self.clusters.items())
            return f"Standard errors are clustered by {self.unit}: {units}."
        if self.errors.robust is not None:
            return f"Standard errors take {self._counted} as independent, and are robust because their weights differ."
        return f"Standard errors take {self._counted} as independent."

    @property
    def _counted(self) -> str:
        return {"plackett-luce": "rankings", "patterns": "patterns"}.get(self.settings.model, "judgments")

    def _deviances(self) -> str:
        fits = f" (goodness of fit: p = {self.gof_p:.4g})" if self.gof_p is not None else ""
        if self.df > 0 and self.untold:
            fits = f" (no test of fit: {self.untold})"
        return (
            f"Residual deviance {self.deviance:.4f} on {self.df} degrees of freedom{fits}; null deviance "
            f"{self.null_deviance:.4f} on {self.null_df}"
        )


def counted_unit(unit: str, number: int) -> str:
    """Return the name of a unit for a number of them; columns keep their names."""
    return f"{unit}s" if number != 1 and unit in {"item", "judge", "ranking"} else unit
