"""Options of `correlate`."""

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from betterthan.base import Progress, silent
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import CORRECTIONS, LEVEL, RESAMPLES, SEED


@dataclass(frozen=True)
class CorrelateOptions(Options):
    """Which metric is that of people, and how metrics are compared."""

    verb: ClassVar[str] = "correlate"
    arguments: ClassVar[Arguments] = {
        "evidence": ("scores, path, data frame, list or dict", "Scores of systems on items by several metrics.")
    }

    human: str | None = option(
        None,
        "Metric that holds the human scores, or a file of them.",
        metavar="METRIC",
        unsaid="all pairs of metrics",
    )
    _: KW_ONLY
    measure: str = option(
        "accuracy",
        "Statistic that the tests compare.",
        choices=("pearson", "spearman", "kendall", "accuracy", "item-kendall", "item-accuracy"),
    )
    resamples: int = option(1000, "Number of bootstrap samples, and of permutations in the tests.", **RESAMPLES)
    level: float = option(0.95, "Confidence level of intervals and tests.", **LEVEL)
    correction: str = option("holm", "Correction for multiple tests.", choices=CORRECTIONS)
    seed: int = option(0, "Seed of bootstrap samples and permutations.", **SEED)
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )
