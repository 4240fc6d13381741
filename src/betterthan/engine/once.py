"""Answers that are worked out once, however many threads ask for them."""

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, TypeVar

_T = TypeVar("_T")


class Once:
    """Answers by key: the first to ask works an answer out, the others wait for it.

    A copy begins empty: what was worked out can be worked out again, and locks cannot be copied.

    >>> once = Once()
    >>> once("two", lambda: 1 + 1), once("two", lambda: 1 / 0)
    (2, 2)
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._answers: dict[Hashable, Any] = {}
        self._working: dict[Hashable, RLock] = {}

    def __call__(self, key: Hashable, work: Callable[[], _T]) -> _T:
        """Return the answer of this key, worked out now if it is not known yet."""
        with self._guard:
            if key in self._answers:
                return self._answers[key]  # type: ignore[no-any-return]
            working = self._working.setdefault(key, RLock())
        with working:
            if key not in self._answers:
                answer = work()
                with self._guard:
                    self._answers[key] = answer
            return self._answers[key]  # type: ignore[no-any-return]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._answers

    def known(self) -> tuple[Any, ...]:
        """Return the answers so far, oldest first."""
        with self._guard:
            return tuple(self._answers.values())

    def __reduce__(self) -> tuple[type["Once"], tuple[()]]:
        return Once, ()
