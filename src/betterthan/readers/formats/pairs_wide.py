"""One judge per row, one column per pair of systems, as R's prefmod has it: V12, V13, V23, …"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, IntArray, spelling
from betterthan.engine import Coded, MemoryTable, Table, conditions
from betterthan.evidence import Check, Judgments, Kind, Reading, outcomes
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.order_texts import MOST_RANKINGS
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import index_column
from betterthan.readers.format import Recognition

_NAMED = re.compile(r"[Vv](\d)(\d)|[Vv](\d+)[._](\d+)")
#: Unambiguous numbers and their meaning; with 0 and 1 alone, either may be the first system or a tie.
_CODINGS: tuple[Mapping[float, str], ...] = ({1: "left", 0: "tie", -1: "right"}, {1: "left", 2: "right"})
_CODES = {-1.0, 0.0, 1.0, 2.0}
_ROLES = ("judge", "item", "dataset")


class PairColumnsFormat:
    """K (K − 1) / 2 columns in the order (1,2) (1,3) (2,3) (1,4) …; other columns are known of the judge."""

    name: ClassVar[str] = "pairs-wide"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "one judge per row and one column per pair of systems, as in R's prefmod: V12, V13, V23 …"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({*_ROLES, "pairs", "outcomes", "counts"})
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for a complete set of V12, V13, V23 … with three values at most."""
        if options.pairs:
            return Recognition(1.0, "the systems of pairs were named")
        named = _numbered(found.columns)
        if len(named) < 3:
            return None
        values = {value for column in named.values() for value in _values(found, column)}
        known = values <= _CODES or options.outcomes
        return Recognition(0.85, f"columns {', '.join(list(named.values())[:3])} …") if known else None

    def read(self, found: Table, options: ReadOptions) -> Judgments:
        """Read every cell as the judgment of one pair; a row that was seen n times is n judges."""
        columns = Columns.of(found, options)
        about = {role: name for role in _ROLES if (name := columns.role(role, getattr(options, role)))}
        counted = columns.counts(options.counts) if options.counts else None
        count = counted[0] if counted else columns.role("count")
        pairs, systems = _pairs(found, columns, options, {*about.values(), count})
        others = [name for name in found.columns if name not in {*pairs.values(), count}]
        rows = found.rows([*pairs.values(), *others, *([count] if count else [])])
        check = Check(found, rows, "refuse")
        times = _times(check, count, len(pairs))
        check.settle()
        cells = np.stack([rows.columns[column].codes for column in pairs.values()], axis=1)
        answered = np.stack([_answered(rows.columns[column]) for column in pairs.values()], axis=1)
        again = np.repeat(np.arange(len(cells)), times)
        row, place = np.nonzero(answered[again])
        lefts, rights = (np.array([pair[side] for pair in pairs], dtype=np.int64)[place] for side in (0, 1))
        words = _outcomes([rows.columns[column] for column in pairs.values()], options, found.name)
        held = {
            "left": Coded.relabel(lefts, systems),
            "right": Coded.relabel(rights, systems),
            "outcome": Coded.of(words[at][code] for at, code in zip(place, cells[again[row], place], strict=True)),
            "judge": _judges(rows.columns.get(about.get("judge", "")), again, row, repeated=bool(count)),
        }
        held |= {
            name: rows.columns[name].take(again[row]) for name in others if name not in {*held, about.get("judge")}
        }
        missing = int(np.sum(~answered[again]))
        findings = (
            [kinds.reading.UNSCORED.found(number=missing, why="the judge did not compare the pair")] if missing else []
        )
        told = {"pairs": tuple(pairs.values()), **about, "count": count or "", "of the judge": tuple(others)}
        roles = {role: role for role in ("left", "right", "outcome", "judge")}
        roles |= {role: about[role] for role in ("item", "dataset") if role in about}
        return Judgments(
            MemoryTable.of(held, found.name),
            roles,
            (),
            outcomes.parse_map(options.outcomes),
            options.on_error,
            reading=Reading.of(self.name, told, found.columns, findings, f"{len(systems)} systems"),
        )

    def example(self, folder: Path) -> Any:
        """Return four judges who compared three systems."""
        del folder
        return {"V12": [1, 1, -1, 0], "V13": [1, 0, 1, 1], "V23": [-1, 1, 1, -1], "AGE": [1, 2, 1, 2]}


def _numbered(columns: Sequence[str]) -> dict[tuple[int, int], str]:
    """Return the columns V12, V13, V23 … by pair, in order; none where a pair is missing."""
    found: dict[tuple[int, int], str] = {}
    for name in columns:
        if match := _NAMED.fullmatch(name.strip()):
            first, second = (int(number) for number in match.groups() if number)
            found.setdefault((first - 1, second - 1), name)
    size = max((second for _, second in found), default=-1) + 1
    wanted = _in_order(size)
    return {pair: found[pair] for pair in wanted} if set(found) == set(wanted) else {}


def _in_order(size: int) -> list[tuple[int, int]]:
    """Return all pairs as prefmod numbers them.

    >>> _in_order(4)
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    """
    return [(first, second) for second in range(1, size) for first in range(second)]


def _pairs(
    table: Table, columns: Columns, options: ReadOptions, taken: set[str | None]
) -> tuple[dict[tuple[int, int], str], list[str]]:
    """Return the column of every pair, and the systems' names."""
    named = _numbered(table.columns)
    size = max((second for _, second in named), default=-1) + 1
    systems = [str(name) for name in options.pairs or [str(number + 1) for number in range(size)]]
    if len(set(systems)) < max(len(systems), 2):
        raise EvidenceError(
            f"needs columns such as V12, V13, V23; its columns are {columns.listed()}"
            if not options.pairs
            else f"{spelling.option('pairs')} needs at least two different names, got {', '.join(systems)}",
            where=table.name,
            remedy=f"Name the systems in the order of the pairs with {spelling.option('pairs')}.",
        )
    if len(named) > 1 and len(systems) == size:
        return named, systems
    wanted = _in_order(len(systems))
    free = [name for name in table.columns if name not in taken and name != index_column(table)]
    if len(free) < len(wanted) or len(named) > 1:
        raise EvidenceError(
            f"{len(systems)} systems have {len(wanted)} pairs, but there are {len(named) or len(free)} columns of "
            "pairs",
            where=table.name,
            remedy=f"Name every system once with {spelling.option('pairs')}.",
        )
    return dict(zip(wanted, free[: len(wanted)], strict=True)), systems


def _values(table: Table, column: str) -> set[float]:
    return {
        _number(label) for label in table.distinct([column]).columns[column].labels if not conditions.is_absent(label)
    }


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return np.nan


def _answered(column: Coded) -> Any:
    there = np.array([*(not conditions.is_absent(label) for label in column.labels), False])
    return there[column.codes]


def _times(check: Check, count: str | None, pairs: int) -> IntArray:
    """Return the number of judges that every row represents."""
    if count is None:
        return np.ones(len(check.times), dtype=np.int64)
    counts = check.amounts(count, "count")
    check.refuse(
        "bad count",
        counts != np.round(counts),
        "the count {0} is not a whole number",
        "Counts say how many judges answered alike.",
        [count],
    )
    if counts.sum() * pairs > MOST_RANKINGS:
        raise EvidenceError(
            f"the counts add up to {counts.sum():,.0f} judges",
            where=check.table.name,
            allowed=f"at most {MOST_RANKINGS // pairs:,}",
        )
    return counts.astype(np.int64)


def _outcomes(columns: Sequence[Coded], options: ReadOptions, where: str) -> list[tuple[str, ...]]:
    """Return the meaning of every label of every column: the labels themselves if the user defines them."""
    if options.outcomes:
        return [column.labels for column in columns]
    labels = {label for column in columns for label in column.labels if not conditions.is_absent(label)}
    values = {_number(label) for label in labels}
    fitting = [coding for coding in _CODINGS if values <= coding.keys()]
    if len(fitting) != 1 and values != {1.0}:
        shown = ", ".join(sorted(labels)[:6])
        raise EvidenceError(
            f"cannot tell what the values {shown} of pairs mean",
            where=where,
            remedy=f"Say whether each means left, right or tie: {spelling.option('outcomes')}.",
        )
    if values in ({0.0, 1.0}, {0.0}):
        raise EvidenceError(
            "cannot tell whether 0 is a tie or one of the systems",
            where=where,
            remedy=f"Say whether each means left, right or tie: {spelling.option('outcomes')}.",
        )
    return [tuple(fitting[0].get(_number(label), label) for label in column.labels) for column in columns]


def _judges(named: Coded | None, again: IntArray, row: IntArray, *, repeated: bool) -> Coded:
    """Return the judge of every cell: as named, else the number of the row, or of its repetition."""
    if named is not None and not repeated:
        return named.take(again[row])
    return Coded.relabel(row, [str(number + 1) for number in range(len(again))])


FORMAT = PairColumnsFormat()
