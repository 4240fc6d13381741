"""Options of `fit`: the terms of a log-linear model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from betterthan.base import PlanError, spelling
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import LEVEL, SEED

Ties = Literal["davidson", "fixed", "drop", "half", "rao-kupper"]
Missing = Literal["ignorable", "separate", "systems", "outcome"]
#: Ties have an effect that is estimated.
_ESTIMATED = ("davidson", "rao-kupper")


@dataclass(frozen=True, kw_only=True)
class FitOptions(Options):
    """Formulas and treatments."""

    verb: ClassVar[str] = "fit"

    ties: Ties = option(
        "davidson", "How ties are treated: davidson estimates a tie effect, fixed keeps it at 0, half splits ties."
    )
    subject: str | None = option(None, "Covariates of the judge: '~ judge', '~ C(age) * sex'.", metavar="FORMULA")
    object: Any = option(
        None,
        "Table of covariates of systems, with their names in the first column.",
        typed="table or path",
        metavar="FILE",
        line=False,
    )
    terms: str | None = option(None, "Covariates of systems and judges: '~ size + size:judge'.", metavar="FORMULA")
    residual: bool = option(False, "Keep an effect of each system, in addition to its covariates.", quiet=True)
    contrast: str | None = option(None, "Differences between the two sides: '~ length_diff'.", metavar="FORMULA")
    position: bool | str = option(False, "Advantage of the left side, or a formula for it.", line=False, quiet=True)
    undecided: str | None = option(
        None, "Covariates of the tie effect, or 'object' for one effect per system.", metavar="FORMULA"
    )
    by: Sequence[str] = option(
        (), "Further columns that define the cells of the table, for the deviance.", metavar="COLUMNS"
    )
    reference: str | None = option(None, "System whose strength is 0.", metavar="NAME", unsaid="the last by name")
    unit: str | None = option(
        None,
        "Unit of dependence, for standard errors: item, judge, ranking, item+judge, row or a column.",
        metavar="UNIT",
        unsaid="that of the data",
    )
    random: str | None = option(
        None, "Random effects: strengths vary between judges, or between values of this column.", metavar="COLUMN"
    )
    model: Literal["bradley-terry", "plackett-luce", "patterns"] = option(
        "bradley-terry", "Pairs (bradley-terry), whole rankings (plackett-luce), or all answers of a judge (patterns)."
    )
    dependence: bool = option(False, "Patterns: answers about the same system depend on each other.", quiet=True)
    unranked: Literal["missing", "last"] = option(
        "missing", "Rankings: systems not ranked are missing, or last: below all ranked ones.", quiet=True
    )
    missing: Missing = option("ignorable", "Patterns: how missing answers are treated.", quiet=True)
    classes: Sequence[int] = option(
        (),
        "Patterns: number of latent classes of judges; of several numbers, the one with the smallest BIC.",
        metavar="NUMBERS",
        least=1,
        most=20,
    )
    starts: int = option(10, "Latent classes: number of random starts; the best is kept.", least=1, most=10_000)
    seed: int = option(0, "Latent classes: seed of the starts.", **SEED)
    anova: bool = option(False, "Test each term of the model by leaving it out.", signed=False)
    scale: Literal["log", "lambda"] = option("log", "Strengths as log-worths (log), or as half of them (lambda).")
    level: float = option(0.95, "Confidence level of intervals.", **LEVEL)

    def facts(self) -> dict[str, str]:
        """Return the facts that determine the result; rankings have no treatment of ties, and only classes have
        starts.
        """
        without = {"ties"} if self.model == "plackett-luce" else set()
        without |= set() if self.classes else {"starts", "seed"}
        return {name: text for name, text in super().facts().items() if name not in without}

    @property
    def estimates_ties(self) -> bool:
        """Whether the model of ties has a parameter, which is estimated."""
        return self.ties in _ESTIMATED

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.terms is not None and self.object is None:
            raise PlanError(
                f"{spelling.option('terms')} is a formula of what is known about systems",
                remedy=f"Pass the table of systems as {spelling.option('object')}.",
            )
        if self.terms is not None and self.subject is not None:
            raise PlanError(
                f"{spelling.option('terms')} already says what depends on who judged",
                remedy=f"Leave out {spelling.option('subject')} or {spelling.option('terms')}.",
            )
        if self.residual and (self.object is None or self.terms is not None):
            raise PlanError(
                f"{spelling.option('residual')} adds the systems' own effects to those of a whole table",
                remedy=f"Pass {spelling.option('object')} without {spelling.option('terms')}.",
            )
        if self.undecided is not None and not self.estimates_ties:
            raise PlanError(
                f"{spelling.option('ties', self.ties)} has no tie parameter, which "
                f"{spelling.option('undecided')} is about",
                remedy=f"Use {' or '.join(spelling.option('ties', each) for each in _ESTIMATED)}, or leave it out.",
            )
        for name, unsaid in (("dependence", False), ("missing", "ignorable"), ("classes", ())):
            if self.model != "patterns" and getattr(self, name) != unsaid:
                raise PlanError(
                    f"{spelling.option(name)} is for patterns of answers",
                    remedy=f"Use {spelling.option('model', 'patterns')}.",
                )
        if self.unranked == "last" and self.missing != "ignorable":
            raise PlanError(
                f"with {spelling.option('unranked', 'last')} no system of a ranking is missing, so "
                f"{spelling.option('missing', self.missing)} has no meaning",
                remedy="Leave one of them out.",
            )
        if self.classes and self.missing != "ignorable":
            raise PlanError(
                f"latent classes take missing answers as ignorable, not {self.missing}",
                remedy=f"Leave out {spelling.option('missing', self.missing)} or {spelling.option('classes')}.",
            )
        if self.random is not None and self.unit is not None:
            raise PlanError(
                "random effects and clustered standard errors are alternatives",
                remedy=f"Choose {spelling.option('random')} or {spelling.option('unit')}.",
            )
