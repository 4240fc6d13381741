"""Limits on the size and rate of requests."""

import math
import time
from collections.abc import Callable

#: Bytes of a request's body; an answer with a reason takes about one thousandth of it.
MOST_BYTES = 256 * 1024


class Limiter:
    """Token buckets, one per name: `rate` tokens are added each second, up to `burst`.

    Nothing is written down, and names are those of sessions, never addresses.

    >>> now = 0.0
    >>> limiter = Limiter(rate=1, burst=2, clock=lambda: now)
    >>> [limiter.wait("a") for _ in range(3)]
    [0, 0, 1]
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic, most: int = 20_000
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._most = most
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, name: str) -> int:
        """Take a token and return 0, or the whole seconds until there is one."""
        now = self._clock()
        tokens, then = self._buckets.get(name, (self.burst, now))
        tokens = min(self.burst, tokens + (now - then) * self.rate)
        if tokens < 1:
            self._buckets[name] = (tokens, now)
            return max(1, math.ceil((1 - tokens) / self.rate))
        if name not in self._buckets and len(self._buckets) >= self._most:
            self._forget(now)
        self._buckets[name] = (tokens - 1, now)
        return 0

    def _forget(self, now: float) -> None:
        """Drop buckets that are full again, and all of them where made-up names filled the table."""
        full_after = self.burst / self.rate
        self._buckets = {name: kept for name, kept in self._buckets.items() if now - kept[1] < full_after}
        if len(self._buckets) >= self._most:
            self._buckets.clear()
