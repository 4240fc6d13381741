"""A square table of wins: the rows and the columns are the same systems, and a cell counts wins of the row."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, FloatArray, spelling
from betterthan.engine import Coded, MemoryTable, Table
from betterthan.evidence import Judgments, Kind, Reading, text_numbers
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.columns.wide_tables import look
from betterthan.readers.format import Recognition

#: Larger tables are no matrices of systems.
_MOST = 1_000
#: What files and corners of win matrices are called.
_CALLED_WINS = re.compile(
    r"win|won|beat|victor|cited|citation|head.?to.?head|h2h|versus|pairwise|prefer", re.IGNORECASE
)
#: What they are called where a cell counts losses of its row, and where it counts neither.
_CALLED_LOSSES = re.compile(r"\b(los(e|es|s|ses|t|er|ers|ing)|defeats?|defeated|beaten)\b")
_CALLED_ELSE = re.compile(r"\b(actual|true|truth|gold|label|predicted|prediction|pred|confusions?|corr\w*|distance)\b")
#: What divides the names of rows and of columns in a corner: winner / loser.
_CORNER = re.compile(r"[\\/|]|\bvs\b|→|->|↓")
#: How far shares of both sides may be from a sum of 1 or 100, as a share of it.
_ROUNDED = 0.02


@dataclass(frozen=True)
class _Matrix:
    """A square of numbers; cells that are empty are NaN."""

    labels: str  # the column that names the rows
    systems: tuple[str, ...]
    cells: FloatArray

    @property
    def between(self) -> FloatArray:
        """The cells without the diagonal."""
        return np.where(np.eye(len(self.systems), dtype=bool), np.nan, self.cells)


class WinMatrixFormat:
    """A row and a column per system, named alike; a cell says how often its row won against its column."""

    name: ClassVar[str] = "win-matrix"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = (
        "a row and a column per system: how often the system of the row won against that of the column"
    )
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset()
    surest: ClassVar[float] = 0.78

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for the same names in rows and columns."""
        if options.systems or options.score or not _may_be_square(found, options) or _square(found) is None:
            return None
        return Recognition(0.78, "rows and columns have the same names")

    def read(self, found: Table, options: ReadOptions) -> Judgments:
        """Read every cell as that number of wins of the row; refuse squares that hold something else."""
        matrix = _square(found)
        if matrix is None:
            raise EvidenceError(
                f"rows and columns do not have the same names; its columns are {Columns(found.columns, '').listed()}",
                where=found.name,
                remedy="A matrix of wins has a row and a column per system, and counts in its cells.",
            )
        names = f"rows and columns have the same {len(matrix.systems)} names"
        if why := _other_content(matrix):
            remedy = "Give judgments, or how often each system won against each other."
            raise EvidenceError(f"{names}, but {why}", where=found.name, remedy=remedy)
        if options.format is None and options.kind is None and _CALLED_ELSE.search(_words(matrix.labels)):
            raise EvidenceError(
                f"{names}, but {matrix.labels!r} says that its cells count something else than wins",
                where=found.name,
                remedy=f"If its cells count wins of the row, read it with {spelling.option('format', self.name)}.",
            )
        losses = _counts_losses(matrix, found.name)
        if losses:
            matrix = replace(matrix, cells=matrix.cells.T)
        if options.format is None and options.kind is None and _may_be_other(matrix, found.name):
            raise EvidenceError(
                f"{names}, but its diagonal holds counts, as a table of confusions does",
                where=found.name,
                remedy=f"If its cells count wins of the row, read it with {spelling.option('format', self.name)}.",
            )
        rows, columns = np.nonzero(np.nan_to_num(matrix.between) > 0)
        held: dict[str, Any] = {
            "winner": Coded.relabel(rows, matrix.systems),
            "loser": Coded.relabel(columns, matrix.systems),
            "wins": matrix.cells[rows, columns].astype(np.int64),
        }
        told = {"winner": matrix.labels, "loser": matrix.systems, "wins": "cells"}
        example = f"{matrix.systems[rows[0]]} won {held['wins'][0]:,} times against {matrix.systems[columns[0]]}"
        side = "losses" if losses else "wins"
        findings = [kinds.reading.ROWS_WIN.found(side=side, example=example)]
        return Judgments(
            MemoryTable.of(held, found.name),
            {"left": "winner", "right": "loser"},
            ("wins",),
            {},
            options.on_error,
            reading=Reading.of(self.name, told, found.columns, findings, f"{len(matrix.systems)} systems"),
        )

    def example(self, folder: Path) -> Any:
        """Return the wins of three systems against each other."""
        del folder
        return {"wins": ["owl", "yak", "elk"], "owl": [0, 2, 1], "yak": [5, 0, 2], "elk": [4, 3, 0]}


