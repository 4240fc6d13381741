"""A leaderboard: scores with intervals, best on top, and lines between clusters."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import (
    BLUE,
    GREY,
    Picture,
    altair,
    finished,
    letters,
    one_column,
    records,
    row_height,
)


def draw(
    *,
    system: Sequence[str],
    score: Sequence[float | None],
    low: Sequence[float | None],
    high: Sequence[float | None],
    cluster: Sequence[int | None],
    name: str,
    level: float | None,
    title: str = "",
) -> Picture:
    """Draw systems in the order given; an arrow at the edge of the picture marks an open end of an interval."""
    columns: dict[str, Sequence[Any]] = {
        "system": system,
        "score": score,
        "low": low,
        "high": high,
        "cluster": cluster,
    }
    alt = altair()
    known = [value for value in (*score, *low, *high) if value is not None] or [0.0, 1.0]
    beyond = 0.08 * (max(known) - min(known))
    edges = (min(known) - beyond, max(known) + beyond)  # an open end reaches further than anything that is known
    drawn = {
        **columns,
        "from": [edges[0] if end is None else end for end in low],
        "to": [edges[1] if end is None else end for end in high],
    }
    base = alt.Chart(records(drawn))
    label = f"{name}, {100 * level:g} % interval" if level else name
    row = row_height(len(system))
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6, labelFontSize=letters(row))
    y = alt.Y("system:N", sort=list(system), title=None, axis=axis)
    scale = alt.Scale(zero=False, nice=False, padding=8)
    tips = ["system:N", "score:Q", "low:Q", "high:Q", "cluster:N"]
    layers = []
    if level:
        x = alt.X("from:Q", title=label, scale=scale)
        layers.append(base.mark_rule(color=GREY, strokeWidth=1.5).encode(x=x, x2="to:Q", y=y, tooltip=tips))
        for end, at, shape in ((low, "from", "triangle-left"), (high, "to", "triangle-right")):
            if None in end:
                filter_ = f"datum.{'low' if at == 'from' else 'high'} === null"
                arrow = base.transform_filter(filter_).mark_point(shape=shape, filled=True, color=GREY, size=40)
                layers.append(arrow.encode(x=alt.X(f"{at}:Q"), y=y, tooltip=tips))
    x = alt.X("score:Q", title=label, scale=scale)
    layers.append(base.mark_point(filled=True, size=3 * row, color=BLUE, opacity=1).encode(x=x, y=y, tooltip=tips))
    first = [system[place] for place in range(1, len(system)) if cluster[place] != cluster[place - 1]]
    if level and first:
        lines = alt.Chart(records({"system": first})).mark_rule(strokeDash=[4, 3], color=GREY)
        layers.append(lines.encode(y=alt.Y("system:N", sort=list(system), bandPosition=0)))
    return finished(one_column(alt.layer(*layers), row * len(system)), columns, title)
