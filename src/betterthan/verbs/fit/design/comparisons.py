"""The comparisons that a model is fitted to: distinct ones, with outcomes and covariates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import PairCounts
from betterthan.engine import Coded
from betterthan.evidence import COVARIATE, LEFT, RIGHT, TIE, Account, Judgments, Tally, text_numbers
from betterthan.models import formulas, standard_errors
from betterthan.readers import Columns, with_columns

#: From that many comparisons on, it is first seen whether any two are alike.
_MANY = 100_000


@dataclass(frozen=True)
class Comparisons:
    """Cells of the crossed table: the systems on both sides, outcome counts, and covariates.

    `outcomes` count weights and `number` judgments. `contrast` is what differs between the sides, as evaluated.
    `weight` is that of every judgment, None where they differ; `rows` are the judgments themselves, where errors need
    them.
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcomes: FloatArray  # 3 × cells
    columns: Mapping[str, Coded | FloatArray]
    contrast: formulas.Terms
    number: FloatArray  # judgments by outcome
    weight: float | None
    rows: standard_errors.JudgedRows | None
    account: Account
    data: str  # the digest of the data set, without judgments that lack an outcome
    name: str

    def treated(self, ties: str) -> "Comparisons":
        """Drop or split ties, where they are not an outcome of their own; cells without judgments are left out."""
        outcomes, number, rows = standard_errors.split_ties(self.outcomes, ties), self.number, self.rows
        if ties == "drop":
            number = number * [1.0, 0.0, 1.0]
            rows = rows.take(np.flatnonzero(rows.outcome != TIE)) if rows else None
        used = outcomes.sum(axis=0) > 0
        if np.all(used):  # millions of comparisons stay where they are
            return replace(self, outcomes=outcomes, number=number, rows=rows)
        kept = np.flatnonzero(used)
        return replace(
            self,
            left=self.left[kept],
            right=self.right[kept],
            outcomes=outcomes[:, kept],
            number=number,
            columns={name: take(column, kept) for name, column in self.columns.items()},
            contrast=self.contrast.picked(self.contrast.names, self.contrast.matrix[kept]),
            rows=replace(rows, cell=(np.cumsum(used) - 1)[rows.cell]) if rows else None,
        )


def collect(
    judgments: Judgments,
    subject: Sequence[str],
    contrast: str | None,
    by: Sequence[str],
    units: Sequence[str],
    *,
    sided: bool,
) -> Comparisons:
    """Read judgments with these columns; `sided` keeps left and right apart, and missing outcomes are left out."""
    differing = formulas.variables(contrast)
    every = [*subject, *differing, *by, *units]
    table = with_columns(judgments.table, [name for name in every if name not in judgments.roles])
    judgments = judgments if table is judgments.table else replace(judgments, table=table)
    names = Columns(judgments.table.columns, judgments.table.name)
    column_of = {name: column_called(judgments, names, name) for name in dict.fromkeys(every)}
    numeric = _numeric(judgments, sorted({column_of[name] for name in differing}))
    as_numbers = {name for name in differing if column_of[name] in numeric and name not in units}
    coded = sorted({column for name, column in column_of.items() if name not in as_numbers})
    roles = {**judgments.roles, **{COVARIATE + column: column for column in coded}}
    tally = replace(judgments, roles=roles, unanswered="skip").tally(
        *(COVARIATE + column for column in coded), numbers=tuple(sorted(numeric))
    )
    # Who judged, and what, are names even where they look like numbers.
    ids = {judgments.roles[role] for role in ("judge", "item", "ranking") if role in judgments.roles}
    columns: dict[str, Coded | FloatArray] = {}
    for name, column in column_of.items():
        if name in as_numbers:
            columns[name] = tally.numbers[column]
        else:
            unit = tally.units[COVARIATE + column]
            columns[name] = unit if column in ids else typed(unit)
    terms = formulas.nothing(len(tally.left))
    if contrast is not None:
        terms = formulas.evaluate(
            contrast, {name: columns[name] for name in differing}, len(tally.left)
        ).without_intercept()
    kept = [name for name in column_of if name in {*subject, *by}]
    hanging = {name: tally.units[COVARIATE + column_of[name]] for name in units}
    return _grouped(tally, {name: columns[name] for name in kept}, terms, hanging, judgments.table.name, sided=sided)


