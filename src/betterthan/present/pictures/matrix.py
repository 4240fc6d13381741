"""Matrix of all pairs: win probabilities or differences, with marks where they differ significantly."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from betterthan.present.pictures.grid import across, cell_size, down
from betterthan.present.pictures.picture import COLUMN, DIVERGING, Picture, altair, finished, records, short

#: Numbers are legible up to that many systems.
_WRITTEN = 16


def draw(
    *,
    systems: Sequence[str],
    row: Sequence[str],
    column: Sequence[str],
    value: Sequence[float | None],
    significant: Sequence[bool],
    chance: bool,
    name: str,
    title: str = "",
) -> Picture:
    """Draw the matrix in the order of `systems`; chances are coloured round one half, differences round zero.

    Significant pairs have a star, or, if there is no room for numbers, the full colour.
    """
    columns: dict[str, Sequence[Any]] = {"row": row, "column": column, "value": value, "significant": significant}
    alt = altair()
    middle = 0.5 if chance else 0.0
    reach = max((abs(each - middle) for each in value if each is not None), default=0.5) or 0.5
    small = len(systems) <= _WRITTEN
    cell = cell_size(len(systems), least=17 if small else 4, most=40)
    drawn = dict(columns)
    if small:
        digits = 2 if chance else max(0, 1 - floor(log10(reach)))
        drawn["text"] = [
            "" if each is None else short(each, digits) + ("*" if apart else "")
            for each, apart in zip(value, significant, strict=True)
        ]
        drawn["strong"] = [each is not None and abs(each - middle) > 0.6 * reach for each in value]
    data = records(drawn)
    x, y = across("column", systems, cell), down("row", systems, cell)
    scale = alt.Scale(domain=[middle - reach, middle, middle + reach], range=list(DIVERGING))
    hint = "* significant" if small else "pale: not significant"
    legend = alt.Legend(orient="bottom", gradientLength=COLUMN // 2)
    color = alt.Color("value:Q", scale=scale, title=f"{name} ({hint})", legend=legend)
    tips = ["row:N", "column:N", "value:Q", "significant:N"]
    chart = alt.Chart(data).mark_rect(aria=small).encode(x=x, y=y, color=color, tooltip=tips)
    if small:
        ink = alt.condition("datum.strong", alt.value("white"), alt.value("black"))
        size = 8 if cell < 24 else 9.5
        chart += alt.Chart(data).mark_text(fontSize=size).encode(x=x, y=y, text="text:N", color=ink, tooltip=tips)
    else:
        chart = chart.encode(fillOpacity=alt.condition("datum.significant", alt.value(1), alt.value(0.3)))
    return finished(chart.properties(width=cell * len(systems), height=cell * len(systems)), columns, title)
