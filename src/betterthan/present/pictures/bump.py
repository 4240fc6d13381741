"""Bump chart: ranks of the same systems under several models."""

from collections.abc import Sequence
from typing import Any

from betterthan.present.pictures.picture import GREY, LINES, Picture, altair, finished, letters, one_column, records

#: Up to that many systems, all are named; of more, those in colour.
_NAMED = 30


def draw(
    *,
    models: Sequence[str],
    systems: Sequence[str],
    model: Sequence[str],
    system: Sequence[str],
    rank: Sequence[int],
    place: Sequence[int],
    title: str = "",
) -> Picture:
    """Draw a line per system through its places; the first eight of `systems` have colours.

    `place` is the position on the model's board: systems of the same rank have places of their own.
    """
    columns: dict[str, Sequence[Any]] = {"model": model, "system": system, "rank": rank, "place": place}
    alt = altair()
    leaders = list(systems[: len(LINES)])
    row = 15 if len(systems) <= _NAMED else 9 if len(systems) <= 100 else 8
    leads = set(leaders)
    first, last = models[0], models[-1]
    drawn = {
        **columns,
        "leads": [name in leads for name in system],
        "left": [name == first for name in model],
        "right": [name == last for name in model],
    }
    base = alt.Chart(records(drawn))
    slant = 0 if len(models) <= 2 else -35
    x = alt.X(
        "model:N",
        sort=list(models),
        title=None,
        scale=alt.Scale(padding=0),
        axis=alt.Axis(labelAngle=slant, labelLimit=110, domain=False, ticks=False, labelFontSize=9.5),
    )
    y = alt.Y(
        "place:Q", title=None, scale=alt.Scale(domain=[0.5, len(systems) + 0.5], reverse=True, nice=False), axis=None
    )
    color = alt.Color("system:N", scale=alt.Scale(domain=leaders, range=list(LINES[: len(leaders)])), legend=None)
    tips = ["system:N", "model:N", "rank:Q"]
    named = base if len(systems) <= _NAMED else base.transform_filter("datum.leads")
    layers = []
    for chosen, ink, width in (("!datum.leads", alt.value(GREY), 0.8), ("datum.leads", color, 2)):
        part, label = base.transform_filter(chosen), named.transform_filter(chosen)
        layers.append(
            part.mark_line(strokeWidth=width, opacity=0.6 if width < 1 else 1).encode(
                x=x, y=y, detail="system:N", color=ink, tooltip=tips
            )
        )
        layers.append(
            part.mark_point(filled=True, size=10 + 10 * width, opacity=1).encode(x=x, y=y, color=ink, tooltip=tips)
        )
        for end, align, shift in (("left", "right", -6), ("right", "left", 6)):
            text = label.transform_filter(f"datum.{end}").mark_text(
                align=align, dx=shift, fontSize=letters(row), limit=100
            )
            layers.append(text.encode(x=x, y=y, text="system:N", color=ink))
    return finished(one_column(alt.layer(*layers), row * len(systems)), columns, title)
