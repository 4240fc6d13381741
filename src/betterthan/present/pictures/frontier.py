"""Scores against costs: points with intervals, and the frontier as a step line."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import BLUE, COLUMN, GREY, Picture, altair, finished, one_column, records

#: Costs that span more than this factor have a logarithmic axis.
_WIDE = 10
#: With more systems than this, only those on the frontier have labels.
_LABELLED = 20


def draw(
    *,
    system: Sequence[str],
    cost: Sequence[float],
    score: Sequence[float],
    low: Sequence[float | None],
    high: Sequence[float | None],
    on_frontier: Sequence[bool],
    name: str,
    level: float | None,
    lower_is_better: bool = False,
    title: str = "",
) -> Picture:
    """Draw systems, cheapest first; the line is the best score that a cost buys."""
    columns: dict[str, Sequence[Any]] = {
        "system": system,
        "cost": cost,
        "score": score,
        "low": low,
        "high": high,
        "on_frontier": on_frontier,
    }
    alt = altair()
    base = alt.Chart(records(columns))
    wide = min(cost) > 0 and max(cost) > _WIDE * min(cost)
    scale = alt.Scale(type="log", nice=False, padding=36) if wide else alt.Scale(zero=False, nice=False, padding=36)
    x = alt.X("cost:Q", title="cost (log scale)" if wide else "cost", scale=scale, axis=alt.Axis(tickCount=5))
    label = f"{name}, {100 * level:g} % interval" if level else name
    y = alt.Y("score:Q", title=label, scale=alt.Scale(zero=False, nice=False, padding=12, reverse=lower_is_better))
    tips = ["system:N", "cost:Q", "score:Q", "low:Q", "high:Q"]
    steps = [(each, value) for each, value, on in zip(cost, score, on_frontier, strict=True) if on]
    line = {"cost": [each for each, _ in steps], "score": [value for _, value in steps]}
    step = alt.Chart(records(line)).mark_line(interpolate="step-after", color=BLUE, strokeWidth=1.5)
    layers = [step.encode(x=x, y=y)]
    if level:
        known = "isValid(datum.low) && isValid(datum.high)"
        interval = base.transform_filter(known).mark_rule(color=GREY, strokeWidth=1, opacity=0.6)
        layers.append(interval.encode(x=x, y=alt.Y("low:Q", title=label), y2="high:Q", tooltip=tips))
    colour = alt.condition("datum.on_frontier", alt.value(BLUE), alt.value(GREY))
    points = base.mark_point(filled=True, size=45, opacity=1)
    layers.append(points.encode(x=x, y=y, color=colour, tooltip=tips))
    above = base.transform_filter("datum.on_frontier").mark_text(align="right", baseline="bottom", dx=-5, dy=-3)
    layers.append(above.encode(x=x, y=y, text="system:N", color=alt.value(BLUE)))
    if len(system) <= _LABELLED:
        below = base.transform_filter("!datum.on_frontier").mark_text(align="left", baseline="top", dx=5, dy=3)
        layers.append(below.encode(x=x, y=y, text="system:N", color=alt.value(GREY)))
    return finished(one_column(alt.layer(*layers), 0.75 * COLUMN), columns, title)
