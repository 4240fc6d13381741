"""Options of `compare`: of two systems, and of all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import CORRECTIONS, LEVEL, SEED, TOLERANCE, UNIT

#: Which items are dependent: by item, or in their order.
Groups = Mapping[str, str] | Sequence[str]
GROUPS = "Which items are dependent: by item, or in their order."


@dataclass(frozen=True)
class CompareOptions(Options):
    """Two systems on the same items, or in the judgments between them."""

    verb: ClassVar[str] = "compare"

    a: str | None = option(None, "The first system.", line=False)
    b: str | None = option(None, "The second system.", line=False)
    _: KW_ONLY
    question: Literal["mean", "typical", "wins", "corpus"] | None = option(
        None, "The mean score, the typical item, items won, or the metric of the whole test set.",
        unsaid="mean; of judgments wins; of metrics of a whole test set corpus",
    )  # fmt: skip
    unit: str | None = option(None, "Unit of dependence.", **UNIT)
    groups: Groups | None = option(None, GROUPS, line=False, signed=False)
    margin: float | None = option(None, "Differences up to this are practically none.", least=0, unsaid="0.1 SD")
    ties: Literal["drop", "split"] = option(
        "drop", "Ties of the sign test, drop or split; of all pairs those of the model, as for rank."
    )
    tolerance: float = option(0.0, "Differences up to this are ties.", **TOLERANCE)
    level: float = option(0.95, "Level of intervals and of the verdict.", **LEVEL)
    seed: int = option(0, "Seed of resamples and random flips.", **SEED)


@dataclass(frozen=True)
class ComparePairsOptions(Options):
    """Every pair of systems at once."""

    verb: ClassVar[str] = "compare-all"

    model: str = option("bradley-terry", "Model of all pairs: mean, median, bradley-terry, elo, trueskill …")
    _: KW_ONLY
    ties: str | None = option(None, "Of all pairs: ties of the model, as for rank.")
    test: Literal["auto", "model"] = option("auto", "Of all pairs: the model's own test, or by covariance.")
    by: Literal["model", "pair"] = option("model", "Of all pairs: values of the model, or of each pair alone.")
    correction: str = option("holm", "Of all pairs: correction for many tests.", choices=CORRECTIONS)
    unit: str | None = option(None, "Unit of dependence.", **UNIT)
    tolerance: float = option(0.0, "Differences up to this are ties.", **TOLERANCE)
    level: float = option(0.95, "Level of the tests.", **LEVEL)
    seed: int = option(0, "Seed of models that make random choices.", **SEED)
