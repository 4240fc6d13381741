"""Several pictures stacked vertically as one."""

from collections.abc import Mapping, Sequence
from typing import Any

from betterthan.present.pictures.picture import Picture, altair, finished

#: What only a whole picture can have.
_OF_THE_WHOLE = ("config", "autosize", "padding")


def draw(pictures: Sequence[Picture], columns: Mapping[str, Sequence[Any]], title: str = "") -> Picture:
    """Put pictures below each other, each with colours of its own; `columns` are the numbers behind all of them."""
    alt = altair()
    charts = []
    for picture in pictures:
        chart = picture.chart.copy(deep=False)
        for name in _OF_THE_WHOLE:
            chart._kwds.pop(name, None)
        charts.append(chart)
    return finished(alt.vconcat(*charts, spacing=16).resolve_scale(color="independent"), columns, title)
