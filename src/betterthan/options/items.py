"""Options of `items`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import LEVEL


@dataclass(frozen=True, kw_only=True)
class ItemsOptions(Options):
    """Which model of right and wrong answers, and what counts as right."""

    verb: ClassVar[str] = "items"
    arguments: ClassVar[Arguments] = {
        "evidence": ("scores, path, data frame, array, list or dict", "Scores of systems on items.")
    }

    model: Literal["2pl", "rasch"] = option(
        "2pl", "Items differ in difficulty and discrimination (2pl), or in difficulty alone (rasch)."
    )
    threshold: float | None = option(
        None,
        "Scores of at least this count as right, others as wrong.",
        metavar="SCORE",
        unsaid="scores are 0 and 1",
        least=-1e300,
        most=1e300,
    )
    level: float = option(0.95, "Confidence level of intervals.", **LEVEL)
