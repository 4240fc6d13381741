"""Options of `fit`: what a log-linear model consists of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from betterthan.errors import PlanError
from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL, SEED
from betterthan.spelling import option as spelled

Ties = Literal["davidson", "fixed", "drop", "half", "rao-kupper"]
Missing = Literal["ignorable", "separate", "systems", "outcome"]
#: Ties have an effect that is estimated.
ESTIMATED = ("davidson", "rao-kupper")


@dataclass(frozen=True, kw_only=True)
class FitOptions(Options):
    """Formulas and treatments."""

    verb: ClassVar[str] = "fit"

    ties: Ties = option("davidson", "How ties are treated.")
    subject: str | None = option(None, "Of who judged: '~ judge', '~ C(age) * sex'.", metavar="FORMULA")
    object: Any = option(None, "Table of what is known about systems, by name.", metavar="FILE", line=False)
    terms: str | None = option(None, "Of the columns of the table of systems and of who judged.", metavar="FORMULA")
    residual: bool = option(False, "Systems also have effects of their own, beside those of their table.", quiet=True)
    contrast: str | None = option(None, "Of what differs between the sides: '~ length_diff'.", metavar="FORMULA")
    position: bool | str = option(False, "The left side's advantage.", line=False, quiet=True)
    undecided: str | None = option(
        None, "The effect of ties by who judged, or 'object' for one per system.", metavar="FORMULA"
    )
    by: Sequence[str] = option((), "Cross the table by these too, for the deviance.", metavar="COLUMNS")
    reference: str | None = option(None, "The system whose strength is 0.", metavar="NAME", unsaid="the last by name")
    unit: str | None = option(
        None, "Unit of dependence, for errors: item, judge, ranking, item+judge, row, a column.", metavar="UNIT",
        unsaid="that of the data",
    )  # fmt: skip
    random: str | None = option(None, "Strengths vary at random between judges (or another column).", metavar="COLUMN")
    model: Literal["bradley-terry", "plackett-luce", "patterns"] = option(
        "bradley-terry", "Judgments pair by pair, whole rankings, or all answers of a judge as one pattern."
    )
    dependence: bool = option(False, "Patterns: answers about the same system depend on each other.", quiet=True)
    missing: Missing = option("ignorable", "Patterns: how missing answers are treated.", quiet=True)
    classes: Sequence[int] = option(
        (), "Patterns: latent classes of judges; of several numbers, the one with the smallest BIC.", metavar="NUMBERS",
        least=1, most=20,
    )  # fmt: skip
    starts: int = option(10, "Latent classes: random starts, of which the best is kept.", least=1, most=10_000)
    seed: int = option(0, "Latent classes: seed of the starts.", **SEED)
    anova: bool = option(False, "Test every term of the model by leaving it out.", signed=False)
    scale: Literal["log", "lambda"] = option("log", "Strengths as log-worths, or as half of them.")
    level: float = option(0.95, "Level of intervals.", **LEVEL)

    def facts(self) -> dict[str, str]:
        """Return what decides the result; whole rankings have no treatment of ties, and only classes have starts."""
        without = {"ties"} if self.model == "plackett-luce" else set()
        without |= set() if self.classes else {"starts", "seed"}
        return {name: text for name, text in super().facts().items() if name not in without}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.terms is not None and self.object is None:
            raise PlanError(
                f"{spelled('terms')} is a formula of what is known about systems",
                remedy=f"Pass the table of systems as {spelled('object')}.",
            )
        if self.terms is not None and self.subject is not None:
            raise PlanError(
                f"{spelled('terms')} already says what depends on who judged",
                remedy=f"Leave out {spelled('subject')} or {spelled('terms')}.",
            )
        if self.residual and (self.object is None or self.terms is not None):
            raise PlanError(
                f"{spelled('residual')} adds the systems' own effects to those of a whole table",
                remedy=f"Pass {spelled('object')} without {spelled('terms')}.",
            )
        if self.undecided is not None and self.ties not in ESTIMATED:
            raise PlanError(
                f"{spelled('ties', self.ties)} has no tie parameter, which {spelled('undecided')} is about",
                remedy=f"Use {' or '.join(spelled('ties', each) for each in ESTIMATED)}, or leave it out.",
            )
        for name, unsaid in (("dependence", False), ("missing", "ignorable"), ("classes", ())):
            if self.model != "patterns" and getattr(self, name) != unsaid:
                raise PlanError(
                    f"{spelled(name)} is for patterns of answers", remedy=f"Use {spelled('model', 'patterns')}."
                )
        if self.classes and self.missing != "ignorable":
            raise PlanError(
                f"latent classes take missing answers as ignorable, not {self.missing}",
                remedy=f"Leave out {spelled('missing', self.missing)} or {spelled('classes')}.",
            )
        if self.random is not None and self.unit is not None:
            raise PlanError(
                "random effects and clustered standard errors are alternatives",
                remedy=f"Choose {spelled('random')} or {spelled('unit')}.",
            )
