"""One ranking per row, a column per place that names the system: first, second, third, or rank_1, rank_2."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError
from betterthan.engine import MISSING, Table
from betterthan.evidence import Check, Kind, Rankings, Reading
from betterthan.options import ReadOptions
from betterthan.readers.columns.order_texts import ABOUT, Order, about_columns, rankings_of
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.format import Recognition

_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_STEMS = ("rank", "place", "position", "choice", "top", "best", "preference")
_NUMBERED = re.compile(rf"({'|'.join(_STEMS)})_(\d+)|(\d+)(?:st|nd|rd|th)(?:_(?:{'|'.join(_STEMS)}))?")


class RankPlacesFormat:
    """Who is first is in one column, who is second in the next; empty cells at the end are not ranked."""

    name: ClassVar[str] = "rankings-by-place"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "one ranking per row: columns first, second, third (or rank_1, rank_2 …) that name systems"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({*ABOUT, "counts"})
    surest: ClassVar[float] = 0.75

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for columns of places whose cells are names."""
        places = _places(found)
        if not places or all(found.numeric(places)):  # numbers are ranks, each of another system
            return None
        return Recognition(0.75, f"columns {', '.join(places)} of names") if _named(found, places, options) else None

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as a ranking."""
        columns = Columns.of(found, options)
        places = _places(found)
        if not places:
            raise EvidenceError(
                f"there are no columns first, second, third or rank_1, rank_2; its columns are {columns.listed()}",
                where=found.name,
                remedy="Rename the columns.",
            )
        about = about_columns(columns, options, places)
        rows = found.rows([*places, *about.values()])
        check = Check(found, rows, options.on_error)
        codes = np.stack([rows.columns[place].codes for place in places], axis=1)
        there = codes != MISSING
        gap = np.any(there[:, 1:] & ~there[:, :-1], axis=1)
        check.refuse("gap", gap, "a place is empty before a later one", "Leave only the last places empty.")
        check.refuse(
            "short ranking",
            there.sum(axis=1) < 2,
            "fewer than two systems are ranked",
            "A ranking needs at least two: fill in the places.",
        )
        texts = np.stack([rows.columns[place].texts() for place in places], axis=1)
        orders: list[Order | None] = [tuple((str(name),) for name in row if name is not None) for row in texts]
        twice = np.array([len(set(order or ())) < len(order or ()) for order in orders], dtype=bool)
        check.refuse(
            "duplicate entry",
            twice,
            "a system has two places in one ranking",
            "A system has one place per ranking: correct the row.",
        )
        return rankings_of(check, orders, about, Reading.of(self.name, {"places": places, **about}, found.columns))

    def example(self, folder: Path) -> Any:
        """Return three rankings, one of them partial."""
        del folder
        return {
            "judge": ["ann", "bob", "cid"],
            "first": ["owl", "yak", "owl"],
            "second": ["yak", "owl", "elk"],
            "third": ["elk", "elk", None],
        }


def _places(table: Table) -> list[str]:
    """Return the columns of places from the first on, the longest row of them; 'first' and 'second' are also sides."""
    found = defaultdict[str, dict[int, str]](dict)
    for name in table.columns:
        folded = re.sub(r"_(place|choice|rank)$", "", normal(name))
        if folded in _WORDS:
            found["words"].setdefault(_WORDS.index(folded) + 1, name)
        elif (match := _NUMBERED.fullmatch(re.sub(r"^_|(?<=\d)_(?=st|nd|rd|th)", "", normal(name)))) is not None:
            found[match[1] or "ordinal"].setdefault(int(match[2] or match[3]), name)
    rows = [
        [places[number] for number in range(1, len(places) + 1)]
        for stem, places in found.items()
        if set(places) == set(range(1, len(places) + 1)) and len(places) >= (3 if stem == "words" else 2)
    ]
    return max(rows, key=len, default=[])


def _named(table: Table, places: list[str], options: ReadOptions) -> bool:
    """Whether the places hold names, which occur in several places or rows, rather than texts."""
    del options
    rows, *distinct = table.unique(places)
    if max(distinct) * len(places) <= rows:
        return True
    labels = [set(table.distinct([place]).columns[place].labels) for place in places]
    return rows == 1 or sum(map(len, labels)) > len(set.union(*labels))


FORMAT = RankPlacesFormat()
