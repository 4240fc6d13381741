"""A fitted model: coefficients, worths, deviance; immutable, with its doubts and the line that repeats it."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from scipy import stats

from betterthan.arrays import FloatArray, IntArray
from betterthan.errors import BetterthanError, PlanError, nearest
from betterthan.evidence.account import Account
from betterthan.loglinear.quasi import quasi_errors
from betterthan.loglinear.random_judges import RandomJudges
from betterthan.loglinear.ratio import LikelihoodRatio
from betterthan.options.fit import FitOptions
from betterthan.present.table import Column, Table, chance, wrapped
from betterthan.results.result import Result

SCALES = ("log", "lambda")


@dataclass(frozen=True)
class Coefficient:
    """One term. That of the reference is 0 by choice; an aliased one says what others say already."""

    term: str
    kind: str
    estimate: float | None
    se: float | None
    z: float | None
    p: float | None
    low: float | None
    high: float | None
    odds: float | None  # what the term multiplies the odds of winning (or of being undecided) by
    reference: bool = False
    aliased: bool = False
    infinite: bool = False

    @classmethod
    def of(
        cls, term: str, kind: str, estimate: float, se: float, level: float, *, infinite: bool = False
    ) -> "Coefficient":
        """Make one from estimate and standard error."""
        z = estimate / se if se > 0 else None
        p = float(2 * stats.norm.sf(abs(z))) if z is not None else None
        reach = float(stats.norm.ppf((1 + level) / 2)) * se
        odds = float(np.exp(min(estimate, 700.0)))
        return cls(term, kind, estimate, se, z, p, estimate - reach, estimate + reach, odds, infinite=infinite)

    @classmethod
    def reference_one(cls, term: str) -> "Coefficient":
        """Make that of the system of reference."""
        return cls(term, "strength", 0.0, 0.0, None, None, 0.0, 0.0, 1.0, reference=True)

    @classmethod
    def aliased_one(cls, term: str, kind: str) -> "Coefficient":
        """Make one that cannot be estimated."""
        return cls(term, kind, None, None, None, None, None, None, None, aliased=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(self.__dict__)

    def halved(self) -> "Coefficient":
        """Return it on the scale of λ."""
        parts = {
            name: value / 2 for name in ("estimate", "se", "low", "high") if (value := getattr(self, name)) is not None
        }
        return replace(self, **parts) if self.kind == "strength" else self


@dataclass(frozen=True)
class Worth:
    """Worths of all systems for one kind of subject, with standard and quasi standard errors of the log-strengths."""

    group: str
    worth: dict[str, float]
    se: dict[str, float]
    log_strength: dict[str, float]
    quasi_se: dict[str, float] | None

    @classmethod
    def of(cls, group: str, systems: tuple[str, ...], strength: FloatArray, covariance: FloatArray) -> "Worth":
        """Make worths that sum to 1, their errors by the delta method."""
        share = np.exp(strength - strength.max())
        share /= share.sum()
        slope = np.diag(share) - np.outer(share, share)
        errors = np.sqrt(np.maximum(np.diag(slope @ covariance @ slope), 0.0))
        quasi = quasi_errors(covariance)
        columns = (share, errors, strength - strength.mean())
        worth, se, log = (dict(zip(systems, column.tolist(), strict=True)) for column in columns)
        return cls(group, worth, se, log, None if quasi is None else dict(zip(systems, quasi.tolist(), strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(self.__dict__)


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
        "scale", "coefficients", "deviance", "df", "null_deviance", "null_df", "gof_p", "pearson", "log_likelihood",
        "aic", "bic", "judgments", "refused", "converged", "iterations", "reference", ("worth", "worth_by_group"),
        "worths", "tests", "random",
    )  # fmt: skip

    settings: FitOptions
    coefficients: tuple[Coefficient, ...]
    covariance: FloatArray
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
    converged: bool
    iterations: int
    account: Account
    random: RandomJudges | None = None
    tests: tuple[LikelihoodRatio, ...] = ()

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
        """The Bayesian criterion."""
        return float(self.parameters * np.log(self.judgments) - 2 * self.log_likelihood)

    @property
    def gof_p(self) -> float | None:
        """The chance of so large a deviance if the model holds; None where nothing is left to test, or no table is."""
        return float(stats.chi2.sf(self.deviance, self.df)) if self.df > 0 and len(self.left) else None

    @property
    def pearson(self) -> float:
        """Pearson's statistic of the fit."""
        return float(np.sum(self.residuals() ** 2))

    @property
    def worth(self) -> dict[str, float]:
        """The worths where all subjects are alike."""
        if len(self.worths) != 1:
            raise BetterthanError(
                "worths differ between subjects", remedy="Look at worths, which has one entry per type of subject."
            )
        return self.worths[0].worth

    def scaled(self, scale: str) -> "LogLinear":
        """Return the model with strengths as log-worths (`log`) or as half of them, the λ of the papers (`lambda`)."""
        if scale not in SCALES:
            raise PlanError(f"scale must be one of {', '.join(SCALES)}, got {scale!r}.")
        if scale == self.scale:
            return self
        if scale == "log":
            raise PlanError("this model is on the λ scale already", remedy="Scale the model it was made from.")
        halves = np.array([0.5 if kind == "strength" else 1.0 for kind in self.kinds])
        return replace(
            self, coefficients=tuple(each.halved() for each in self.coefficients),
            settings=self.settings.changed(scale=scale),
            covariance=self.covariance * np.outer(halves, halves), null=self.null * halves[:, None],
            random=self.random.halved() if self.random else None,
        )  # fmt: skip

    def contrast(self, a: str, b: str) -> Coefficient:
        """Return the difference between two terms, such as two systems, with its error."""
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
        error = float(np.sqrt(weight @ np.nan_to_num(self.covariance) @ weight))
        return Coefficient.of(f"{a} − {b}", self[a].kind, total, error, self.level)

    def residuals(self) -> FloatArray:
        """Return Pearson residuals (3 × comparisons); cells that cannot occur have none."""
        error = np.sqrt(self.fitted)
        return np.divide(self.observed - self.fitted, error, out=np.zeros_like(error), where=error > 0)

    def cells(self) -> dict[str, list[Any]]:
        """Return every cell of the table: who met whom, the outcome, observed, fitted and residual."""
        pairs = len(self.left)
        kinds = [place for place in range(3) if np.any(self.fitted[place] > 0)]
        words = ("left", "tie", "right")
        residual = self.residuals()
        return {
            "left": [self.systems[place] for _ in kinds for place in self.left],
            "right": [self.systems[place] for _ in kinds for place in self.right],
            "outcome": [words[kind] for kind in kinds for _ in range(pairs)],
            **{name: [float(value) for kind in kinds for value in values[kind]]
               for name, values in (("observed", self.observed), ("fitted", self.fitted), ("residual", residual))},
        }  # fmt: skip

    def columns(self) -> dict[str, list[Any]]:
        """Return the coefficients as columns."""
        return {field.name: [getattr(each, field.name) for each in self.coefficients] for field in fields(Coefficient)}

    @property
    def refused(self) -> int:
        """How many rows were left out."""
        return self.account.refused

    @property
    def worth_by_group(self) -> dict[str, float] | dict[str, dict[str, float]]:
        """The worths; of several kinds of subjects, by their names."""
        return self.worth if len(self.worths) == 1 else {each.group: each.worth for each in self.worths}

    def table(self) -> Table:
        """Return the coefficients as a finished table."""
        columns = [Column("term", "left", flexible=True), Column("estimate"), Column("std. error"), Column("z"),
                   Column("p"), Column(f"{100 * self.level:g} % interval", "left", optional=1),
                   Column("odds", optional=2)]  # fmt: skip
        return Table(columns, [_line(each) for each in self.coefficients])

    def worth_table(self) -> Table:
        """Return the worths as a finished table: systems × kinds of subjects."""
        several = len(self.worths) > 1
        heads = [each.group or "worth" for each in self.worths]
        columns = [Column("system", "left", flexible=True)]
        for head in heads:
            columns += [Column(head), Column("std. error", optional=2)]
        if not several:
            columns.append(Column("quasi error", optional=1))
        first = self.worths[0]
        rows = []
        for system in sorted(self.systems, key=lambda name: -first.worth[name]):
            line = [system]
            for each in self.worths:
                line += [f"{each.worth[system]:.4f}", f"{each.se[system]:.4f}"]
            if not several:
                line.append(f"{first.quasi_se[system]:.4f}" if first.quasi_se else "")
            rows.append(line)
        return Table(columns, rows)

    def tables(self) -> list[Table]:
        """Return coefficients, and worths."""
        return [self.table(), *([self.worth_table()] if self.worths else [])]

    def to_text(self, width: int | None = None) -> str:
        """Return what the terminal shows, as R's summary does."""
        left_out = f" · {self.account.refused:,} left out" if self.account.refused else ""
        what = "λ (half the log-worth)" if self.scale == "lambda" else "log-worth"
        counted = "rankings" if self.settings.model == "plackett-luce" else "judgments"
        head = f"{self.judgments:,.0f} {counted} · {len(self.systems)} systems{left_out} · strengths as {what}"
        parts = [wrapped(head, width), "", self.table().to_text(width), ""]
        if self.worths and len(self.worths) <= 6:
            parts += [self.worth_table().to_text(width), ""]
        parts.append(wrapped(self._deviances(), width))
        criteria = f"Log-likelihood {self.log_likelihood:.4f}, AIC {self.aic:.2f}, BIC {self.bic:.2f}"
        parts.append(wrapped(f"{criteria}; {self.iterations} steps", width))
        parts += [wrapped(str(test), width) for test in self.tests]
        if self.random is not None:
            parts.append(wrapped(str(self.random), width))
        return "\n".join([*parts, *self.closing(width)])

    def _deviances(self) -> str:
        fits = f" (goodness of fit: p = {self.gof_p:.4g})" if self.gof_p is not None else ""
        return (
            f"Residual deviance {self.deviance:.4f} on {self.df} degrees of freedom{fits}; null deviance "
            f"{self.null_deviance:.4f} on {self.null_df}"
        )


def _line(each: Coefficient) -> list[str]:
    if each.reference:
        return [each.term, "0", "", "", "", "reference", ""]
    if each.estimate is None or each.se is None:
        return [each.term, "", "", "", "", "aliased", ""]
    numbers = [
        f"{each.estimate:.5f}",
        f"{each.se:.5f}",
        f"{each.z:.3f}" if each.z is not None else "",
        chance(each.p) if each.p is not None else "",
    ]
    if each.infinite:
        return [each.term, *numbers, "no maximum", ""]
    return [each.term, *numbers, f"{each.low:.4f} … {each.high:.4f}", f"{each.odds:.4g}"]
