"""Row checks: each bad row is refused once, for the first problem found."""

import re
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, spelling
from betterthan.engine import MISSING, Coded, Distinct, OnError, Table
from betterthan.evidence.rows.account import Account, Fault, Refusal, settle
from betterthan.evidence.rows.text_numbers import numbers

if TYPE_CHECKING:
    from betterthan.evidence.rows.source_rows import SourceRows

_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+\s*")
#: Sums of larger weights or counts would lose the small ones to rounding.
_LARGEST = 1e12


def moment_of(text: str) -> float:
    """Return a date as seconds, NaN for other values; a date without a zone is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return float("nan")
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


class Check:
    """Collects the faults of one table's distinct rows."""

    def __init__(self, table: Table, distinct: Distinct, on_error: OnError) -> None:
        self.table = table
        self.columns = distinct.columns
        self.times = distinct.times
        self.on_error = on_error
        self._in_order = distinct.one_by_one and table.ordered
        self.bad = np.zeros(len(distinct.times), dtype=bool)
        self._read = int(distinct.times.sum()) + distinct.unparsable
        self._faults: list[Fault] = []
        self._marked: list[tuple[str, BoolArray]] = []
        for name, column in distinct.columns.items():
            if "\x00" in "".join(column.labels):
                raise EvidenceError(
                    f"the column {name!r} holds a NUL character, so the file is damaged or no text",
                    where=table.name,
                    remedy="Write the file again.",
                )
        if distinct.unparsable:
            where = distinct.unparsable_example or table.name
            self._faults.append(Fault("unreadable line", distinct.unparsable, where, "the line cannot be read", ""))

    def refuse(
        self,
        reason: str,
        wrong: BoolArray,
        what: str,
        remedy: str,
        columns: Iterable[str] = (),
        *,
        expected: bool = False,
        unclear: bool = False,
    ) -> None:
        """Refuse the rows marked. `{0}`, `{1}` … in `what` are the first bad row's values of `columns`."""
        fresh = wrong & ~self.bad
        if not np.any(fresh):
            return
        self.bad |= fresh
        self._marked.append((reason, fresh))
        rows = np.flatnonzero(fresh)
        row = int(rows[0])
        if not self._in_order:
            # Distinct rows come in any order: the example is the first by its values, so that a message never changes.
            codes = [column.codes[rows] for column in self.columns.values()]
            row = int(rows[np.lexsort(codes[::-1])[0]])
        values = {column: self._text(column, row) for column in columns}
        shown = ["(missing)" if text is None else repr(text) for text in values.values()]
        # Looking the row up may cost another pass: only when it stops the run.
        where = self._where(row) if self.on_error == "refuse" and not expected else self.table.name
        for place, text in enumerate(shown):
            what = what.replace(f"{{{place}}}", text)  # not format(): names may contain braces
        comma = any(_DECIMAL_COMMA.fullmatch(text) for text in values.values() if text is not None)
        if comma and reason.startswith("bad"):
            remedy = (
                f"It has a decimal comma: if all numbers of the file have one, use {spelling.option('decimal', ',')}; "
                "if some have a decimal point, write all alike."
            )
        fault = Fault(reason, int(self.times[fresh].sum()), where, what, remedy, expected, unclear, skippable=not comma)
        self._faults.append(fault)

    def amounts(self, column: str, what: str) -> FloatArray:
        """Return a column of weights or counts; values other than finite numbers of at least 0 are refused."""
        given = numbers(self.columns[column])
        wrong = given.missing | given.wrong | ~((given.values >= 0) & (given.values <= _LARGEST))
        self.refuse(
            f"bad {what}",
            wrong,
            f"the {what} {{0}} in column {column!r} is not a number from 0 to a trillion",
            f"Give every row a {what}, 0 where it should not count.",
            [column],
        )
        return np.where(wrong, 0.0, given.values)

    def chances(self, column: str) -> FloatArray:
        """Return a column of chances; values not above 0 and at most 1 are refused."""
        given = numbers(self.columns[column])
        wrong = given.missing | given.wrong | ~((given.values > 0) & (given.values <= 1))
        self.refuse(
            "bad propensity",
            wrong,
            f"the chance {{0}} in column {column!r} is not above 0 and at most 1",
            "Give every row the chance with which its comparison was chosen.",
            [column],
        )
        return np.where(wrong, 0.0, given.values)

    def moments(self, column: str) -> FloatArray:
        """Return a column of times as places in their order; values other than numbers and dates are refused."""
        coded = self.columns[column]
        values = numbers(Coded(np.arange(len(coded.labels)), coded.labels)).values
        rows = np.bincount(coded.codes[coded.codes != MISSING], minlength=len(values))
        if not np.all(np.isfinite(values)):
            dates = np.array([moment_of(label) for label in coded.labels])
            # What most rows are decides; the others are mistakes.
            values = dates if rows[np.isfinite(dates)].sum() > rows[np.isfinite(values)].sum() else values
        good = np.isfinite(values)
        self.refuse(
            "bad time",
            ~np.append(good, False)[coded.codes],
            f"the time {{0}} in column {column!r} is neither a number nor a date",
            "Times are numbers, or dates such as 2026-05-31T18:30:00. Models can also use order=file.",
            [column],
        )
        # Nanoseconds are more digits than a float has: texts of one length have their own order.
        alike = len({len(label) for label in coded.labels}) == 1
        order = np.lexsort((np.arange(len(values)), values))
        later = np.diff(values[order], prepend=-np.inf) > 0 if not alike else np.ones(len(values), dtype=bool)
        places = np.full(len(values) + 1, np.nan)
        places[order] = np.cumsum(later)
        return places[coded.codes]

    def source(self, row: IntArray, of: IntArray, used: Collection[str]) -> "SourceRows | None":
        """Return the rows that rankings or items come from, if the table has columns in addition to those used.

        Rows that come in any order cannot be found again.
        """
        from betterthan.evidence.rows.source_rows import SourceRows  # noqa: PLC0415 (judgments ask their own table)

        more = self._in_order and not set(self.table.columns) <= set(used)
        return SourceRows(self.table, row, of, len(self.times)) if more else None

    def settle(self) -> Account:
        """Stop or continue as `on_error` says, with every row accounted for."""
        return settle(self._faults, self._read, self.on_error, self.table.name)

    def account(self, rows: BoolArray) -> Account:
        """Return the account of some of the rows, such as those of one data set."""
        refused = ((reason, int(self.times[marked & rows].sum())) for reason, marked in self._marked)
        return Account(int(self.times[rows].sum()), tuple(Refusal(reason, lost) for reason, lost in refused if lost))

    def _where(self, row: int) -> str:
        return self.table.place(row) if self._in_order else self.table.locate(self._row(row))

    def _row(self, row: int) -> dict[str, str | None]:
        return {column: self._text(column, row) for column in self.columns}

    def _text(self, column: str, row: int) -> str | None:
        code = int(self.columns[column].codes[row])
        return None if code == MISSING else self.columns[column].labels[code]
