"""Ratings over time, one line per system."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.labels import spread
from betterthan.present.pictures.picture import GREY, LINES, Picture, altair, finished, one_column, records

#: Up to that many systems, all are named; of more, those in colour.
_NAMED = 30
_LETTERS = 9.5


def draw(
    *,
    systems: Sequence[str],
    judgments: Sequence[int],
    system: Sequence[str],
    rating: Sequence[float],
    name: str = "rating",
    order: str = "",
    title: str = "",
) -> Picture:
    """Draw a line per system; the first eight of `systems` have colours, and names are at the ends of their lines."""
    columns: dict[str, Sequence[Any]] = {"judgments": judgments, "system": system, "rating": rating}
    alt = altair()
    leaders = list(systems[: len(LINES)])
    leads = set(leaders)
    named = list(systems) if len(systems) <= _NAMED else leaders
    height = max(200, (_LETTERS + 1.5) * len(named))
    least, most = min(rating), max(rating)
    room = (most - least) or 1.0
    end = max(judgments)
    last = {each: value for each, value, when in zip(system, rating, judgments, strict=True) if when == end}
    at = spread([last[each] for each in named], room * (_LETTERS + 1.5) / height)
    scale = alt.Scale(domain=[min(least, *at), max(most, *at)], nice=False, zero=False)
    base = alt.Chart(records({**columns, "leads": [each in leads for each in system]}))
    x = alt.X(
        "judgments:Q",
        title=f"judgments{f' ({order})' if order else ''}",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(tickCount=4, format=",d", tickMinStep=1),
    )
    y = alt.Y("rating:Q", title=name, scale=scale)
    color = alt.Color("system:N", scale=alt.Scale(domain=leaders, range=list(LINES[: len(leaders)])), legend=None)
    ends = alt.Chart(records({"system": named, "rating": at, "leads": [each in leads for each in named]}))
    tips = ["system:N", "judgments:Q", "rating:Q"]
    layers = []
    for chosen, ink, width in (("!datum.leads", alt.value(GREY), 0.6), ("datum.leads", color, 1.2)):
        lines = base.transform_filter(chosen).mark_line(strokeWidth=width, opacity=0.6 if width < 1 else 1)
        layers.append(lines.encode(x=x, y=y, detail="system:N", color=ink, tooltip=tips))
        text = ends.transform_filter(chosen).mark_text(align="left", dx=5, fontSize=_LETTERS, limit=100)
        layers.append(text.encode(x=alt.value("width"), y=y, text="system:N", color=ink))
    return finished(one_column(alt.layer(*layers), height), columns, title)
