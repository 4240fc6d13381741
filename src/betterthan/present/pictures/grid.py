"""Shared parts of matrix pictures: square cells, and labels that do not overlap."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import COLUMN, altair, letters

#: What labels need of a column of a paper.
_LABELS = 100


def cell_size(number: int, *, least: int = 3, most: int = 30, panels: int = 1) -> int:
    """Return the side of a cell, such that rows, columns and labels fit into one column if they can."""
    return max(least, min(most, (COLUMN - _LABELS) // (number * panels)))


def across(field: str, order: Sequence[str], cell: int, **axis: Any) -> Any:
    """Return columns in an order, named on top."""
    alt = altair()
    look = alt.Axis(
        orient="top",
        labelAngle=-90,
        domain=False,
        ticks=False,
        labelOverlap="parity",
        labelFontSize=letters(cell),
        labelLimit=_LABELS,
        **axis,
    )
    return alt.X(f"{field}:N", sort=list(order), title=None, axis=look)


def down(field: str, order: Sequence[str], cell: int, **axis: Any) -> Any:
    """Return rows in an order, named on the left."""
    alt = altair()
    look = alt.Axis(
        domain=False, ticks=False, labelOverlap="parity", labelFontSize=letters(cell), labelLimit=_LABELS, **axis
    )
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=look)
