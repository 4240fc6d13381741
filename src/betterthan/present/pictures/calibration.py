"""Calibration plot: predicted probabilities against observed frequencies."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import GREY, LINES, Picture, altair, finished, one_column, records


def draw(
    *,
    models: Sequence[str],
    model: Sequence[str],
    chance: Sequence[float],
    observed: Sequence[float],
    number: Sequence[float],
    title: str = "",
) -> Picture:
    """Draw a line per model through its bins of chances; on the dashed diagonal chances hold what they promise."""
    columns: dict[str, Sequence[Any]] = {"model": model, "chance": chance, "observed": observed, "number": number}
    alt = altair()
    base = alt.Chart(records(columns))
    whole = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    x = alt.X("chance:Q", scale=whole, axis=axis, title=["chance predicted (mean of a bin)", "dots grow with how many"])
    y = alt.Y("observed:Q", scale=whole, axis=axis, title="share that came about")
    inks = [LINES[place % len(LINES)] for place in range(len(models))]
    legend = alt.Legend(orient="bottom", columns=2, symbolType="circle", symbolOpacity=1, symbolSize=50, labelLimit=150)
    color = alt.Color("model:N", scale=alt.Scale(domain=list(models), range=inks), title=None, legend=legend)
    size = alt.Size("number:Q", scale=alt.Scale(domain=[0, max(number)], range=[8, 110]), legend=None)
    tips = ["model:N", *(f"{name}:Q" for name in ("chance", "observed", "number"))]
    ends = alt.Chart(records({"chance": [0.0, 1.0], "observed": [0.0, 1.0]}))
    diagonal = ends.mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y)
    line = base.mark_line(strokeWidth=1.2, opacity=0.8).encode(x=x, y=y, color=color)
    dots = base.mark_point(filled=True, opacity=0.7).encode(x=x, y=y, color=color, size=size, tooltip=tips)
    return finished(one_column(alt.layer(diagonal, line, dots), 260), columns, title)