def _may_be_square(table: Table, options: ReadOptions) -> bool:
    """Whether a table has as many rows as columns of numbers, by the scan that all wide tables need."""
    names = table.columns
    others = Columns(names[1:], table.name)
    if not 3 <= len(names) <= _MOST or any(others.role(role) for role in ("system", "score", "rank", "outcome")):
        return False
    return len(look(table, options).rows.times) == len(names) - 1


def _square(table: Table) -> _Matrix | None:
    """Return the square that a table is, None if it is none: its first column has the names of all others."""
    first, *systems = table.columns
    found = table.rows(table.columns)
    rows = len(found.times)
    if rows != len(systems) or rows < 2:
        return None
    labels = [str(text) for text in found.columns[first].texts()]
    if {label.strip() for label in labels} != {name.strip() for name in systems} or labels == [
        str(n) for n in range(rows)
    ]:
        return None
    place = {label.strip(): row for row, label in enumerate(labels)}
    order = [place[name.strip()] for name in systems]
    cells = [text_numbers.numbers(found.columns[name]) for name in systems]
    values = np.stack([np.where(each.wrong, np.inf, each.values) for each in cells], axis=1)[order]
    if np.any(np.isinf(np.where(np.eye(len(systems), dtype=bool), np.nan, values))):
        return None
    return _Matrix(first, tuple(name.strip() for name in systems), values)


def _other_content(matrix: _Matrix) -> str | None:
    """Return what a square holds if that is no counts of wins."""
    between = matrix.between
    both = between + between.T
    there = ~np.isnan(both)
    if np.any(between < 0):
        return "there are negative numbers, so its cells are no counts of wins"
    for whole in (1.0, 100.0):
        if np.any(there) and np.all(np.abs(both[there] - whole) <= _ROUNDED * whole) and not _whole(between):
            return "its cells are shares of wins: how many comparisons each is based on is missing"
    if not _whole(between):
        return "its cells are no whole numbers, as similarities or distances"
    if not np.any(between > 0):
        return "no cell counts a win"
    if np.array_equal(between, between.T, equal_nan=True):
        return "it is symmetric, as similarities, distances and numbers of comparisons are"
    return None


def _may_be_other(matrix: _Matrix, name: str) -> bool:
    """Whether the diagonal is filled, as in a table of confusions, and nothing is called wins."""
    diagonal = np.nan_to_num(np.diag(matrix.cells), posinf=0.0)
    called = _CALLED_WINS.search(matrix.labels) or _CALLED_WINS.search(name.replace("\\", "/").rsplit("/", 1)[-1])
    return bool(np.any(diagonal > 0)) and not called


def _words(name: str) -> str:
    return normal(name).replace("_", " ")


def _counts_losses(matrix: _Matrix, name: str) -> bool:
    """Whether cells count losses of their row, as the corner says, else the name of the file."""
    rows, *columns = map(_words, _CORNER.split(matrix.labels))
    if columns:
        return bool(_CALLED_LOSSES.search(rows)) and not _CALLED_LOSSES.search(" ".join(columns))
    for called in (rows, _words(name.replace("\\", "/").rsplit("/", 1)[-1].partition(".")[0])):
        if _CALLED_LOSSES.search(called) and not _CALLED_WINS.search(called):
            if re.search(r"\bdefeats?\b", called):
                raise EvidenceError(
                    f"rows and columns have the same names, but {called!r} does not say whether a row won or lost",
                    where=name,
                    remedy="Call the corner of the table 'wins' or 'losses', for what its rows have.",
                )
            return True
    return False


def _whole(values: FloatArray) -> bool:
    return bool(np.all(np.isnan(values) | (values == np.round(values))))


FORMAT = WinMatrixFormat()
