"""Options of `agree`: where ratings stand, and what they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL, SEED, WHERE


@dataclass(frozen=True, kw_only=True)
class AgreeOptions(Options):
    """Ratings: one row per item and a column per judge, or one row per rating."""

    verb: ClassVar[str] = "agree"

    item: str | None = option(None, "The item.", metavar="COLUMN", signed=False)
    judge: str | None = option(None, "Long tables: who rated.", metavar="COLUMN", signed=False)
    rating: str | None = option(None, "Long tables: the rating.", metavar="COLUMN", signed=False)
    raters: Sequence[str] | None = option(
        None, "Wide tables: the judges' columns.", metavar="COLUMNS", unsaid="all but the item", signed=False
    )
    rows: Literal["items", "raters"] = option("items", "What a row of a wide table is.", signed=False)
    order: Sequence[str] | None = option(
        None, "Ratings that are words, from the lowest to the highest: 'bad,fair,good'.", metavar="WORDS"
    )
    missing: Sequence[str] | None = option(None, "Words for a missing rating: 'NA,*'.", metavar="WORDS")
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    level: float = option(0.95, "Level of intervals.", **LEVEL)
    seed: int = option(0, "Seed of the bootstrap.", **SEED)
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
