"""A leaderboard: scores with intervals, best on top, and lines between clusters."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import BLUE, COLUMN, GREY, Picture, altair, finished, records

_ROW = 16


def leaderboard(
    *,
    system: Sequence[str],
    score: Sequence[float],
    low: Sequence[float | None],
    high: Sequence[float | None],
    cluster: Sequence[int | None],
    name: str,
    level: float | None,
    title: str = "",
) -> Picture:
    """Draw systems in the order given; an open end of an interval reaches the edge of the picture."""
    columns: dict[str, Sequence[Any]] = {
        "system": system, "score": score, "low": low, "high": high, "cluster": cluster,
    }  # fmt: skip
    alt = altair()
    known = [value for value in (*score, *low, *high) if value is not None]
    edges = (min(known), max(known))
    drawn = {**columns, "from": [edges[0] if end is None else end for end in low],
             "to": [edges[1] if end is None else end for end in high],
             "place": list(range(1, len(system) + 1))}  # fmt: skip
    base = alt.Chart(records(drawn))
    label = f"{name}, {100 * level:g} % interval" if level else name
    y = alt.Y("system:N", sort=list(system), title=None, axis=alt.Axis(ticks=False, domain=False, labelPadding=6))
    x = alt.X("from:Q", title=label, scale=alt.Scale(zero=False, nice=True))
    tips = ["system:N", "score:Q", "low:Q", "high:Q", "cluster:N"]
    layers = [base.mark_rule(color=GREY, strokeWidth=1.5).encode(x=x, x2="to:Q", y=y, tooltip=tips)] if level else []
    layers.append(base.mark_point(filled=True, size=45, color=BLUE, opacity=1).encode(x="score:Q", y=y, tooltip=tips))
    first = [system[place] for place in range(1, len(system)) if cluster[place] != cluster[place - 1]]
    if level and first:
        lines = alt.Chart(records({"system": first})).mark_rule(strokeDash=[4, 3], color=GREY, yOffset=-_ROW / 2)
        layers.append(lines.encode(y=y))
    chart = alt.layer(*layers).properties(width=COLUMN - 90, height=_ROW * len(system))
    return finished(chart, columns, title)
