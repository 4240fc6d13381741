"""Options of `correlate`."""

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import CORRECTIONS, LEVEL, RESAMPLES, SEED
from betterthan.progress import Progress, silent


@dataclass(frozen=True)
class CorrelateOptions(Options):
    """Which metric is that of people, and how metrics are compared."""

    verb: ClassVar[str] = "correlate"

    human: str | None = option(
        None,
        "The metric that holds people's scores, or a file of them.",
        metavar="METRIC",
        unsaid="all pairs of metrics",
    )
    _: KW_ONLY
    measure: str = option(
        "accuracy", "What metrics are tested by.",
        choices=("pearson", "spearman", "kendall", "accuracy", "item-kendall", "item-accuracy"),
    )  # fmt: skip
    resamples: int = option(1000, "Resamples of items, and permutations of the test.", **RESAMPLES)
    level: float = option(0.95, "Level of intervals and tests.", **LEVEL)
    correction: str = option("holm", "Correction for many tests.", choices=CORRECTIONS)
    seed: int = option(0, "Seed of resamples and permutations.", **SEED)
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)
