"""Serving a campaign: uvicorn in this process, one worker, no log of who asked for what."""

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from betterthan.campaign.campaign import Campaign
from betterthan.campaign.refusals import CampaignError
from betterthan.web.app import create_app

#: Seconds that requests have to end when the server stops; what was acknowledged is kept in any case.
_GRACE = 5
#: Seconds that a connection may be idle: judges read for longer than the usual five.
_IDLE = 75


@dataclass(frozen=True)
class Tls:
    """Files of a certificate and its private key."""

    certificate: Path
    key: Path


def serve(
    campaign: Campaign, host: str = "127.0.0.1", port: int = 8000, *, tls: Tls | None = None,
    behind_proxy: bool = False, origin: str | None = None,
) -> None:  # fmt: skip
    """Serve a campaign until the process is told to stop.

    `behind_proxy` says that a proxy which speaks HTTPS stands in front, `origin` is the address that browsers see.
    """
    server, listening = _server(campaign, host, port, tls=tls, behind_proxy=behind_proxy, origin=origin)
    with listening:
        server.run(sockets=[listening])


@contextmanager
def running(
    campaign: Campaign, host: str = "127.0.0.1", port: int = 0, *, tls: Tls | None = None,
    behind_proxy: bool = False, origin: str | None = None,
) -> Iterator[str]:  # fmt: skip
    """Serve a campaign from a thread within a `with` block, and return its address; port 0 is any that is free."""
    server, listening = _server(campaign, host, port, tls=tls, behind_proxy=behind_proxy, origin=origin)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="betterthan-web", daemon=True)
    with listening:
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            if not server.started:
                raise CampaignError(f"the server did not start on {host}")
            shown = f"[{host}]" if ":" in host else host
            yield f"{'https' if tls else 'http'}://{shown}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=2 * _GRACE)


def _server(
    campaign: Campaign, host: str, port: int, *, tls: Tls | None, behind_proxy: bool, origin: str | None
) -> tuple[uvicorn.Server, socket.socket]:
    """Return a server, and the socket that it listens on."""
    if not is_loopback(host) and tls is None and not behind_proxy:
        raise CampaignError(
            f"serving on {host} would send sessions over the network unencrypted",
            remedy="Give a certificate and its key, say that an HTTPS proxy stands in front, or serve on 127.0.0.1.",
        )
    for path in (tls.certificate, tls.key) if tls else ():
        if not path.is_file():
            raise CampaignError(f"there is no file {path}", remedy="A certificate and its private key are PEM files.")
    secure = tls is not None or behind_proxy
    config = uvicorn.Config(
        create_app(campaign, secure=secure, origin=origin), host=host, port=port, workers=1, access_log=False,
        log_level="warning", server_header=False, proxy_headers=False, lifespan="off", ws="none",
        timeout_graceful_shutdown=_GRACE, timeout_keep_alive=_IDLE, ssl_certfile=tls.certificate if tls else None,
        ssl_keyfile=tls.key if tls else None,
    )  # fmt: skip
    return uvicorn.Server(config), _listen(host, port)


def _listen(host: str, port: int) -> socket.socket:
    """Open the port before anything else: one that is taken is told at once."""
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
        raise CampaignError(
            f"cannot listen on {host}, port {port} ({error})", remedy="Choose another port, or 0 for any that is free."
        ) from None
    return listening


def is_loopback(host: str) -> bool:
    """Say whether an address is reached from this machine alone.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
