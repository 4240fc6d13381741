"""Options of `next`: what to judge next."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import LEVEL, MARGIN, SEED, UNIT


@dataclass(frozen=True)
class NextOptions(Options):
    """How many comparisons of which systems, by which policy, and within which limits."""

    verb: ClassVar[str] = "next"

    n: int = option(10, "Number of comparisons to choose.", least=0, most=100_000)
    _: KW_ONLY
    policy: str = option(
        "unresolved", "Policy that chooses pairs, with options in brackets: 'unresolved(explore=0.2)'."
    )
    way: int = option(2, "Number of systems that are ranked at once.", least=2, most=10)
    systems: Sequence[str] = option((), "Systems that take part although they have no judgments yet.", line=False)
    exclude: Any = option((), "Systems or pairs that are not chosen.", typed="list of str or of pairs", line=False)
    outstanding: Any = option(
        None,
        "Comparisons that were asked for and not answered yet, as an earlier call wrote them.",
        typed="table or path",
        line=False,
        signed=False,
    )
    items: Any = option(
        None,
        "Items to assign; 'evidence' takes those of the evidence.",
        typed="list of str or str",
        line=False,
        signed=False,
    )
    judges: Any = option(
        None,
        "Judges to assign; 'evidence' takes those of the evidence.",
        typed="list of str or str",
        line=False,
        signed=False,
    )
    per_pair: int | None = option(None, "Maximum number of judgments per pair.", least=1, most=10**9)
    per_item: int | None = option(None, "Maximum number of comparisons per item.", least=1, most=10**9)
    per_judge: int | None = option(None, "Maximum number of comparisons per judge.", least=1, most=10**9)
    unit: str | None = option(None, "Unit of dependence: what counts once per pair.", **UNIT)
    level: float = option(0.95, "Confidence level, jointly for all separations and for all equivalences.", **LEVEL)
    margin: float | None = option(
        None, "Pairs whose win rate (ties half) is this close to 0.5 count as equivalent.", **MARGIN
    )
    seed: int = option(0, "Seed of the choices.", **SEED)
