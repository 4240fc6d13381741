"""Heat map of shares: how much of each row's set each column's set covers."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.grid import across, cell_size, down
from betterthan.present.pictures.picture import COLUMN, GROWING, Picture, altair, finished, records, short


def draw(
    *,
    names: Sequence[str],
    row: Sequence[str],
    column: Sequence[str],
    value: Sequence[float | None],
    name: str,
    title: str = "",
) -> Picture:
    """Draw the matrix in the order of `names`, from 0 to 1, with its numbers; what is unknown stays white."""
    columns: dict[str, Sequence[Any]] = {"row": row, "column": column, "value": value}
    alt = altair()
    cell = cell_size(len(names), least=24, most=40)
    kept = [place for place, each in enumerate(value) if each is not None]
    drawn = {field: [values[place] for place in kept] for field, values in columns.items()}
    drawn["text"] = [short(each, 2) for each in drawn["value"]]
    drawn["strong"] = [each > 0.6 for each in drawn["value"]]
    data, x, y = records(drawn), across("column", names, cell), down("row", names, cell)
    x.scale = y.scale = alt.Scale(domain=list(names))
    legend = alt.Legend(orient="bottom", gradientLength=COLUMN // 2)
    color = alt.Color("value:Q", scale=alt.Scale(domain=[0, 0.5, 1], range=list(GROWING)), title=name, legend=legend)
    tips = ["row:N", "column:N", "value:Q"]
    ink = alt.condition("datum.strong", alt.value("white"), alt.value("black"))
    chart = alt.Chart(data).mark_rect().encode(x=x, y=y, color=color, tooltip=tips)
    chart += alt.Chart(data).mark_text(fontSize=9.5).encode(x=x, y=y, text="text:N", color=ink, tooltip=tips)
    return finished(chart.properties(width=cell * len(names), height=cell * len(names)), columns, title)
