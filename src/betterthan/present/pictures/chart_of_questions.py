"""A chart of questions that lead to recommendations: boxes with text, and arrows with answers."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from betterthan.present.pictures.picture import BLUE, GREEN, GREY, Picture, altair, finished, records

#: Half the width and the height of a box, in columns and rows; characters in a line of its text.
_HALF_WIDTH, _HALF_HEIGHT, _LINE = 0.4, 0.3, 20
_COLUMN, _ROW = 155, 62
#: How much higher the first of several lines begins, in rows.
_SHIFT = 0.1


def draw(
    *,
    box: Sequence[str],
    column: Sequence[float],
    row: Sequence[float],
    text: Sequence[str],
    answer: Sequence[bool],
    arrows: Sequence[tuple[str, str, str]],
    title: str = "",
) -> Picture:
    """Draw boxes at columns and rows, and arrows from box to box with their words; answers have another colour."""
    columns: dict[str, Sequence[Any]] = {
        "from": [one for one, _, _ in arrows],
        "answer": [words for _, _, words in arrows],
        "to": [two for _, two, _ in arrows],
    }
    alt = altair()
    at = dict(zip(box, zip(column, row, strict=True), strict=True))
    lines = [_line(at[one], at[two]) for one, two, _ in arrows]
    lines_of = [wrap(words, _LINE) for words in text]
    low, wide, tall = min(column) - 0.5, max(column) + 0.5, max(row) + 0.5

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", scale=alt.Scale(domain=[low, wide], nice=False), axis=None)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[tall, -0.5], nice=False), axis=None)

    drawn = alt.Chart(
        records(
            {
                **columns,
                "x": [line[0] for line in lines],
                "y": [line[1] for line in lines],
                "x2": [line[2] for line in lines],
                "y2": [line[3] for line in lines],
                "mx": [(line[0] + line[2]) / 2 for line in lines],
                "my": [(line[1] + line[3]) / 2 for line in lines],
            }
        )
    )
    boxes = alt.Chart(
        records(
            {
                "left": [place - _HALF_WIDTH for place in column],
                "right": [place + _HALF_WIDTH for place in column],
                "top": [place - _HALF_HEIGHT for place in row],
                "bottom": [place + _HALF_HEIGHT for place in row],
                "cx": column,
                "cy": [place - _SHIFT * (len(words) - 1) for place, words in zip(row, lines_of, strict=True)],
                "lines": lines_of,
                "ink": [GREEN if last else BLUE for last in answer],
            }
        )
    )
    layers = [
        drawn.mark_rule(color=GREY).encode(x=x("x"), y=y("y"), x2="x2:Q", y2="y2:Q"),
        drawn.mark_point(color=GREY, shape="circle", filled=True, size=25).encode(x=x("x2"), y=y("y2")),
        boxes.mark_rect(fill="white", strokeWidth=1.5).encode(
            x=x("left"), x2="right:Q", y=y("top"), y2="bottom:Q", stroke=alt.Stroke("ink:N", scale=None)
        ),
        boxes.mark_text(fontSize=10, lineHeight=12, baseline="middle").encode(x=x("cx"), y=y("cy"), text="lines:N"),
        drawn.mark_text(color=GREY, fontSize=10, dx=3, align="left").encode(x=x("mx"), y=y("my"), text="answer:N"),
    ]
    chart = alt.layer(*layers).properties(width=_COLUMN * (wide - low), height=_ROW * (max(row) + 1))
    return finished(chart, columns, title)


def _line(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return a line from the edge of a box to that of another: downwards in a column, sideways to another."""
    if one[0] == two[0]:
        return one[0], one[1] + _HALF_HEIGHT, two[0], two[1] - _HALF_HEIGHT
    side = _HALF_WIDTH if two[0] > one[0] else -_HALF_WIDTH
    return one[0] + side, one[1], two[0] - side, two[1]
