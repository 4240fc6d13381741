"""Parse numbers from text: valid, missing or invalid."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.engine import MISSING, Coded, conditions

#: Squares of larger numbers are no numbers any more.
LARGEST = 1e100
#: Third powers of smaller numbers are 0, even of differences in their last digits.
SMALLEST = 1e-90
#: Words that stand for right and for wrong. People who fill in a table together use several of them.
_RIGHT = {
    word
    for words in (
        "true yes y ja j oui si sí wahr vrai verdadero vero",
        "pass passed correct right richtig ok success resolved solved",
        "✓ ✔ ✔️ ✅ 1",
    )
    for word in words.split()
}
_WRONG = {
    word
    for words in (
        "false no n nein non falsch faux falso",
        "fail failed incorrect wrong failure unresolved unsolved",
        "✗ ✘ ✖ ✖️ ❌ 0",
    )
    for word in words.split()
}
#: A cross is a word for right where others are, and no tick says that a cross is wrong.
_CROSS, _TICKS = "x", frozenset("✓✔✅")


@dataclass(frozen=True)
class Numbers:
    """A numeric column: the values, and the rows where they are missing or invalid."""

    values: FloatArray
    missing: BoolArray
    wrong: BoolArray

    @property
    def none(self) -> bool:
        """Whether there is no number at all."""
        return bool(np.all(self.missing | self.wrong))


def numbers(column: Coded, *, words: bool = False) -> Numbers:
    """Read a coded column as numbers; each distinct text is parsed once.

    With `words`, a column that holds only words for right and wrong, such as yes and no, is one of 1 and 0.
    """
    if words and (meanings := _right_wrong(column.labels)):
        known = np.array([*(meanings.get(label.strip().casefold(), np.nan) for label in column.labels), np.nan])
        return Numbers(known[column.codes], np.isnan(known)[column.codes], np.zeros(len(column.codes), dtype=bool))
    values = np.full(len(column.labels) + 1, np.nan)
    missing = np.zeros(len(values), dtype=bool)
    wrong = np.zeros(len(values), dtype=bool)
    missing[MISSING] = True
    for place, label in enumerate(column.labels):
        try:
            values[place] = float(label)
        except ValueError:
            missing[place] = conditions.is_absent(label)
            wrong[place] = not missing[place]
        else:
            missing[place] = np.isnan(values[place])
            wrong[place] = abs(values[place]) > LARGEST
    return Numbers(values[column.codes], missing[column.codes], wrong[column.codes])


def _right_wrong(labels: Sequence[str]) -> dict[str, float]:
    """Return 1 and 0 by word where a column holds only words for right and wrong, else nothing."""
    present = {label.strip().casefold() for label in labels if not conditions.is_absent(label)}
    right, wrong = present & _RIGHT, present & _WRONG
    if _CROSS in present and wrong - {"0"} and right - {"1"} and not right & _TICKS:
        right = right | {_CROSS}
    # Numbers alone are read as numbers, and a word may well be an answer: then the others are of other kinds.
    if present != right | wrong or present <= {"0", "1"}:
        return {}
    return {**dict.fromkeys(right, 1.0), **dict.fromkeys(wrong, 0.0)}
