"""Number of clusters against the amount of evidence (Sakaguchi et al. 2014)."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import LINES, Picture, altair, finished, one_column, records, whole_numbers


def draw(
    *,
    model: Sequence[str],
    amount: Sequence[int],
    clusters: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    unit: str,
    band: str,
    title: str = "",
) -> Picture:
    """Draw the number of clusters against the number of units, a line with a band per model; `band` says what it is."""
    columns: dict[str, Sequence[Any]] = {
        "model": model,
        "amount": amount,
        "clusters": clusters,
        "low": low,
        "high": high,
    }
    alt = altair()
    base = alt.Chart(records(columns))
    x = alt.X(
        "amount:Q",
        scale=alt.Scale(type="log", nice=False),
        title=[f"{unit}s (logarithmic)", band],
        axis=alt.Axis(values=_ticks(amount), format=",d", labelOverlap=True),
    )

    def y(field: str) -> Any:
        scale = alt.Scale(domain=[0, max(high)], nice=False)
        axis = alt.Axis(values=whole_numbers(0, int(max(high))), format="d")
        return alt.Y(f"{field}:Q", title="clusters", scale=scale, axis=axis)

    names = list(dict.fromkeys(model))
    inks = [LINES[place % len(LINES)] for place in range(len(names))]
    legend = alt.Legend(orient="bottom", columns=2, symbolType="circle", symbolOpacity=1, symbolSize=50, labelLimit=150)
    color = alt.Color(
        "model:N",
        scale=alt.Scale(domain=names, range=inks),
        title=None,
        legend=legend if len(names) > 1 else None,
    )
    tips = ["model:N", *(f"{name}:Q" for name in ("amount", "clusters", "low", "high"))]
    filled = base.mark_area(opacity=0.2 / len(names)).encode(x=x, y=y("low"), y2="high:Q", color=color)
    line = base.mark_line(point=alt.OverlayMarkDef(size=30)).encode(x=x, y=y("clusters"), color=color, tooltip=tips)
    return finished(one_column(alt.layer(filled, line), 180), columns, title)


def _ticks(amount: Sequence[int]) -> list[int]:
    """Return round numbers within reach, enough of them for a logarithmic axis."""
    least, most = min(amount), max(amount)
    round_ones = [digit * 10**power for power in range(len(str(most)) + 1) for digit in (1, 2, 5)]
    within = [value for value in round_ones if least <= value <= most]
    return within if len(within) > 2 else list(amount)
