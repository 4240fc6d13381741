"""Options of `compare`: of two systems, and of all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.base import registry
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import CORRECTIONS, HORIZONS, JOINT, LEVEL, RESAMPLES, SEED, TOLERANCE, UNIT

#: Which items are dependent: by item, or in their order.
Groups = Mapping[str, str] | Sequence[str]
GROUPS = "Group of each item, by item or in their order; items of a group are dependent."


@dataclass(frozen=True)
class CompareOptions(Options):
    """Two systems on the same items, or in the judgments between them."""

    verb: ClassVar[str] = "compare"

    a: str | None = option(None, "The first system.", line=False)
    b: str | None = option(None, "The second system.", line=False)
    _: KW_ONLY
    question: Literal["mean", "typical", "wins", "corpus"] | None = option(
        None,
        "What decides: the mean score, the typical item, items won, or the metric of the whole test set.",
        unsaid="mean; for judgments wins; for metrics of a whole test set corpus",
    )
    unit: str | None = option(None, "Unit of dependence: what counts as one independent observation.", **UNIT)
    groups: Groups | None = option(None, GROUPS, line=False, signed=False)
    margin: float | None = option(None, "Differences up to this are practically irrelevant.", least=0, unsaid="0.1 SD")
    ties: Literal["drop", "split", "against"] = option(
        "drop",
        "Ties in the sign test: drop, split, or all for the side behind (against). With all pairs: as in rank.",
    )
    tolerance: float = option(0.0, "Differences up to this count as ties.", **TOLERANCE)
    level: float = option(0.95, "Confidence level of intervals and of the verdict.", **LEVEL)
    seed: int = option(0, "Seed of bootstrap samples and permutations.", **SEED)


@dataclass(frozen=True)
class ComparePairsOptions(Options):
    """Every pair of systems at once."""

    verb: ClassVar[str] = "compare-all"

    model: str | None = option(
        None,
        "With all pairs: one model, or several separated by commas, such as mean,median,bradley-terry,elo,trueskill.",
        metavar="MODELS",
        listed=True,
        unsaid="bradley-terry; for scores mean",
    )
    _: KW_ONLY
    ties: str | None = option(None, "With all pairs: how the model treats ties, as in rank.")
    by: Literal["model", "pair"] | None = option(
        None,
        "With all pairs: decide as the model's leaderboard does, or test each pair by its own record or scores.",
        unsaid="model; with several models pair",
    )
    correction: str | None = option(
        None,
        "With all pairs: correction for multiple tests; joint is that of rank ranges.",
        choices=(JOINT, *CORRECTIONS),
        unsaid="joint; by pair holm",
    )
    control: str | None = option(
        None,
        "With all pairs of judgments: control for length, headers, position and the like, as in rank.",
        metavar="COLUMNS",
        listed=True,
        unsaid="none",
    )
    unit: str | None = option(None, "Unit of dependence: what counts as one independent observation.", **UNIT)
    horizon: str | None = option(
        None,
        "With all pairs: fixed: for one look at the end; anytime: for any number of looks and any choice of pairs.",
        choices=HORIZONS,
        unsaid="fixed; for a campaign anytime",
    )
    resamples: int | None = option(
        None, "With all pairs: number of bootstrap samples.", unsaid="1000, fewer where refits take long", **RESAMPLES
    )
    tolerance: float = option(0.0, "Differences up to this count as ties.", **TOLERANCE)
    level: float = option(0.95, "Confidence level of the tests.", **LEVEL)
    seed: int = option(0, "Seed of bootstrap samples, and of models with random choices.", **SEED)

    def __post_init__(self) -> None:
        for name in ("model", "control"):
            several: Any = getattr(self, name)  # given as a list, they become one text with commas
            if isinstance(several, (list, tuple)) and several and all(isinstance(each, str) for each in several):
                object.__setattr__(self, name, ",".join(each.strip() for each in several))
        super().__post_init__()

    @property
    def models(self) -> tuple[str, ...]:
        """The models one by one, each with its options; none where the evidence decides."""
        return registry.split(self.model or "")
