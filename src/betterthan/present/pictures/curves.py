"""Curves with bands against the number of judgments: models that learn, policies that collect."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import GREY, LINES, Picture, altair, finished, one_column, records


def draw(
    *,
    series: Sequence[str],
    amount: Sequence[int],
    value: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    kind: str,
    name: str,
    unit: str,
    band: str,
    bound: float | None = None,
    logarithmic: bool = False,
    title: str = "",
) -> Picture:
    """Draw a line with a band per series, against an amount of units; `band` says what it is.

    `kind` is what the series are, `name` what is measured, and `bound` the best that can be reached. The first eight
    series have colours of their own.
    """
    columns: dict[str, Sequence[Any]] = {kind: series, "amount": amount, "value": value, "low": low, "high": high}
    alt = altair()
    base = alt.Chart(records(columns))
    label = f"{unit}s (logarithmic)" if logarithmic else f"{unit}s"
    ticks = {"values": sorted(set(amount))} if logarithmic else {}
    x = alt.X(
        "amount:Q",
        scale=alt.Scale(type="log" if logarithmic else "linear", nice=False),
        title=[label, band],
        axis=alt.Axis(format=",d", labelOverlap=True, **ticks),
    )
    ends = [*low, *high, *([] if bound is None else [bound])]
    scale = alt.Scale(domain=[min(ends), max(ends)], nice=True, zero=False)
    names = list(dict.fromkeys(series))
    inks = [LINES[place % len(LINES)] for place in range(len(names))]
    legend = alt.Legend(orient="bottom", columns=2, symbolType="circle", symbolOpacity=1, symbolSize=50, labelLimit=150)
    color = alt.Color(f"{kind}:N", scale=alt.Scale(domain=names, range=inks), title=None, legend=legend)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=name, scale=scale)

    tips = [f"{kind}:N", *(f"{field}:Q" for field in ("amount", "value", "low", "high"))]
    filled = base.mark_area(opacity=0.08).encode(x=x, y=y("low"), y2="high:Q", color=color)
    line = base.mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(size=25)).encode(
        x=x, y=y("value"), color=color, tooltip=tips
    )
    layers = [filled, line]
    if bound is not None:
        best = alt.Chart(records({"bound": [bound]})).mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=y("bound"))
        layers.insert(1, best)
    return finished(one_column(alt.layer(*layers), 220), columns, title)
