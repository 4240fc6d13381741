"""A cache of the most recent results."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Kept(Generic[_T]):
    """The last `most` results by key; failed or stopped work is not cached.

    >>> kept = Kept[int](most=1)
    >>> kept("two", lambda: 1 + 1), kept("two", lambda: 1 // 0)
    (2, 2)
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._answers: OrderedDict[Hashable, _T] = OrderedDict()

    def __call__(self, key: Hashable, work: Callable[[], _T]) -> _T:
        """Return the result, computed now if it is not cached; no one waits for work that another may stop."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = work()
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer

    def clear(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._answers.clear()
