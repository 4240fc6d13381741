"""All pairs: row against column, as chances to win or as differences, with marks where a test tells them apart."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import COLUMN, DIVERGING, Picture, altair, finished, records

#: Numbers are legible up to so many systems.
_WRITTEN = 16


def matrix(
    *,
    systems: Sequence[str],
    row: Sequence[str],
    column: Sequence[str],
    value: Sequence[float | None],
    told_apart: Sequence[bool],
    chance: bool,
    name: str,
    title: str = "",
) -> Picture:
    """Draw the matrix in the order of `systems`; chances are coloured round one half, differences round zero."""
    columns: dict[str, Sequence[Any]] = {"row": row, "column": column, "value": value, "told_apart": told_apart}
    alt = altair()
    middle = 0.5 if chance else 0.0
    reach = max((abs(each - middle) for each in value if each is not None), default=0.5) or 0.5
    small = len(systems) <= _WRITTEN
    cell = max(4, min(26, (COLUMN + 120) // len(systems)))
    texts = ["" if each is None else f"{each:.2f}".replace("0.", ".") + ("*" if apart else "")
             for each, apart in zip(value, told_apart, strict=True)]  # fmt: skip
    data = records({**columns, "text": texts, "strong": [each is not None and abs(each - middle) > 0.6 * reach
                                                         for each in value]})  # fmt: skip
    x = alt.X(
        "column:N",
        sort=list(systems),
        title=None,
        axis=alt.Axis(orient="top", labelAngle=-45, domain=False, ticks=False),
    )
    y = alt.Y("row:N", sort=list(systems), title=None, axis=alt.Axis(domain=False, ticks=False))
    scale = alt.Scale(domain=[middle - reach, middle, middle + reach], range=list(DIVERGING))
    color = alt.Color(
        "value:Q", scale=scale, title=name, legend=alt.Legend(orient="bottom", gradientLength=COLUMN // 2)
    )
    tips = ["row:N", "column:N", "value:Q", "told_apart:N"]
    chart = alt.Chart(data).mark_rect().encode(x=x, y=y, color=color, tooltip=tips)
    if small:
        ink = alt.condition("datum.strong", alt.value("white"), alt.value("black"))
        chart += alt.Chart(data).mark_text(fontSize=9).encode(x=x, y=y, text="text:N", color=ink, tooltip=tips)
    else:
        marks = (
            alt.Chart(data)
            .transform_filter("datum.told_apart")
            .mark_point(filled=True, size=max(2, cell), color="black")
        )
        chart += marks.encode(x=x, y=y, tooltip=tips)
    return finished(chart.properties(width=cell * len(systems), height=cell * len(systems)), columns, title)
