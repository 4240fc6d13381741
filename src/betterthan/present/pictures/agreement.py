"""Agreement of models: Kendall's tau of every two orders."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.grid import across, cell_size, down
from betterthan.present.pictures.picture import COLUMN, DIVERGING, Picture, altair, finished, records, short


def draw(
    *,
    models: Sequence[str],
    row: Sequence[str],
    column: Sequence[str],
    kendall: Sequence[float | None],
    title: str = "",
) -> Picture:
    """Draw models against models; a correlation that does not exist is left white."""
    columns: dict[str, Sequence[Any]] = {"row": row, "column": column, "kendall": kendall}
    alt = altair()
    cell = cell_size(len(models), least=19, most=44)
    drawn = {
        **columns,
        "text": ["–" if each is None else short(each, 2) for each in kendall],
        "strong": [each is not None and abs(each) > 0.6 for each in kendall],
    }
    data = records(drawn)
    x, y = across("column", models, cell), down("row", models, cell)
    color = alt.Color(
        "kendall:Q",
        scale=alt.Scale(domain=[-1, 0, 1], range=list(DIVERGING)),
        title="Kendall's tau",
        legend=alt.Legend(orient="bottom", gradientLength=COLUMN // 2),
    )
    tips = ["row:N", "column:N", "kendall:Q"]
    ink = alt.condition("datum.strong", alt.value("white"), alt.value("black"))
    chart = alt.Chart(data).mark_rect().encode(x=x, y=y, color=color, tooltip=tips)
    text = alt.Chart(data).mark_text(fontSize=8 if cell < 26 else 10).encode(x=x, y=y, text="text:N", color=ink)
    side = cell * len(models)
    return finished((chart + text).properties(width=side, height=side), columns, title)
