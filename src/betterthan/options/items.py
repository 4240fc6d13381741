"""Options of `items`."""

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import LEVEL, SEED


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


@dataclass(frozen=True)
class ShortFormOptions(ItemsOptions):
    """How many items a short form has."""

    short: int = option(
        100,
        "Choose this number of items that keep the ranking, with the error on systems left out.",
        least=2,
        most=1_000_000,
    )
    _: KW_ONLY
    folds: int = option(5, "Short form: parts of the systems that are left out in turn.", least=2, most=1_000)
    seed: int = option(0, "Short form: seed of the parts, and of random items to compare with.", **SEED)


@dataclass(frozen=True)
class NextItemOptions(ItemsOptions):
    """Which system is being evaluated."""

    adaptive: str = option(
        "",
        "A new system: which item it should answer next, and its share of right answers on all items.",
        metavar="SYSTEM",
    )
