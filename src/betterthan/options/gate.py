"""Options of `gate`: which loss is accepted, and for what."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import SEED, UNIT


@dataclass(frozen=True)
class GateOptions(Options):
    """A new version against an old one."""

    verb: ClassVar[str] = "gate"

    new: str | None = option(None, "The new version.", line=False)
    old: str | Sequence[str] | None = option(None, "The version it must not be worse than, or several.", line=False)
    _: KW_ONLY
    not_worse_than: float | str | None = option(
        None,
        "Pass if NEW is shown to be worse by less than this: 0.02, or 2% of OLD's mean.",
        metavar="MARGIN",
        typed="number or str, optional",
    )
    better_by: float | str | None = option(
        None,
        "Pass only if NEW is shown to be better, by more than this: 0, 0.02, or 2%.",
        metavar="MARGIN",
        typed="number or str, optional",
    )
    guard: Mapping[str, str] | None = option(
        None,
        "Further metrics, and how much worse each may become: 'latency_ms=+5%,safety=-0.01'.",
        metavar="METRIC=MARGIN,…",
    )
    slices: str | None = option(
        None, "Column that divides items, such as language: NEW must not be worse in any part.", metavar="COLUMN"
    )
    look: int | None = option(
        None,
        "Which look this is, 1, 2, 3, …, where a gate is run again with more items, or on the same test set.",
        least=1,
        most=1_000_000,
        metavar="NUMBER",
        unsaid="the only one",
    )
    rerun: Any = option(
        None, "Scores of an old version and of another run of it: how much two runs of one system differ.", line=False
    )
    flips: int = option(
        0,
        "Show up to this many items that became worse, and as many that became better.",
        least=0,
        most=100_000,
        signed=False,
    )
    unit: str | None = option(None, "Unit of dependence: what counts as one independent observation.", **UNIT)
    level: float = option(
        0.95,
        "Confidence of the decision. It is one-sided, so 0.95 shows a 90 % interval.",
        least=0.75,
        below=1,
        note="95 % is 0.95",
    )
    seed: int = option(0, "Seed of bootstrap samples and permutations.", **SEED)