def _numeric(judgments: Judgments, columns: Sequence[str]) -> set[str]:
    """Return the columns that hold numbers only."""
    if not columns:
        return set()
    return {name for name, yes in zip(columns, judgments.table.numeric(columns), strict=True) if yes}


def column_called(judgments: Judgments, names: Columns, name: str) -> str:
    """Return the column that a name in a formula means: one of the table, or the one with that role."""
    if name in names.names:
        return name
    return judgments.roles.get(name) or names.given(name)


def _grouped(
    tally: Tally,
    columns: Mapping[str, Coded | FloatArray],
    contrast: formulas.Terms,
    units: Mapping[str, Coded],
    name: str,
    *,
    sided: bool,
) -> Comparisons:
    """Put equal comparisons together, sides exchanged where they do not matter."""
    turned = np.zeros(len(tally.left), dtype=bool) if sided else tally.left > tally.right
    left, right = np.where(turned, tally.right, tally.left), np.where(turned, tally.left, tally.right)
    outcome = np.where(turned, (LEFT + RIGHT) - tally.outcome, tally.outcome)
    # What differs between the sides has the other sign where they are exchanged.
    differing = np.where(turned, -1.0, 1.0)[:, None] * contrast.matrix
    parts = [left, right, *(column.codes if isinstance(column, Coded) else column for column in columns.values())]
    first, cell = _alike(_keys([*parts, *differing.T]))
    cells = int(cell.max()) + 1
    amount = tally.times * tally.weight
    outcomes: FloatArray = np.bincount(outcome * cells + cell, amount, 3 * cells).astype(np.float64).reshape(3, cells)
    number: FloatArray = np.bincount(outcome, tally.times, 3).astype(np.float64)
    equal = bool(np.all(tally.weight == tally.weight[0]))
    apart = standard_errors.JudgedRows(cell, outcome, tally.times, tally.weight, units) if units or not equal else None
    return Comparisons(
        tally.systems,
        left[first],
        right[first],
        outcomes,
        {name: take(column, first) for name, column in columns.items()},
        contrast.picked(contrast.names, differing[first]),
        number,
        float(tally.weight[0]) if equal else None,
        apart,
        tally.account,
        PairCounts.of(tally).digest(),
        name,
    )


def _keys(columns: Sequence[NDArray[Any]]) -> NDArray[np.uint64]:
    """Return one number per row, the same for equal rows."""
    key = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        floating = np.issubdtype(column.dtype, np.floating)
        # One zero only, and contiguous to be seen as bits.
        key = _mixed(key, np.ascontiguousarray(column + 0.0).view(np.uint64) if floating else column.astype(np.uint64))
    return key


def _alike(key: NDArray[np.uint64]) -> tuple[IntArray | slice, IntArray]:
    """Return the first of each group of equal rows, in an order that rows do not change, and every row's group.

    Where many rows are all different they stay as they are: to put them in order would take longer than to fit them.
    """
    if len(key) > _MANY:
        line = np.sort(key)
        if not np.any(line[1:] == line[:-1]):
            return slice(None), np.arange(len(key))
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group.ravel()


def _mixed(key: Any, values: Any) -> Any:
    """Mix a column into a key of 64 bits: rows that differ get the same one with a chance that can be forgotten."""
    with np.errstate(over="ignore"):
        key = (key ^ values) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
        return key * np.uint64(0xD6E8FEB86659FD93)


def typed(column: Coded) -> Coded | FloatArray:
    """Return numbers where all values are numbers, else categories."""
    read = text_numbers.numbers(column)
    return column if np.any(~np.isfinite(read.values)) else read.values


def take(column: Coded | FloatArray, rows: IntArray | slice) -> Coded | FloatArray:
    """Return some rows of a column."""
    return column.take(rows) if isinstance(column, Coded) else column[rows]
