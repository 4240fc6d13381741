"""Repeated scores of an item made into one: their mean, the majority, the best, pass@k or pass^k."""

import re
from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, spelling

_TRIED = re.compile(r"pass([@^])([1-9]\d{0,3})")
_NAMES = ("mean", "majority", "best")


@dataclass(frozen=True)
class Reduction:
    """How repeated scores of an item become one.

    `pass@k` is the chance that one of k attempts is right, and `pass^k` the chance that all are. Both are estimated
    without bias from all attempts that there are (Chen et al. 2021; Yao et al. 2024).
    """

    name: str
    tries: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a reduction.

        >>> Reduction.of("pass@3")
        Reduction(name='pass@', tries=3)
        """
        if text in _NAMES:
            return cls(text)
        if (found := _TRIED.fullmatch(text)) is None:
            raise PlanError(
                f"{spelling.option('reduce')} must be {', '.join(_NAMES)}, pass@k or pass^k (such as pass@3), "
                f"got {text!r}."
            )
        return cls(f"pass{found[1]}", int(found[2]))

    def __str__(self) -> str:
        return f"{self.name}{self.tries or ''}"

    def reduced(self, cell: IntArray, scores: FloatArray, cells: int, where: str, *, lower: bool) -> FloatArray:
        """Return one score for each cell, NaN where it has none; of scores as they are held, where more is better."""
        number = np.bincount(cell, minlength=cells)
        if self.name == "best":
            found = np.full(cells, -np.inf)
            np.maximum.at(found, cell, scores)
            return np.where(number > 0, found, np.nan)
        if self.name == "majority":
            return _majority(cell, scores, number)
        if lower or not np.all((scores == 0) | (scores == 1)):
            raise EvidenceError(
                f"{self} counts right answers, and these scores are not 1 for right and 0 for wrong",
                where=where,
                remedy=f"Name a column of 0 and 1, or use {spelling.option('reduce', 'mean')}.",
            )
        if np.any(few := (number > 0) & (number < self.tries)):
            raise EvidenceError(
                f"{self} needs {self.tries} attempts at every item; {int(few.sum()):,} items of a system have fewer",
                where=where,
                remedy=f"Use {spelling.option('reduce', f'{self.name}{int(number[number > 0].min())}')}, or leave such "
                "items out.",
            )
        right = np.bincount(cell, scores, cells).round().astype(np.int64)
        counted = right if self.name == "pass^" else number - right
        kinds, place = np.unique(np.stack([counted, number]), axis=1, return_inverse=True)
        chances = np.array([comb(int(of), self.tries) / max(comb(int(all_), self.tries), 1) for of, all_ in kinds.T])
        all_alike = chances[place.ravel()]
        return np.where(number > 0, all_alike if self.name == "pass^" else 1 - all_alike, np.nan)


def _majority(cell: IntArray, scores: FloatArray, number: IntArray) -> FloatArray:
    """Return the most frequent score of each cell, and the mean of those that are equally frequent."""
    values, code = np.unique(scores, return_inverse=True)
    times = np.zeros((len(number), len(values)))
    np.add.at(times, (cell, code.ravel()), 1)
    most = times == times.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(number > 0, (most * values).sum(axis=1) / most.sum(axis=1), np.nan)
