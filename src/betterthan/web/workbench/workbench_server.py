"""Serve a workbench on the loopback address, with a token in the URL."""

import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from betterthan.web.server.http_server import address, in_background, listen, run
from betterthan.web.workbench.open_files import MOST_BYTES
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_app import create_app

_HOST = "127.0.0.1"
#: Seconds that requests have to end: nothing is lost by stopping them.
_GRACE = 1


@dataclass(frozen=True)
class Served:
    """A workbench at its port: `address` is the URL with the token."""

    session: WorkbenchSession
    app: Any
    listening: socket.socket
    address: str

    def run(self) -> None:
        """Serve until the process is stopped."""
        run(self.app, self.listening, grace=_GRACE, stopping=self.session.turns.close)

    @contextmanager
    def in_background(self) -> Iterator["Served"]:
        """Serve from a thread within a `with` block."""
        with in_background(self.app, self.listening, grace=_GRACE, stopping=self.session.turns.close):
            yield self


def served_workbench(
    session: WorkbenchSession, port: int = 0, state: Mapping[str, Any] | None = None, *, most_bytes: int = MOST_BYTES
) -> Served:
    """Open a port for a workbench; 0 is any that is free. `state` is what pages begin with."""
    listening = listen(_HOST, port)
    token = secrets.token_urlsafe(32)
    number = listening.getsockname()[1]
    app = create_app(session, token=token, port=number, state=state or {}, most_bytes=most_bytes)
    return Served(session, app, listening, f"{address(_HOST, listening)}/?token={token}")
