"""How often each pair was compared: over all judgments, or in the first and the last of them."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.grid import across, cell_size, down
from betterthan.present.pictures.picture import COLUMN, GROWING, Picture, altair, finished, records


def draw(
    *,
    systems: Sequence[str],
    panel: Sequence[str],
    row: Sequence[str],
    column: Sequence[str],
    number: Sequence[float],
    name: str = "judgments",
    title: str = "",
) -> Picture:
    """Draw one heat map per panel, in the order of `systems`; pairs that never met are left out and stay white."""
    columns: dict[str, Sequence[Any]] = {"panel": panel, "row": row, "column": column, "number": number}
    alt = altair()
    panels = list(dict.fromkeys(panel))
    cell = cell_size(len(systems), most=24, panels=len(panels))
    side = cell * len(systems)
    scale = alt.Scale(domain=[0, max(number, default=1) / 2, max(number, default=1)], range=list(GROWING))
    color = alt.Color(
        "number:Q", scale=scale, title=name, legend=alt.Legend(orient="bottom", gradientLength=COLUMN // 2)
    )
    charts = []
    # The domain, not the order alone: a system that met nobody in a panel keeps its place.
    domain = alt.Scale(domain=list(systems))
    for place, each in enumerate(panels):
        kept = [at for at, of in enumerate(panel) if of == each]
        data = records({field: [values[at] for at in kept] for field, values in columns.items()})
        x = across("column", systems, cell)
        y = down("row", systems, cell, **({"labels": False} if place else {}))
        x.scale = y.scale = domain
        tips = ["row:N", "column:N", "number:Q"]
        chart = alt.Chart(data).mark_rect(aria=len(systems) <= 30).encode(x=x, y=y, color=color, tooltip=tips)
        heading = {"title": alt.Title(each, fontSize=10)} if each else {}
        charts.append(chart.properties(width=side, height=side, **heading))
    return finished(charts[0] if len(charts) == 1 else alt.hconcat(*charts, spacing=8), columns, title)
