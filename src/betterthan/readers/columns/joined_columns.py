"""Join columns of another file by key, for annotations that name a task instead of systems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, IntArray, spelling
from betterthan.engine import MISSING, Coded, MemoryTable, Opening, Table, labels, open_files
from betterthan.evidence import Check
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns


@dataclass(frozen=True)
class Joining:
    """The other file indexed by its key, and the key column of this one."""

    name: str
    here: str
    there: str
    columns: Mapping[str, Coded]  # of the other file, but for its key
    rows: Mapping[str, int]

    @classmethod
    def of(cls, options: ReadOptions) -> "Joining | None":
        """Read the file that is to be joined, None where none is."""
        if options.join is None:
            if options.on is not None:
                raise EvidenceError(
                    f"{spelling.option('on')} needs {spelling.option('join')}",
                    remedy="Name the file to be joined.",
                )
            return None
        here, equals, there = (options.on or "").partition("=")
        if not here:
            raise EvidenceError(
                f"{spelling.option('join')} needs the columns that match",
                remedy=f"Name them: {spelling.option('on')}.",
            )
        with open_files((options.join,), Opening(options.encoding, "refuse")) as table:
            key = Columns(table.columns, table.name).given(there if equals else here)
            found = table.rows(list(table.columns))
            Check(table, found, "refuse").settle()
            names, rows = found.columns[key], dict[str, int]()
            for row, code in enumerate(names.codes):
                if code == MISSING or names.labels[code] in rows:
                    what = f"{names.labels[code]!r} stands twice" if code != MISSING else "a value is missing"
                    raise EvidenceError(
                        f"{what} in column {key!r}",
                        where=table.place(row),
                        remedy="Every row of a file that is joined needs a key of its own.",
                    )
                rows[names.labels[code]] = row
            columns = {name: column for name, column in found.columns.items() if name != key}
        return cls(options.join, here, key, columns, rows)

    def tasks(
        self, data: Sequence[Mapping[str, Any]], wheres: Sequence[str], options: ReadOptions
    ) -> tuple[list[dict[str, Any] | None], list[Finding]]:
        """Return the data of tasks, completed from the other file.

        A task without a match is refused; where bad rows are skipped, it is None and counted.
        """
        keys = [labels.label_of(each.get(self.here)) for each in data]
        places = np.array([self.rows.get(key or "", MISSING) for key in keys], dtype=np.int64)
        self._refuse(places, lambda row: (keys[row], wheres[row]), options)
        found = [
            None if place == MISSING else self._with(each, place) for each, place in zip(data, places, strict=True)
        ]
        lost = int(np.sum(places == MISSING))
        why = f"{self.name} does not have their {self.here}"
        return found, [kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=lost, why=why)] if lost else []

    def _with(self, data: Mapping[str, Any], row: int) -> dict[str, Any]:
        more = {name: column.labels[code] for name, column in self.columns.items() if (code := column.codes[row]) >= 0}
        return {**{self._called(name, data): value for name, value in more.items()}, **data}

    def joined(self, table: Table, options: ReadOptions) -> MemoryTable:
        """Return a table with the other file's columns.

        A row without a match is refused; where bad rows are skipped, it lacks these columns, which decides about it.
        """
        key = Columns(table.columns, table.name).given(self.here)
        found = table.rows(list(table.columns))
        Check(table, found, "refuse").settle()
        names = found.columns[key]
        place_of = np.array([*(self.rows.get(label, MISSING) for label in names.labels), MISSING], dtype=np.int64)
        places = place_of[names.codes]
        texts = names.texts()
        self._refuse(places, lambda row: (texts[row], table.place(row)), options)
        more = {}
        for name, column in self.columns.items():
            codes = np.where(places == MISSING, MISSING, column.codes[places])
            more[self._called(name, found.columns)] = Coded(codes, column.labels)
        return MemoryTable(table.name, {**found.columns, **more})

    def _refuse(self, places: IntArray, tell: Callable[[int], tuple[str | None, str]], options: ReadOptions) -> None:
        """Refuse rows without a match, naming the first, unless bad rows are skipped; refuse them if all are."""
        lost = np.flatnonzero(places == MISSING)
        if not len(lost) or (options.on_error != "refuse" and len(lost) < len(places)):
            return
        key, where = tell(int(lost[0]))
        raise EvidenceError(
            f"{self.here} = {key!r} is not among the values of {self.there!r} in {self.name} ({len(lost):,} of "
            f"{len(places):,} rows have no match)",
            where=where,
            remedy=f"Check {spelling.option('on')}, or leave such rows out with {spelling.option('on_error', 'skip')}.",
        )

    def _called(self, name: str, taken: Mapping[str, Any]) -> str:
        """Return a column's name, with that of the file where this one has such a column, too."""
        return f"{self.name}.{name}" if name in taken else name
