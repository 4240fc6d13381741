"""A thread-safe memo: each key is computed once."""

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, TypeVar

_T = TypeVar("_T")
#: Taken for as long as it takes to look a key up.
_GUARD = Lock()


class Memo(dict[Hashable, Any]):
    """Values by key: the first caller computes a value, the others wait for it.

    A copy begins empty: what was computed can be computed again, and locks cannot be copied.

    >>> once = Memo()
    >>> once("two", lambda: 1 + 1), once("two", lambda: 1 / 0)
    (2, 2)
    """

    def __call__(self, key: Hashable, work: Callable[[], _T]) -> _T:
        """Return the value of this key, computed now if it is not known yet."""
        with _GUARD:
            if key in self:
                return self[key]  # type: ignore[no-any-return]
            working = vars(self).setdefault("working", {}).setdefault(key, RLock())
        with working:
            if key not in self:
                answer = work()
                with _GUARD:
                    self[key] = answer
            return self[key]  # type: ignore[no-any-return]

    def known(self) -> tuple[Any, ...]:
        """Return the answers so far, oldest first."""
        with _GUARD:
            return tuple(self.values())

    def __reduce__(self) -> tuple[type["Memo"], tuple[()]]:
        return Memo, ()
