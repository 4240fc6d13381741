"""Numbers out of coded text: which are good, which are missing, which are no numbers at all."""

from dataclasses import dataclass

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.engine.conditions import is_absent
from betterthan.engine.table import MISSING, Coded

__all__ = ["Numbers", "is_absent", "numbers"]


@dataclass(frozen=True)
class Numbers:
    """A numeric column: the values, and the rows where there is none or where the text is no finite number."""

    values: FloatArray
    missing: BoolArray
    wrong: BoolArray


def numbers(column: Coded) -> Numbers:
    """Read a coded column as numbers; each distinct text is parsed once."""
    values = np.full(len(column.labels) + 1, np.nan)
    missing = np.zeros(len(values), dtype=bool)
    wrong = np.zeros(len(values), dtype=bool)
    missing[MISSING] = True
    for place, label in enumerate(column.labels):
        try:
            values[place] = float(label)
        except ValueError:
            missing[place] = is_absent(label)
            wrong[place] = not missing[place]
        else:
            missing[place] = np.isnan(values[place])
            wrong[place] = np.isinf(values[place])
    return Numbers(values[column.codes], missing[column.codes], wrong[column.codes])
