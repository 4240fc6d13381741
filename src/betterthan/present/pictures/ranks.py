"""Box plot of bootstrap ranks, with lines between clusters (Sakaguchi et al. 2014)."""

from collections.abc import Sequence
from typing import Any, Literal

from betterthan.present.pictures.picture import (
    BLACK,
    GREY,
    SKY,
    Picture,
    altair,
    finished,
    letters,
    one_column,
    records,
    row_height,
    whole_numbers,
)


def draw(
    *,
    system: Sequence[str],
    low: Sequence[float],
    lower: Sequence[float],
    middle: Sequence[float],
    upper: Sequence[float],
    high: Sequence[float],
    cluster: Sequence[int | None],
    label: str,
    by: Literal["median", "mean"] = "median",
    title: str = "",
) -> Picture:
    """Draw a range of ranks, the quartiles and a middle, which is a median or a mean; `label` says which range."""
    columns: dict[str, Sequence[Any]] = {
        "system": system,
        "low": low,
        "lower": lower,
        by: middle,
        "upper": upper,
        "high": high,
        "cluster": cluster,
    }
    alt = altair()
    row = row_height(len(system))
    # A rank is as wide as its number: a box from 2 to 2 would be invisible.
    drawn = {**columns, "from": [value - 0.35 for value in lower], "to": [value + 0.35 for value in upper]}
    base = alt.Chart(records(drawn))
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6, labelFontSize=letters(row))
    y = alt.Y("system:N", sort=list(system), title=None, axis=axis)
    scale = alt.Scale(domain=[0.5, len(system) + 0.5], nice=False, zero=False)
    ticks = whole_numbers(1, len(system))

    def x(field: str) -> Any:
        return alt.X(
            f"{field}:Q", scale=scale, title=[f"rank: {label},", f"quartiles and {by}"], axis=alt.Axis(values=ticks)
        )

    tips = ["system:N", "low:Q", "lower:Q", f"{by}:Q", "upper:Q", "high:Q", "cluster:N"]
    box = 0.6 * row
    layers = [
        base.mark_rule(color=GREY, strokeWidth=1.5).encode(x=x("low"), x2="high:Q", y=y, tooltip=tips),
        *(base.mark_tick(color=GREY, thickness=1.5, size=box / 2).encode(x=x(end), y=y) for end in ("low", "high")),
        base.mark_bar(color=SKY, size=box).encode(x=x("from"), x2="to:Q", y=y, tooltip=tips),
        base.mark_tick(color=BLACK, thickness=2, size=box).encode(x=x(by), y=y, tooltip=tips),
    ]
    first = [system[place] for place in range(1, len(system)) if cluster[place] != cluster[place - 1]]
    if first:
        lines = alt.Chart(records({"system": first})).mark_rule(strokeDash=[4, 3], color=GREY)
        layers.append(lines.encode(y=alt.Y("system:N", sort=list(system), bandPosition=0)))
    return finished(one_column(alt.layer(*layers), row * len(system)), columns, title)
