"""Loops over millions of games, compiled by Numba where it is installed and faster.

A loop is written once, as a function over indexable values. In plain Python it runs on lists, which are faster to index
than arrays; compiled it runs on arrays. It uses only what both support: numbers, loops, `math`, lists that it makes,
and functions of its own file.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

#: The number of Elo games from which compiling pays. Plain Python plays about two million in the 0.6 s that Numba needs
#: to import and compile (0.4 s from the cache). Other loops count accordingly.
PAYS = 2_000_000

_Loop = TypeVar("_Loop", bound=Callable[..., Any])
_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}
_callable: set[FunctionType] = set()  # what compiled loops can call
_lock = Lock()  # threads that ask for the same loop at once wait for one of them to compile it


def quick(function: _Loop, steps: int) -> _Loop:
    """Return the function compiled if it goes through enough games for that to pay, and as it is otherwise.

    >>> def add_up(games, points):
    ...     for place in range(len(games)):
    ...         points[games[place]] += 1.0
    >>> games, points = prepared(3, np.array([0, 1, 1]), np.zeros(2))
    >>> quick(add_up, 3)(games, points)
    >>> points
    [1.0, 2.0]
    """
    numba = _numba() if steps >= PAYS else None
    if numba is None:
        return function
    with _lock:
        if function not in _compiled:
            _compiled[function] = _compile(numba, function)
        return cast(_Loop, _compiled[function])


def prepared(steps: int, *arrays: Any) -> tuple[Any, ...]:
    """Return arrays as `quick`, asked with the same number of games, wants them: as lists, or in one piece.

    Read changes of a loop from the returned value; it may be the given array itself.
    """
    if steps >= PAYS and _numba() is not None:
        return tuple(np.ascontiguousarray(array) for array in arrays)
    return tuple(np.asarray(array).tolist() for array in arrays)


def _numba() -> Any:
    try:
        import numba  # noqa: PLC0415 (it takes a third of a second, and not everyone has it)
    except ImportError:  # also raised by a Numba that is too old for this NumPy
        return None
    return numba


def _compile(numba: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    from numba.extending import register_jitable  # noqa: PLC0415

    for helper in _helpers(cast(FunctionType, function)):
        register_jitable(helper)  # stays the plain function for Python, and can now be called by compiled ones
    try:
        return cast(Callable[..., Any], numba.njit(function, nogil=True, cache=True))
    except RuntimeError:  # no folder for the cache can be written, or the loop is in no file
        return cast(Callable[..., Any], numba.njit(function, nogil=True))


def _helpers(function: FunctionType) -> Iterator[FunctionType]:
    """Find the functions of the same file that a function calls, directly or not, and that no other loop brought along.

    Only those of the same file: Numba compiles again when the loop's own file has changed, and uses no other.
    """
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called.__module__ == function.__module__ and called not in _callable:
            _callable.add(called)
            yield called
            yield from _helpers(called)
