"""Histogram of paired differences of two systems, with ties as a separate bar."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    VERMILION,
    Picture,
    altair,
    finished,
    one_column,
    records,
)


def draw(
    *,
    a: str,
    b: str,
    low: Sequence[float],
    high: Sequence[float],
    items: Sequence[int],
    ties: int,
    mean: float,
    median: float,
    title: str = "",
) -> Picture:
    """Draw bins that lie on one side of zero each, the ties at zero, and lines at zero, mean and median."""
    sides = ["won" if (left + right) > 0 else "lost" for left, right in zip(low, high, strict=True)]
    columns: dict[str, Sequence[Any]] = {
        "low": [*low, 0.0],
        "high": [*high, 0.0],
        "items": [*items, ties],
        "side": [*sides, "tied"],
    }
    alt = altair()
    half = 0.3 * max((right - left for left, right in zip(low, high, strict=True)), default=1.0)
    drawn = {**columns, "from": [*low, -half], "to": [*high, half]}
    reach = max((abs(end) for end in (*low, *high)), default=1.0)
    scale = alt.Scale(domain=[-reach, reach], nice=False)
    label = [f"score of {a}", f"− score of {b}"]
    x = alt.X("from:Q", title=" ".join(label) if len(a) + len(b) < 24 else label, scale=scale)
    names = [f"{a} better", f"{b} better", f"{ties:,} tied"]
    shown = {"won": names[0], "lost": names[1], "tied": names[2]}
    drawn["who"] = [shown[side] for side in columns["side"]]
    kept = [0, 1, 2] if ties else [0, 1]
    color = alt.Color(
        "who:N",
        title=None,
        legend=alt.Legend(orient="top", columns=1, labelLimit=240, symbolType="square"),
        scale=alt.Scale(
            domain=[names[place] for place in kept], range=[(BLUE, VERMILION, ORANGE)[place] for place in kept]
        ),
    )
    y = alt.Y("items:Q", title="items", axis=alt.Axis(tickMinStep=1))
    base = alt.Chart(records(drawn))
    tips = ["low:Q", "high:Q", "items:Q", "side:N"]
    bars = base.transform_filter("datum.side !== 'tied'").mark_bar(stroke="white", strokeWidth=0.5)
    tied = base.transform_filter("datum.side === 'tied' && datum.items > 0").mark_bar()
    zero = alt.Chart(records({"x": [0.0]})).mark_rule(color=GREY, strokeWidth=1).encode(x=alt.X("x:Q", scale=scale))
    named = [f"mean {mean:.3g}".replace("-", "−"), f"median {median:.3g}".replace("-", "−")]
    lines = alt.Chart(records({"x": [mean, median], "of": named}))
    dash = alt.StrokeDash(
        "of:N",
        title=None,
        scale=alt.Scale(domain=named, range=[[1, 0], [4, 3]]),
        legend=alt.Legend(orient="bottom", symbolType="stroke", symbolStrokeColor=BLACK),
    )
    layers = [part.encode(x=x, x2="to:Q", y=y, y2=alt.Y2Datum(0), color=color, tooltip=tips) for part in (bars, tied)]
    layers += [zero, lines.mark_rule(color=BLACK, strokeWidth=1.5).encode(x=alt.X("x:Q", scale=scale), strokeDash=dash)]
    return finished(one_column(alt.layer(*layers), 180), columns, title)
