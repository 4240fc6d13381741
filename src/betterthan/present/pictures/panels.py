"""Small multiples: lines with intervals, one panel per varied factor."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import COLUMN, GREY, LINES, Picture, altair, finished, records


def draw(
    *,
    panel: Sequence[str],
    x: Sequence[float | str],
    series: Sequence[str],
    value: Sequence[float | None],
    low: Sequence[float | None],
    high: Sequence[float | None],
    name: str,
    mark: float | None = None,
    title: str = "",
) -> Picture:
    """Draw one panel per distinct name of `panel`, two next to each other; the name says what x is.

    Where x are words, points stand side by side over each of them, without lines.
    `name` is what is measured, and `mark` a value of x that a dashed line marks in every panel.
    """
    columns: dict[str, Sequence[Any]] = {
        "panel": panel,
        "x": x,
        "series": series,
        "value": value,
        "low": low,
        "high": high,
    }
    alt = altair()
    ends = [end for end in (*value, *low, *high) if end is not None]
    scale = alt.Scale(domain=[min(ends, default=0.0), max(ends, default=1.0)], nice=True, zero=False)
    names = list(dict.fromkeys(series))
    inks = [LINES[place % len(LINES)] for place in range(len(names))]
    legend = alt.Legend(orient="bottom", title=None, symbolType="circle", symbolOpacity=1)
    color = alt.Color("series:N", scale=alt.Scale(domain=names, range=inks), legend=legend)
    every = list(dict.fromkeys(panel)) or [""]  # axes alone where there is nothing to show
    width = COLUMN if len(every) == 1 else COLUMN // 2
    drawn = []
    for one in every:
        kept = [place for place, of in enumerate(panel) if of == one]
        base = alt.Chart(records({field: [values[place] for place in kept] for field, values in columns.items()}))
        words = any(isinstance(x[place], str) for place in kept)
        across = (
            alt.X("x:N", title=one, sort=None)
            if words
            else alt.X("x:Q", title=one, scale=alt.Scale(nice=False, padding=6))
        )
        up = alt.Y("value:Q", title=name, scale=scale)
        tips = ["series:N", "x:N" if words else "x:Q", *(f"{field}:Q" for field in ("value", "low", "high"))]
        beside = {"xOffset": alt.XOffset("series:N", sort=names)} if words else {}
        line = (
            base.mark_circle(size=20) if words else base.mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(size=20))
        )
        line = line.encode(x=across, y=up, color=color, tooltip=tips, **beside)
        bars = base.mark_rule(strokeWidth=1).encode(
            x=across, y=alt.Y("low:Q", scale=scale), y2="high:Q", color=color, **beside
        )
        layers = [bars, line]
        if mark is not None:
            rule = alt.Chart(records({"x": [mark]})).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x=across)
            layers.insert(0, rule)
        drawn.append(alt.layer(*layers).properties(width=width, height=130 if len(every) > 1 else 220))
    rows = [
        alt.hconcat(*drawn[start : start + 2]).resolve_scale(xOffset="independent") for start in range(0, len(drawn), 2)
    ]
    whole = rows[0] if len(rows) == 1 else alt.vconcat(*rows)
    return finished(whole, columns, title)
