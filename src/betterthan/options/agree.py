"""Options of `agree`: the columns of ratings, and their scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import LEVEL, SEED, WHERE


@dataclass(frozen=True, kw_only=True)
class AgreeOptions(Options):
    """Ratings: one row per item and a column per judge, or one row per rating."""

    verb: ClassVar[str] = "agree"
    reads: ClassVar[bool] = False
    arguments: ClassVar[Arguments] = {
        "evidence": (
            "path, data frame, array, list or dict",
            "Ratings: a table with a column per judge, or one row per rating.",
        )
    }

    item: str | None = option(None, "Column of the item.", metavar="COLUMN", signed=False)
    judge: str | None = option(None, "Long tables: column of the judge.", metavar="COLUMN", signed=False)
    rating: str | None = option(None, "Long tables: column of the rating.", metavar="COLUMN", signed=False)
    raters: Sequence[str] | None = option(
        None, "Wide tables: one column per judge.", metavar="COLUMNS", unsaid="all but the item", signed=False
    )
    rows: Literal["items", "raters"] = option("items", "What the rows of a wide table are.", signed=False)
    order: Sequence[str] | None = option(
        None, "Ratings in words, from lowest to highest: 'bad,fair,good'.", metavar="WORDS"
    )
    missing: Sequence[str] | None = option(None, "Values that mean a missing rating: 'NA,*'.", metavar="WORDS")
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    level: float = option(0.95, "Confidence level of intervals.", **LEVEL)
    seed: int = option(0, "Seed of the bootstrap.", **SEED)
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
