"""Options of `next`: what to judge next."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL, MARGIN, SEED, UNIT


@dataclass(frozen=True)
class NextOptions(Options):
    """How many comparisons of which systems, by which policy, and within which limits."""

    verb: ClassVar[str] = "next"

    n: int = option(10, "How many comparisons.", least=0, most=100_000)
    _: KW_ONLY
    policy: str = option("unresolved", "How to choose, options in brackets: 'unresolved(explore=0.2)'.")
    way: int = option(2, "Systems to be ranked at once.", least=2, most=10)
    systems: Sequence[str] = option((), "Systems that take part, also without judgments so far.", line=False)
    exclude: Any = option((), "A system, or a pair, not to be asked for; repeatable.", line=False)
    outstanding: Any = option(
        None, "What was asked for and is not answered yet: an earlier -o FILE.", line=False, signed=False
    )
    items: Any = option(None, "Hand out items.", line=False, signed=False)
    judges: Any = option(None, "Hand out to judges.", line=False, signed=False)
    per_pair: int | None = option(None, "Most judgments of one pair.", least=1, most=10**9)
    per_item: int | None = option(None, "Most comparisons on one item.", least=1, most=10**9)
    per_judge: int | None = option(None, "Most comparisons of one judge.", least=1, most=10**9)
    unit: str | None = option(None, "Unit of dependence: what counts once for a pair.", **UNIT)
    level: float = option(0.95, "Level of all separations, and of all equivalences.", **LEVEL)
    margin: float | None = option(None, "Shares (ties half) this near to 0.5 count as equivalent.", **MARGIN)
    seed: int = option(0, "Seed of the choices.", **SEED)
