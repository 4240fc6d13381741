"""The critical-difference diagram (Demšar 2006): average ranks, and bars over systems that do not differ."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from betterthan.present.pictures.picture import (
    BLACK,
    GREY,
    Picture,
    altair,
    finished,
    letters,
    one_column,
    records,
    row_height,
)
from betterthan.present.pictures.tiers import tiers_of

_BAR, _ABOVE = 6, 22


def draw(
    *,
    system: Sequence[str],
    rank: Sequence[float],
    groups: Sequence[tuple[int, int]],
    title: str = "",
) -> Picture:
    """Draw systems, best average rank first, the better half on the left.

    `groups` are the first and last places of systems of which no two differ significantly.
    """
    columns: dict[str, Sequence[Any]] = {"system": system, "rank": rank}
    alt = altair()
    size, row = len(system), row_height(len(system) // 2)
    low, high = floor(min(rank)), max(ceil(max(rank)), floor(min(rank)) + 1)
    tiers = tiers_of([(rank[first], rank[last]) for first, last in groups], 0.02 * (high - low))
    bar = _BAR if len(set(tiers)) <= 12 else _BAR / 2
    start = bar * (max(tiers, default=-1) + 2)  # where the names begin, in pixels below the axis
    half = (size + 1) // 2
    deep = [start + row * (place + 0.5 if place < half else size - place - 0.5) for place in range(size)]
    height = start + row * half
    y_scale = alt.Scale(domain=[-_ABOVE, height], reverse=True, nice=False, zero=False)
    x_scale = alt.Scale(domain=[low, high], nice=False, zero=False)

    def x(field: str, axis: Any = None) -> Any:
        return alt.X(f"{field}:Q", scale=x_scale, title=None, axis=axis)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", scale=y_scale, axis=None)

    path: dict[str, list[Any]] = {"system": [], "rank": [], "step": [], "x": [], "y": []}
    for place in range(size):
        for step, (across, down) in enumerate(
            ((rank[place], 0.0), (rank[place], deep[place]), (low if place < half else high, deep[place]))
        ):
            for field, value in zip(path, (system[place], rank[place], step, across, down), strict=True):
                path[field].append(value)
    leaders = (
        alt.Chart(records(path))
        .mark_line(color=GREY, strokeWidth=1)
        .encode(
            x=x("x"),
            y=y("y"),
            detail="system:N",
            order="step:Q",
            tooltip=["system:N", "rank:Q"],
        )
    )
    names = alt.Chart(
        records(
            {
                **columns,
                "edge": [low if place < half else high for place in range(size)],
                "y": deep,
                "left": [place < half for place in range(size)],
            }
        )
    )
    layers = [_axis(alt, x, y, low, high), leaders]
    for side, align, shift in (("datum.left", "right", -4), ("!datum.left", "left", 4)):
        text = names.transform_filter(side).mark_text(align=align, dx=shift, fontSize=letters(row), limit=95)
        layers.append(text.encode(x=x("edge"), y=y("y"), text="system:N", tooltip=["system:N", "rank:Q"]))
    margin = 0.006 * (high - low)
    bars = {
        "from": [rank[first] - margin for first, _ in groups],
        "to": [rank[last] + margin for _, last in groups],
        "y": [bar * (tier + 1) for tier in tiers],
    }
    layers.append(
        alt.Chart(records(bars)).mark_rule(color=BLACK, strokeWidth=bar / 2).encode(x=x("from"), x2="to:Q", y=y("y"))
    )
    return finished(one_column(alt.layer(*layers), height + _ABOVE), columns, title)


def _axis(alt: Any, x: Any, y: Any, low: float, high: float) -> Any:
    """Draw the axis within the picture, where leader lines start."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (high - low) / step <= 8 or step == 100)
    ticks = [value for value in range(floor(low), ceil(high) + 1) if value % step == 0 and low <= value <= high]
    line = alt.Chart(records({"from": [low], "to": [high], "y": [0]})).mark_rule(color=BLACK)
    line = line.encode(x=x("from"), x2="to:Q", y=y("y"))
    marks = alt.Chart(records({"x": ticks, "y": [0] * len(ticks), "top": [-4] * len(ticks)}))
    return alt.layer(
        line,
        marks.mark_rule(color=BLACK).encode(x=x("x"), y=y("y"), y2="top:Q"),
        marks.mark_text(fontSize=9.5, baseline="bottom", dy=-5).encode(x=x("x"), y=y("y"), text="x:Q"),
    )
