"""Ratings of items by judges: from a table with a column per judge, or with a row per rating."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, digest_of, spelling
from betterthan.engine import MemoryTable, labels
from betterthan.evidence import Reading
from betterthan.options import AgreeOptions
from betterthan.readers import Columns, open_table, places_of

#: Names of columns that hold ratings, and of those that number rows.
_RATING = ("rating", "score", "label", "category", "code", "grade", "value", "annotation", "answer")
_NUMBER = ("id", "index", "unit", "unit_id", "subject", "subject_id", "case", "case_id", "row")
#: What a table made of a matrix is called; all of its columns are ratings.
_MATRIX = "the given matrix"
#: In a table of at least that many rows, a column whose values all differ while others repeat names rows.
_ROWS = 4
#: More different ratings are measurements, for which alpha would need a table of them all.
_MOST = 2000


@dataclass(frozen=True)
class RatingTable:
    """Ratings: codes of item, judge and category per rating; `values` where categories are numbers.

    Categories are sorted: numbers by size, words as given in an order or by the alphabet (then `ordered` is false).
    """

    items: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    item: IntArray
    rater: IntArray
    category: IntArray
    values: FloatArray | None
    ordered: bool
    reading: Reading

    @property
    def counts(self) -> FloatArray:
        """How many judges put an item into each category (items × categories)."""
        width = len(self.categories)
        cell = self.item * width + self.category
        return np.bincount(cell, minlength=len(self.items) * width).astype(np.float64).reshape(-1, width)

    @property
    def digest(self) -> str:
        """Twelve digits that other ratings do not have, whatever the order of rows."""
        rows = sorted(
            f"{self.items[item]}\0{self.raters[rater]}\0{self.categories[category]}"
            for item, rater, category in zip(self.item, self.rater, self.category, strict=True)
        )
        return digest_of(rows, separator="\n")


@dataclass(frozen=True)
class _Cells:
    """Ratings as texts with their keys; empty where there is none."""

    item: Sequence[str]
    rater: Sequence[str]
    rating: Sequence[str]
    reading: Reading


def read_ratings(source: Any, options: AgreeOptions) -> RatingTable:
    """Read ratings from a file, a data frame, columns, or a matrix."""
    table = _matrix(source) if isinstance(source, np.ndarray) or _is_rows(source) else source
    with open_table(table, where=options.where, encoding=options.encoding) as opened:
        columns = Columns(opened.columns, opened.name)
        found = opened.rows(opened.columns)
        if found.unparsable:
            where = found.unparsable_example or opened.name
            raise EvidenceError("the line cannot be read", where=where, remedy="Correct it.")
        texts = {
            name: ["" if text is None else str(text).strip() for text in coded] for name, coded in found.columns.items()
        }
        long = _long(columns, options)
        cells = _wide(texts, columns, options) if long is None else _read_long(texts, long, columns, options)
    reading = replace(cells.reading, from_files=places_of(source) is not None)
    return _coded(cells, opened.name, options, reading)


def _is_rows(source: Any) -> bool:
    """Whether this is a list of rows of ratings."""
    plain = isinstance(source, (list, tuple)) and len(source) > 0
    return plain and all(isinstance(row, (list, tuple, np.ndarray)) for row in source)


def _matrix(source: Any) -> MemoryTable:
    if isinstance(source, np.ndarray) and source.ndim != 2:
        raise EvidenceError("a matrix of ratings has rows and columns", remedy="Give a row per item.")
    rows = np.array([list(row) for row in source], dtype=object)
    if rows.ndim != 2:
        raise EvidenceError("a matrix of ratings has rows of equal length", remedy="Use None where there is no rating.")
    return MemoryTable.of({str(place + 1): rows[:, place] for place in range(rows.shape[1])}, _MATRIX)


def _long(columns: Columns, options: AgreeOptions) -> tuple[str, str, str] | None:
    """Return the columns of item, judge and rating, None where every judge has a column."""
    if options.raters is not None:
        return None
    item, judge = columns.role("item", options.item), columns.role("judge", options.judge)
    rating = columns.given(options.rating) if options.rating else next(iter(columns.called(_RATING)), None)
    if options.judge is None and options.rating is None and (judge is None or rating is None):
        return None
    for role, found in (("item", item), ("judge", judge), ("rating", rating)):
        if found is None:
            raise EvidenceError(
                f"there is no column of {role}s; its columns are {columns.listed()}",
                where=columns.where,
                remedy=f"Name it with {spelling.option(role)}.",
            )
    return str(item), str(judge), str(rating)


def _read_long(
    texts: dict[str, list[str]], long: tuple[str, str, str], columns: Columns, options: AgreeOptions
) -> _Cells:
    """Take one rating per row; nobody may rate an item twice."""
    if options.rows == "raters":
        raise EvidenceError(f"{spelling.option('rows', 'raters')} is for a column per item", remedy="Leave it out.")
    item, judge, rating = (texts[name] for name in long)
    for role, values in (("item", item), ("judge", judge)):
        if "" in values:
            raise EvidenceError(f"row {values.index('') + 1} has no {role}", where=columns.where, remedy="Add it.")
    seen: set[tuple[str, str]] = set()
    for pair in zip(item, judge, strict=True):
        if pair in seen:
            raise EvidenceError(
                f"{pair[1]!r} rated {pair[0]!r} more than once",
                where=columns.where,
                remedy=f"Keep one rating, for example with {spelling.option('where')}.",
            )
        seen.add(pair)
    roles = dict(zip(("item", "judge", "rating"), long, strict=True))
    return _Cells(item, judge, rating, Reading.of("ratings", roles, columns.names))


def _wide(texts: dict[str, list[str]], columns: Columns, options: AgreeOptions) -> _Cells:
    """Take a column per judge, or per item."""
    role = "judge" if options.rows == "raters" and columns.role("judge") else "item"
    given = options.item if role == "item" else None
    item = columns.role(role, given) or next(iter(columns.called(_NUMBER)), None)
    named = tuple(columns.given(name) for name in options.raters or ())
    across = named or tuple(name for name in columns.names if name != item)
    item = None if item in across else item
    if len(across) < 2:
        raise EvidenceError(
            f"ratings need two judges or more, one per column; its columns are {columns.listed()}",
            where=columns.where,
            remedy=f"Name the columns with {spelling.option('raters')}, or {spelling.option('judge')} and "
            f"{spelling.option('rating')}.",
        )
    if not named and options.rows == "items" and columns.where != _MATRIX:
        _alike(texts, across, columns.where)
    number = len(texts[across[0]])
    down = texts[item] if item is not None else [str(place + 1) for place in range(number)]
    if len(set(down)) < len(down):
        raise EvidenceError(
            f"column {item!r} names a row twice", where=columns.where, remedy="Give every item a row of its own."
        )
    first = [name for name in down for _ in across]
    second = [name for _ in down for name in across]
    rating = [texts[name][row] for row in range(number) for name in across]
    reading = Reading.of("ratings in columns", {"item": item or "", "raters": across}, columns.names)
    return _Cells(*((second, first) if options.rows == "raters" else (first, second)), rating, reading)


def _alike(texts: dict[str, list[str]], columns: Sequence[str], where: str) -> None:
    """Refuse columns that hold something else: no rating in common with any other, or another value in every row."""
    values = {name: set(texts[name]) - {""} for name in columns}
    rows = len(texts[columns[0]])
    naming = [name for name in columns if len(values[name]) == rows >= _ROWS]
    if naming and len(naming) < len(columns):
        raise EvidenceError(
            f"column {naming[0]!r} has another value in every row, so it may name items",
            where=where,
            remedy=f"Say which with {spelling.option('item', naming[0])}, or name the judges' columns with "
            f"{spelling.option('raters')}.",
        )
    for name in columns:
        others = set().union(*(values[other] for other in columns if other != name))
        if values[name] and values[name].isdisjoint(others):
            raise EvidenceError(
                f"column {name!r} has no rating in common with the other columns, so it may be no judge's",
                where=where,
                remedy=f"Name the judges' columns with {spelling.option('raters')}.",
            )


def _coded(cells: _Cells, where: str, options: AgreeOptions, reading: Reading) -> RatingTable:
    missing = {"", "nan", "None", *(options.missing or ())}
    kept = [place for place, text in enumerate(cells.rating) if text not in missing]
    if not kept:
        raise EvidenceError("there are no ratings", where=where, remedy="Give at least one.")
    rating = [cells.rating[place] for place in kept]
    categories, values, ordered = _categories(rating, where, options)
    place_of = {text: place for place, texts in enumerate(categories) for text in texts}
    items, raters = (tuple(sorted(set(names))) for names in (cells.item, cells.rater))
    of_item, of_rater = ({name: place for place, name in enumerate(names)} for names in (items, raters))
    return RatingTable(
        items,
        raters,
        tuple(texts[0] for texts in categories),
        np.array([of_item[cells.item[place]] for place in kept]),
        np.array([of_rater[cells.rater[place]] for place in kept]),
        np.array([place_of[text] for text in rating]),
        values,
        ordered,
        reading,
    )


def _categories(
    rating: Sequence[str], where: str, options: AgreeOptions
) -> tuple[list[list[str]], FloatArray | None, bool]:
    """Return the spellings of every category in order, their numbers where they are such, and whether the order counts.

    "4" and "4.0" are one number.
    """
    words = sorted(set(rating))
    if len(words) > _MOST:
        raise EvidenceError(
            f"there are {len(words):,} different ratings, more than {_MOST:,}", where=where, remedy="Round them."
        )
    if options.order is not None:
        unknown = [word for word in words if word not in options.order]
        if unknown or len(set(options.order)) < len(options.order):
            wrong = f"leaves out {unknown[0]!r}" if unknown else "names a word twice"
            raise EvidenceError(f"{spelling.option('order')} {wrong}", where=where, remedy="Name every rating once.")
        return [[word] for word in options.order], None, True
    numerals = [word for word in words if labels.is_numeral(word)]
    if not numerals:
        return [[word] for word in words], None, False
    if len(numerals) < len(words):
        odd = next(word for word in words if not labels.is_numeral(word))
        raise EvidenceError(
            f"{odd!r} is no number, and other ratings are",
            where=where,
            remedy=f"If it means that there is no rating, say {spelling.option('missing', odd)}.",
        )
    by_value: dict[float, list[str]] = {}
    for word in words:
        by_value.setdefault(float(word), []).append(word)
    if not all(np.isfinite(value) for value in by_value):
        raise EvidenceError("a rating is infinite", where=where, remedy="Correct it.")
    values = sorted(by_value)
    # The plainest spelling names a number, so that 4.0 in one file is 4 in another.
    return (
        [sorted({repr(value).removesuffix(".0"), *by_value[value]}, key=len) for value in values],
        np.array(values),
        True,
    )
