"""Coefficients with their intervals, one panel per fit."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import COLUMN, GREY, LINES, Picture, altair, finished, records


def draw(
    *,
    panel: Sequence[str],
    term: Sequence[str],
    value: Sequence[float | None],
    low: Sequence[float | None],
    high: Sequence[float | None],
    name: str,
    title: str = "",
) -> Picture:
    """Draw the terms of every fit from top to bottom, two panels next to each other; a line marks no effect.

    `name` is what is measured. A term without a value has no mark.
    """
    columns: dict[str, Sequence[Any]] = {"panel": panel, "term": term, "value": value, "low": low, "high": high}
    alt = altair()
    drawn = []
    for one in dict.fromkeys(panel):
        kept = [place for place, of in enumerate(panel) if of == one and value[place] is not None]
        rows = {field: [values[place] for place in kept] for field, values in columns.items()}
        base = alt.Chart(records(rows), title=one)
        up = alt.Y("term:N", sort=list(dict.fromkeys(rows["term"])), title=None)
        across = alt.X("value:Q", title=name)
        zero = alt.Chart(records({"value": [0]})).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x=across)
        bars = base.mark_rule(strokeWidth=1.2, color=LINES[0]).encode(y=up, x=alt.X("low:Q", title=name), x2="high:Q")
        dots = base.mark_circle(size=30, opacity=1, color=LINES[0]).encode(
            y=up, x=across, tooltip=["term:N", "value:Q", "low:Q", "high:Q"]
        )
        drawn.append(alt.layer(zero, bars, dots).properties(width=COLUMN // 2))
    lines = [alt.hconcat(*drawn[start : start + 2]) for start in range(0, len(drawn), 2)]
    return finished(lines[0] if len(lines) == 1 else alt.vconcat(*lines), columns, title)
