"""A request queue: a request that a newer one replaces stops at its next step."""

import threading
from collections import OrderedDict


class OvertakenError(Exception):
    """The page has requested something newer, or the workbench closes."""


class RequestTurn:
    """One request; as a `progress` callback it stops work that is no longer needed."""

    def __init__(self, turns: "Turns", key: tuple[str, str], number: int) -> None:
        self._turns, self._key, self._number = turns, key, number

    def __call__(self, done: int = 0, total: int = 0) -> None:
        """Continue, or stop."""
        if self._turns.newest(self._key) != self._number:
            raise OvertakenError


class Turns:
    """The newest request of every tab and panel.

    >>> turns = Turns()
    >>> first, second = turns.begin("tab", "board"), turns.begin("tab", "board")
    >>> second()
    >>> first()
    Traceback (most recent call last):
    betterthan.web.workbench.request_queue.OvertakenError
    """

    def __init__(self, most: int = 1000) -> None:
        self._lock = threading.Lock()
        self._newest: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._number = 0
        self._most = most
        self._closed = False

    def begin(self, tab: str, panel: str) -> RequestTurn:
        """Overtake whatever this panel of this tab has requested before."""
        with self._lock:
            self._number += 1
            self._newest[tab, panel] = self._number
            self._newest.move_to_end((tab, panel))
            if len(self._newest) > self._most:
                self._newest.popitem(last=False)
            return RequestTurn(self, (tab, panel), self._number)

    def newest(self, key: tuple[str, str]) -> int | None:
        """Return the number of the newest request, None where all work is to stop."""
        with self._lock:
            return None if self._closed else self._newest.get(key)

    def close(self) -> None:
        """Stop all work at its next step."""
        with self._lock:
            self._closed = True
