"""Wide tables: one column of numbers per system."""

from collections.abc import Sequence

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.table import OnError, Table
from betterthan.evidence.check import Check
from betterthan.evidence.numbers import numbers


def read_wide(
    table: Table, systems: Sequence[str], others: Sequence[str], *, on_error: OnError, what: str, remedy: str
) -> tuple[Check, FloatArray]:
    """Return the numbers (rows × systems, NaN where there is none) and the check that refused what is no number."""
    distinct = table.rows([*systems, *others])
    check = Check(table, distinct, on_error)
    cells = []
    for system in systems:
        given = numbers(distinct.columns[system])
        message = f"the {what} {{0}} of {system!r} is not a finite number"
        check.refuse(f"bad {what}", given.wrong, message, remedy, [system])
        cells.append(given.values)
    return check, np.stack(cells, axis=1)
