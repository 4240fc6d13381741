"""What was made once: shared by threads, forgotten by copies in other processes."""

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, TypeVar

_T = TypeVar("_T")


class Store:
    """Values by key, each made by the first who asks for it."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the value of a key, making it if nobody has before."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            made: _T = self._made[key]
            return made

    def __contains__(self, key: Hashable) -> bool:
        return key in self._made

    def __reduce__(self) -> tuple[type["Store"], tuple[()]]:
        return Store, ()
