"""Serve an application with uvicorn in this process, one worker, without an access log."""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from betterthan.base import BetterthanError

#: Seconds that requests have to end when the server stops; acknowledged data are stored in any case.
GRACE = 5
#: Seconds that a connection may be idle: people read for longer than the usual five.
_IDLE = 75


class ServingError(BetterthanError):
    """An application cannot be served with these settings."""


@dataclass(frozen=True)
class Tls:
    """Files of a certificate and its private key."""

    certificate: Path
    key: Path


class _Server(uvicorn.Server):
    """Notifies the application of the stop before waiting for requests to end."""

    stopping: Callable[[], None] | None = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        if self.stopping is not None:
            self.stopping()
        await super().shutdown(sockets)


def run(
    app: Any,
    listening: socket.socket,
    *,
    tls: Tls | None = None,
    grace: float = GRACE,
    stopping: Callable[[], None] | None = None,
) -> None:
    """Serve until the process is stopped; `stopping` is called before waiting for requests."""
    with listening:
        _server(app, tls, grace, stopping).run(sockets=[listening])


@contextmanager
def in_background(
    app: Any,
    listening: socket.socket,
    *,
    tls: Tls | None = None,
    grace: float = GRACE,
    stopping: Callable[[], None] | None = None,
) -> Iterator[None]:
    """Serve from a thread within a `with` block."""
    with listening:
        server = _server(app, tls, grace, stopping)
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listening]}, name="betterthan-web", daemon=True
        )
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            if not server.started:
                raise ServingError("the server did not start")
            yield
        finally:
            server.should_exit = True
            thread.join(timeout=2 * grace)


def _server(app: Any, tls: Tls | None, grace: float, stopping: Callable[[], None] | None) -> uvicorn.Server:
    for path in (tls.certificate, tls.key) if tls else ():
        if not path.is_file():
            raise ServingError(f"there is no file {path}", remedy="A certificate and its private key are PEM files.")
    # The application stops its requests when notified, so cancelled requests need no message.
    log = "warning" if stopping is None else "critical"
    config = uvicorn.Config(
        app,
        workers=1,
        access_log=False,
        log_level=log,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=int(grace),
        timeout_keep_alive=_IDLE,
        ssl_certfile=tls.certificate if tls else None,
        ssl_keyfile=tls.key if tls else None,
    )
    server = _Server(config)
    server.stopping = stopping
    return server


def listen(host: str, port: int) -> socket.socket:
    """Open the port before anything else: a port in use is reported at once."""
    listening = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With its protocol named: else answers wait 40 ms for the acknowledgement of their first half (Nagle).
        listening = socket.socket(found[0], socket.SOCK_STREAM, found[2])
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(found[4])
    except (OSError, OverflowError) as error:
        if listening is not None:
            listening.close()
        raise ServingError(
            f"cannot listen on {host}, port {port} ({error})", remedy="Choose another port, or 0 for any that is free."
        ) from None
    return listening


def address(host: str, listening: socket.socket, *, scheme: str = "http") -> str:
    """Return the address that browsers reach a server by."""
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}:{listening.getsockname()[1]}"


def is_loopback(host: str) -> bool:
    """Return whether an address is reached from this machine alone.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
