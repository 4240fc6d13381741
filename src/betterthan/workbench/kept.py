"""Answers that are kept while they are among the last ones asked for."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Kept(Generic[_T]):
    """The last `most` answers by key; work that fails or is stopped leaves nothing.

    >>> kept = Kept[int](most=1)
    >>> kept("two", lambda: 1 + 1), kept("two", lambda: 1 // 0)
    (2, 2)
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._answers: OrderedDict[Hashable, _T] = OrderedDict()

    def __call__(self, key: Hashable, work: Callable[[], _T]) -> _T:
        """Return the answer, worked out now if it is not kept; nobody waits for work that another may stop."""
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
