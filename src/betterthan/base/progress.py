"""Progress callbacks for long computations; the library itself prints nothing."""

from collections.abc import Callable
from time import monotonic

#: Called with (steps done, steps in all); the command line turns it into a bar.
Progress = Callable[[int, int], None]
#: Seconds between two reports of one part.
_BETWEEN = 0.1


def silent(done: int, total: int) -> None:
    """Report nothing."""


def part_of(progress: Progress, place: int, parts: int) -> Progress:
    """Report one of several equal parts of the work as progress of the whole: some times a second, and its end."""
    if progress is silent:
        return silent
    last = monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        if done >= total or monotonic() - last >= _BETWEEN:
            last = monotonic()
            progress(place * total + done, parts * total)

    return report
