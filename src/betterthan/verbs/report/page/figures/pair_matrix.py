"""The matrix of all pairs: row against column, shaded by win rate or difference, pale where not significant."""

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.present import short
from betterthan.verbs.compare import AllPairs

#: Shades on either side of even.
_SHADES = 5
#: Numbers are legible up to this number of systems.
_WRITTEN = 16
#: The side of a cell in rem, up to a number of systems.
_SIDES = ((_WRITTEN, 2.6), (30, 1.4), (60, 0.9), (120, 0.4))
#: From this side of a cell on, names next to it are legible.
_LEGIBLE = 0.9


@dataclass(frozen=True)
class Shade:
    """All cells of one colour, as runs of cells in rows."""

    name: str
    path: str


@dataclass(frozen=True)
class Matrix:
    """Cells by their shade, numbers if there is room, and a legend of both."""

    systems: tuple[str, ...]
    shades: tuple[Shade, ...]
    numbers: tuple[tuple[float, float, str], ...]
    caption: str
    ends: tuple[str, str]

    @property
    def cell(self) -> float:
        """The side of a cell in rem: the more systems, the smaller."""
        return next((side for most, side in _SIDES if len(self.systems) <= most), 0.25)

    @property
    def named(self) -> bool:
        """Whether names next to the cells are legible."""
        return self.cell >= _LEGIBLE

    @staticmethod
    def of(pairs: AllPairs) -> "Matrix":
        """Shade a pair's own win rate where the model expects one, else the model's difference."""
        return Matrix._shaded(pairs, pairs.share if pairs.expected else pairs.values, "Win rate")

    @staticmethod
    def by_model(pairs: AllPairs) -> "Matrix":
        """Shade what the model expects of a pair, or its difference."""
        return Matrix._shaded(pairs, pairs.values, f"Chance of a win by {pairs.model}")

    @staticmethod
    def _shaded(pairs: AllPairs, values: FloatArray, share: str) -> "Matrix":
        middle = 0.5 if pairs.shares else 0.0
        reach = float(np.nanmax(np.abs(np.where(np.eye(len(values)), np.nan, values) - middle), initial=0.0)) or 0.5
        off = (values - middle) / reach
        there = np.nan_to_num(off)
        step: IntArray = (np.sign(there) * np.ceil(np.abs(there) * _SHADES - 1e-9)).astype(np.int64)
        step[np.isnan(off) | np.eye(len(off), dtype=bool)] = _SHADES + 1  # no shade
        return Matrix(
            pairs.systems,
            tuple(_shades(step, pairs.significant)),
            tuple(_numbers(values, middle, reach)),
            _caption(pairs, share),
            _ends(pairs.shares, reach),
        )


def _shades(step: IntArray, significant: BoolArray) -> list[Shade]:
    found = []
    for shade in range(-_SHADES, _SHADES + 1):
        for pale in (False, True):
            path = _runs((step == shade) & (significant != pale))
            if path:
                side = "even" if shade == 0 else ("up" if shade > 0 else "down") + str(abs(shade))
                found.append(Shade(f"{side} pale" if pale else side, path))
    return found


def _runs(marked: BoolArray) -> str:
    """Return a path through the marked cells, one stroke per run of cells in a row.

    >>> _runs(np.array([[True, True, False], [False, False, True]]))
    'M0 0h2M2 1h1'
    """
    edges = np.diff(np.pad(marked.astype(int), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    return "".join(f"M{start} {row}h{end - start}" for row, start, end in zip(rows, starts, ends, strict=True))


def _numbers(values: FloatArray, middle: float, reach: float) -> list[tuple[float, float, str]]:
    """Return the centre and text of every cell, where there are few."""
    size = len(values)
    if size > _WRITTEN:
        return []
    digits = max(0, 1 - floor(log10(reach)))

    def text(value: float) -> str:
        return f"{100 * value:.0f}" if middle else short(value, digits)

    return [
        (column, row, text(values[row, column]))
        for row in range(size)
        for column in range(size)
        if row != column and not np.isnan(values[row, column])
    ]


def _caption(pairs: AllPairs, share: str) -> str:
    named = share if pairs.expected else "Win rate"
    what = f"{named} in per cent (ties half)" if pairs.shares else f"Difference by {pairs.model}"
    return f"{what} of the row's system against the column's. Pale cells: not significant ({pairs.tested})."


def _ends(shares: bool, reach: float) -> tuple[str, str]:
    """Return the meaning of the ends of the colour scale."""
    if shares:
        return f"{100 * (0.5 - reach):.0f} %", f"{100 * (0.5 + reach):.0f} %"
    digits = max(0, 1 - floor(log10(reach)))
    return f"−{reach:.{digits}f}", f"+{reach:.{digits}f}"
