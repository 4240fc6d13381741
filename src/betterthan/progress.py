"""How long work says where it is: a callback, so that the library prints nothing by itself."""

from collections.abc import Callable

#: Called with (steps done, steps in all); the command line turns it into a bar.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Report nothing."""


def part_of(progress: Progress, place: int, parts: int) -> Progress:
    """Report one of several equal parts of the work as progress of the whole."""
    return lambda done, total: progress(place * total + done, parts * total)
