"""Extra columns that `score` writes: metric directions, and item contributions to corpus-level scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Check

DIRECTION, PARTS = "direction", "parts"
#: By whether less is better.
DIRECTIONS = {False: "more is better", True: "less is better"}
_REMEDY = "Score the outputs again, or remove the column."


def written_parts(parts: FloatArray | None, size: int) -> list[str | None]:
    """Write the parts of every score (items × systems × numbers) as numbers with spaces between them.

    >>> written_parts(np.array([[[1.0, 2.5], [np.nan, np.nan]]]), 2)
    ['1 2.5', None]
    """
    if parts is None:
        return [None] * size
    rows = parts.reshape(size, -1)
    return [None if np.isnan(row[0]) else " ".join(map(_number, row.tolist())) for row in rows]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def computed_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of this kind that a table has: `parts` are those of `score` only together with a direction."""
    if DIRECTION not in names:
        return ()
    return (DIRECTION, PARTS) if PARTS in names else (DIRECTION,)


@dataclass(frozen=True)
class Computed:
    """Direction and parts of every row, if the table has them."""

    lower: BoolArray | None = None
    texts: Coded | None = None

    @classmethod
    def of(cls, check: Check, columns: Mapping[str, Coded]) -> "Computed":
        """Read the columns; a table that says something else in them means something else by them."""
        given = columns.get(DIRECTION)
        if given is None or not set(given.labels) <= set(DIRECTIONS.values()):
            return cls()
        check.refuse(
            "missing direction", given.codes == MISSING, "the direction is missing", "Say if more or less is better."
        )
        lower = np.array([label == DIRECTIONS[True] for label in (*given.labels, "")])[given.codes]
        texts = columns.get(PARTS)
        if texts is not None:
            wrong = np.array([not _good(label) for label in texts.labels] + [False])[texts.codes]
            check.refuse("bad parts", wrong, "the parts {0} are not numbers", _REMEDY, [PARTS])
        return cls(lower, texts)

    def is_lower(self, rows: IntArray) -> bool | None:
        """Return whether lower is better in these rows of one metric; None if unknown."""
        return None if self.lower is None else bool(np.any(self.lower[rows]))

    def arranged(self, rows: IntArray, item: IntArray, system: IntArray) -> FloatArray | None:
        """Return the parts of some rows as items × systems × numbers, None where there are none."""
        if self.texts is None or np.all(self.texts.codes[rows] == MISSING):
            return None
        values: list[Any] = [list(map(float, label.split())) for label in self.texts.labels]
        used = np.unique(self.texts.codes[rows])
        width = len(values[used[-1]])
        table = np.full((len(values) + 1, width), np.nan)
        for code in used[used != MISSING].tolist():
            if len(values[code]) != width:
                raise EvidenceError(
                    f"the parts {self.texts.labels[code]!r} are {len(values[code])} numbers, others {width}",
                    remedy=_REMEDY,
                )
            table[code] = values[code]
        places, row = np.unique(item[rows], return_inverse=True)
        systems, column = np.unique(system[rows], return_inverse=True)
        parts = np.full((len(places), len(systems), width), np.nan)
        parts[row, column] = table[self.texts.codes[rows]]
        return parts


def _good(label: str) -> bool:
    try:
        return bool(np.all(np.isfinite([float(part) for part in label.split()])))
    except ValueError:
        return False
