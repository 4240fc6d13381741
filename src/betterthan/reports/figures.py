"""The pictures of a report, as images that need no network and run no script."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from betterthan.errors import BetterthanError
from betterthan.present.pictures.picture import Picture
from betterthan.reports.parts import Part

#: A matrix of more systems is too many shapes: it is shown as dots of an image.
_SHAPES = 40


@dataclass(frozen=True)
class Figure:
    """An image with what it shows, in words, for those who do not see it."""

    source: str
    caption: str
    alt: str


def figures(part: Part) -> list[Figure]:
    """Draw what there is, but for the leaderboard, whose rows have its intervals drawn in them."""
    return [figure for make in _all(part) if (figure := _drawn(make, part)) is not None]


@dataclass(frozen=True)
class _Make:
    draw: Callable[[], Picture]
    caption: str
    alt: str
    crowded: bool = False  # so many shapes, for many systems, that dots take less room


def _all(part: Part) -> Iterator[_Make]:
    yield _Make(
        part.pairs.plot.matrix,
        f"All pairs, row against column; marked where they differ significantly. {part.pairs.halves}",
        "Matrix of all pairs of systems. The pair explorer has all numbers.", crowded=True,
    )  # fmt: skip
    if part.main.draws is not None:
        yield _Make(
            part.main.plot.ranks, "Ranks over the resamples; dashed lines separate clusters.",
            "Box plots of ranks. The table has the ranges.",
        )  # fmt: skip
    if len(part.boards.models) > 1:
        yield _Make(
            part.boards.plot.bump,
            "Ranks under each model.",
            "Lines that cross where models order systems differently.",
        )
    if part.pairs.critical_difference is not None:
        yield _Make(
            part.pairs.plot.critical_difference,
            "Average ranks over items; bars join systems that Nemenyi's test cannot distinguish.",
            "Critical-difference diagram.",
        )


def _drawn(make: _Make, part: Part) -> Figure | None:
    try:
        picture = make.draw()
    except BetterthanError:  # this evidence has no such picture
        return None
    form = "png" if make.crowded and len(part.pairs.systems) > _SHAPES else "svg"
    kind = {"png": "image/png", "svg": "image/svg+xml"}[form]
    return Figure(f"data:{kind};base64,{b64encode(picture.render(form)).decode()}", make.caption, make.alt)
