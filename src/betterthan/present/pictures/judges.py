"""Judges: how often each agrees with the common order, next to the expected rate."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.labels import spread
from betterthan.present.pictures.picture import (
    BLACK,
    BLUE,
    VERMILION,
    Picture,
    altair,
    finished,
    letters,
    one_column,
    records,
)

#: Up to that many judges, every one has a row of its own; more are spread by their number of judgments.
_ROWS, _ROW, _HEIGHT = 60, 14, 260
#: Among many judges, this number of those with a finding are named.
_NAMED = 4
_KINDS = ("no finding", "has a finding")


def draw(
    *,
    judge: Sequence[str],
    judgments: Sequence[float],
    follows: Sequence[float | None],
    expected: Sequence[float | None],
    findings: Sequence[str],
    title: str = "",
) -> Picture:
    """Draw judges in the order given, a row for each; many of them as a funnel, since few judgments vary most."""
    columns: dict[str, Sequence[Any]] = {
        "judge": judge,
        "judgments": judgments,
        "follows": follows,
        "expected": expected,
        "findings": findings,
    }
    alt = altair()
    base = alt.Chart(records({**columns, "kind": [_KINDS[bool(each)] for each in findings]}))
    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=list(_KINDS), range=[BLUE, VERMILION]),
        title=None,
        legend=alt.Legend(orient="bottom"),
    )
    if len(judge) <= _ROWS:
        layers, height = _rows(alt, base, color, columns), _ROW * len(judge)
    else:
        layers, height = _funnel(alt, base, color, columns), _HEIGHT
    return finished(one_column(alt.layer(*layers), height), columns, title)


_TIPS = ["judge:N", "judgments:Q", "follows:Q", "expected:Q", "findings:N"]
_LABEL = "follows the common order (| expected)"


def _rows(alt: Any, base: Any, color: Any, columns: dict[str, Sequence[Any]]) -> list[Any]:
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6, labelFontSize=letters(_ROW))
    y = alt.Y("judge:N", sort=list(columns["judge"]), title=None, axis=axis)

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", title=_LABEL, scale=alt.Scale(domain=[0, 1]))

    ends = sorted({min(columns["judgments"]), max(columns["judgments"])})
    size = alt.Size(
        "judgments:Q",
        scale=alt.Scale(domain=[0, ends[-1]], range=[10, 140]),
        title="judgments",
        legend=alt.Legend(orient="top", values=ends),
    )
    return [
        base.mark_point(filled=True, opacity=0.8).encode(x=x("follows"), y=y, size=size, color=color, tooltip=_TIPS),
        base.mark_tick(color=BLACK, thickness=1.5, size=_ROW * 0.8).encode(x=x("expected"), y=y, tooltip=_TIPS),
    ]


def _funnel(alt: Any, base: Any, color: Any, columns: dict[str, Sequence[Any]]) -> list[Any]:
    x = alt.X(
        "judgments:Q",
        title=f"judgments per judge ({len(columns['judge']):,} judges)",
        scale=alt.Scale(type="log", nice=False, padding=8),
        axis=alt.Axis(tickCount=4, format=",~r"),
    )

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=_LABEL.replace("|", "–"), scale=alt.Scale(domain=[0, 1]))

    found, follows = columns["findings"], columns["follows"]
    named = [place for place, finding in enumerate(found) if finding and follows[place] is not None]
    fields = ("judge", "judgments", "follows")
    some = {name: [columns[name][place] for place in named[:_NAMED]] for name in fields}
    some["follows"] = spread(some["follows"], 11 / _HEIGHT)
    names = alt.Chart(records(some)).mark_text(fontSize=9.5, align="left", dx=7, limit=100, color=VERMILION)
    return [
        base.mark_tick(color=BLACK, thickness=1, size=7, orient="horizontal", opacity=0.4).encode(
            x=x, y=y("expected"), tooltip=_TIPS
        ),
        base.mark_point(filled=True, opacity=0.7, size=22).encode(x=x, y=y("follows"), color=color, tooltip=_TIPS),
        names.encode(x=x, y=y("follows"), text="judge:N"),
    ]
