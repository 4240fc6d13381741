"""How long work says where it is: a callback, so that the library prints nothing by itself."""

from collections.abc import Callable

#: Called with (steps done, steps in all); the command line turns it into a bar.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Report nothing."""
