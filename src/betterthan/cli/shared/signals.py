"""Convert termination signals to an exception, so that temporary files and processes are removed."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Ctrl-C, `kill`, and a terminal that is closed.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal ended the process; libraries handle it like Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    @property
    def code(self) -> int:
        """The exit code that shells know for it: 130 for Ctrl-C, 143 for `kill`."""
        return 128 + self.number


class Stopping:
    """Which signal came, if one did: what it raised may have become another error on the way."""

    def __init__(self) -> None:
        self.stopped: Stopped | None = None

    def stop(self, number: int, frame: FrameType | None) -> None:
        """End what is under way."""
        self.stopped = Stopped(number)
        raise self.stopped


@contextmanager
def stoppable(*, for_good: bool) -> Iterator[Stopping]:
    """Let signals end what happens inside; `for_good`: the process ends after it, and is not interrupted in that."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():  # signals reach the main thread alone
        yield stopping
        return
    before = {number: signal.signal(number, stopping.stop) for number in _SIGNALS}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if for_good else handler)
