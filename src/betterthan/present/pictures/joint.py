"""Joint and marginal distributions of two systems' scores on the same items (Peyrard et al. 2021)."""

from collections.abc import Mapping, Sequence
from typing import Any

from betterthan.present.pictures.picture import (
    BLACK,
    BLUE,
    COLUMN,
    GREY,
    VERMILION,
    Picture,
    altair,
    finished,
    records,
)

_SIDE, _MARGIN = COLUMN - 110, 44
#: Cells of few to many items; colours belong to the two systems.
_DARKER = ("#D0D0D0", "#707070", "#000000")


def draw(
    *,
    a: str,
    b: str,
    a_low: Sequence[float],
    a_high: Sequence[float],
    b_low: Sequence[float],
    b_high: Sequence[float],
    items: Sequence[float],
    edges: Sequence[float],
    of_a: Sequence[int],
    of_b: Sequence[int],
    means: tuple[float, float],
    medians: tuple[float, float],
    won: int,
    lost: int,
    title: str = "",
) -> Picture:
    """Draw cells with their (smoothed) number of items, or single items where cells have no extent.

    `of_a` and `of_b` count the scores of each system between the `edges`, which both axes share. The half with more
    items is shaded: below the diagonal the first system wins, above it the second.
    """
    columns: dict[str, Sequence[Any]] = {
        "a_low": a_low,
        "a_high": a_high,
        "b_low": b_low,
        "b_high": b_high,
        "items": items,
    }
    alt = altair()
    domain = [edges[0], edges[-1]]
    scale = alt.Scale(domain=domain, nice=False, zero=False)
    axis = alt.Axis(titleLimit=_SIDE, tickCount=5)

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", scale=scale, title=[a, _better(won, lost)], axis=axis)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", scale=scale, title=[b, _better(lost, won)], axis=axis)

    corners = alt.Chart(records({"x": domain, "y": domain, "side": [domain[0] if won > lost else domain[1]] * 2}))
    shade = corners.mark_area(color=BLUE if won > lost else VERMILION, opacity=0.1 if won != lost else 0.0)
    shade = shade.encode(x=x("x"), y=y("y"), y2="side:Q")
    diagonal = corners.mark_line(color=GREY, strokeWidth=1).encode(x=x("x"), y=y("y"))
    lines = _lines(alt, means, medians)
    dash = alt.StrokeDash(
        "of:N",
        scale=alt.Scale(domain=["mean", "median"], range=[[1, 0], [4, 3]]),
        title=None,
        legend=alt.Legend(orient="bottom", symbolType="stroke", symbolStrokeColor=BLACK),
    )
    rules = [
        lines.transform_filter("datum.axis === 'a'").mark_rule(color=BLUE).encode(x=x("value"), strokeDash=dash),
        lines.transform_filter("datum.axis === 'b'").mark_rule(color=VERMILION).encode(y=y("value"), strokeDash=dash),
    ]
    main = alt.layer(shade, _items(alt, columns, x, y), diagonal, *rules)
    main = main.properties(width=_SIDE, height=_SIDE)
    bars = {"low": list(edges[:-1]), "high": list(edges[1:]), "a": of_a, "b": of_b}
    base = alt.Chart(records(bars))
    top = (
        base.mark_bar(color=BLUE, opacity=0.6)
        .encode(
            x=alt.X("low:Q", scale=scale, axis=None),
            x2="high:Q",
            y=alt.Y("a:Q", axis=None),
            y2=alt.Y2Datum(0),
            tooltip=["low:Q", "high:Q", "a:Q"],
        )
        .properties(width=_SIDE, height=_MARGIN)
    )
    right = (
        base.mark_bar(color=VERMILION, opacity=0.6)
        .encode(
            y=alt.Y("low:Q", scale=scale, axis=None),
            y2="high:Q",
            x=alt.X("b:Q", axis=None),
            x2=alt.X2Datum(0),
            tooltip=["low:Q", "high:Q", "b:Q"],
        )
        .properties(width=_MARGIN, height=_SIDE)
    )
    below = alt.hconcat(main, right, spacing=6)
    return finished(alt.vconcat(top, below, spacing=6), columns, title)


def draw_panels(panels: Mapping[str, Mapping[str, Any]], *, title: str = "") -> Picture:
    """Draw several such pictures below each other, each with what it is called."""
    alt, charts = altair(), []
    every: dict[str, Sequence[Any]] = {}
    for name, given in panels.items():
        found = draw(**given)
        every |= {f"{name}: {field}": values for field, values in found.columns.items()}
        chart = found.chart.copy(deep=False)
        chart.config = alt.Undefined  # the whole picture has the look
        charts.append(chart.properties(title=alt.Title(name, fontSize=11)))
    return finished(
        alt.vconcat(*charts, spacing=12).resolve_scale(strokeDash="shared", color="independent"), every, title
    )


def _better(won: int, lost: int) -> str:
    return f"better on {won:,}" + (" (shaded)" if won > lost else "")


def _items(alt: Any, columns: dict[str, Sequence[Any]], x: Any, y: Any) -> Any:
    chart = alt.Chart(records(columns))
    tips = [f"{name}:Q" for name in columns]
    if list(columns["a_low"]) == list(columns["a_high"]):
        points = chart.mark_point(filled=True, color=BLACK, size=22, opacity=0.4)
        points = points.encode(x=x("a_low"), y=y("b_low"), tooltip=tips[::2])
        most = max(columns["items"])
        if most == 1:
            return points
        scale = alt.Scale(domain=[0, most], range=[0, 22 * min(most, 12)])
        legend = alt.Legend(orient="bottom", values=sorted({1, (most + 1) // 2, most}), format="d")
        return points.encode(size=alt.Size("items:Q", scale=scale, legend=legend))
    color = alt.Color(
        "items:Q",
        scale=alt.Scale(type="sqrt", range=list(_DARKER)),
        legend=alt.Legend(orient="bottom", title="items (smoothed)", gradientLength=COLUMN // 4),
    )
    return chart.mark_rect(opacity=0.85).encode(
        x=x("a_low"), x2="a_high:Q", y=y("b_low"), y2="b_high:Q", color=color, tooltip=tips
    )


def _lines(alt: Any, means: tuple[float, float], medians: tuple[float, float]) -> Any:
    return alt.Chart(
        records({"of": ["mean", "mean", "median", "median"], "axis": ["a", "b"] * 2, "value": [*means, *medians]})
    )
