"""Options of `items`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL


@dataclass(frozen=True, kw_only=True)
class ItemsOptions(Options):
    """Which model of rights and wrongs, and what counts as right."""

    verb: ClassVar[str] = "items"

    model: Literal["2pl", "rasch"] = option(
        "2pl", "Items differ in difficulty and discrimination (2pl), or in difficulty alone (rasch)."
    )
    threshold: float | None = option(
        None, "Scores of at least this are right, others wrong.", metavar="SCORE", unsaid="scores are 0 and 1",
        least=-1e300, most=1e300,
    )  # fmt: skip
    level: float = option(0.95, "Level of intervals.", **LEVEL)
