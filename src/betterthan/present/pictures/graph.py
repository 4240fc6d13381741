"""The comparison graph: systems on a circle in rank order, a line for every pair that was compared."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from betterthan.present.pictures.picture import BLUE, COLUMN, GREY, Picture, altair, finished, letters, records

#: More systems than this have numbers instead of names, and two columns of a paper.
_NAMED = 60
_LABEL = 85


def draw(
    *,
    systems: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    comparisons: Sequence[float],
    of_system: Sequence[float],
    title: str = "",
) -> Picture:
    """Draw pairs with their number of comparisons, and systems with theirs, best on top and on clockwise."""
    columns: dict[str, Sequence[Any]] = {"a": a, "b": b, "comparisons": comparisons}
    alt = altair()
    size = len(systems)
    many = size > _NAMED
    side = 2 * COLUMN - 60 if many else COLUMN - 170
    turns = [2 * pi * place / size for place in range(size)]
    at = {name: (sin(turn), cos(turn)) for name, turn in zip(systems, turns, strict=True)}
    scale = alt.Scale(domain=[-1.06, 1.06], nice=False)

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", scale=scale, axis=None)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", scale=scale, axis=None)

    edges = alt.Chart(
        records(
            {
                **columns,
                "x": [at[name][0] for name in a],
                "y": [at[name][1] for name in a],
                "x2": [at[name][0] for name in b],
                "y2": [at[name][1] for name in b],
            }
        )
    )
    most = max(comparisons, default=1.0)
    thin = min(1.0, 15 / size)  # the more lines, the less each may hide of the others
    strong = alt.Scale(domain=[0, most], range=[0.05, 0.2 + 0.4 * thin])
    wide = alt.Scale(domain=[0, most], range=[0.2, 0.4 + 2.6 * thin])
    # A legend avoids axes, but not names: it needs their extent.
    room = 20 if many else min(_LABEL, 6 * max(len(name) for name in systems)) + 12
    legend = alt.Legend(orient="bottom", tickCount=3, offset=room, symbolType="stroke", symbolStrokeColor=GREY)
    lines = edges.mark_rule(color=GREY, aria=not many).encode(
        x=x("x"),
        y=y("y"),
        x2="x2:Q",
        y2="y2:Q",
        strokeOpacity=alt.StrokeOpacity("comparisons:Q", scale=strong, legend=None),
        strokeWidth=alt.StrokeWidth("comparisons:Q", scale=wide, title="comparisons", legend=legend),
        tooltip=["a:N", "b:N", "comparisons:Q"],
    )
    nodes = {
        "system": systems,
        "place": list(range(1, size + 1)),
        "comparisons": of_system,
        "x": [at[name][0] for name in systems],
        "y": [at[name][1] for name in systems],
        "lx": [1.04 * at[name][0] for name in systems],
        "ly": [1.04 * at[name][1] for name in systems],
        "turn": [_upright(turn) for turn in turns],
        "right": [turn < pi for turn in turns],
    }
    base = alt.Chart(records(nodes))
    area = alt.Size(
        "comparisons:Q", scale=alt.Scale(domain=[0, max(of_system)], range=[4, 12 + 80 * thin]), legend=None
    )
    tips = ["place:Q", "system:N", "comparisons:Q"]
    layers = [
        lines,
        base.mark_point(filled=True, color=BLUE, opacity=1).encode(x=x("x"), y=y("y"), size=area, tooltip=tips),
    ]
    font = letters(pi * side / size)
    for half, align, shift in (("datum.right", "left", 5), ("!datum.right", "right", -5)):
        text = base.transform_filter(half).mark_text(
            align=align, dx=shift, fontSize=font, limit=_LABEL, baseline="middle"
        )
        layers.append(
            text.encode(
                x=x("lx"),
                y=y("ly"),
                text="place:N" if many else "system:N",
                tooltip=tips,
                angle=alt.Angle("turn:Q", scale=alt.Scale(domain=[-360, 360], range=[-360, 360])),
            )
        )
    return finished(alt.layer(*layers).properties(width=side, height=side), columns, title)


def _upright(turn: float) -> float:
    """Return the angle of a label that points away from the centre and is never upside down, in degrees."""
    degrees = turn * 180 / pi - 90
    return degrees if turn < pi else degrees - 180
