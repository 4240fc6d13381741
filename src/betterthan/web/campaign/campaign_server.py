"""Serve a campaign in this process; only locally unless it is encrypted."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from betterthan.campaign import Campaign, CampaignError
from betterthan.web.campaign.campaign_app import create_app
from betterthan.web.server.http_server import Tls, address, in_background, is_loopback, listen, run


def serve(
    campaign: Campaign,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    tls: Tls | None = None,
    behind_proxy: bool = False,
    origin: str | None = None,
) -> None:
    """Serve a campaign until the process is stopped.

    `behind_proxy` says that a proxy which speaks HTTPS is in front, `origin` is the address that browsers see.
    """
    app, listening = _served(campaign, host, port, tls=tls, behind_proxy=behind_proxy, origin=origin)
    run(app, listening, tls=tls)


@contextmanager
def running_campaign(
    campaign: Campaign,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    tls: Tls | None = None,
    behind_proxy: bool = False,
    origin: str | None = None,
) -> Iterator[str]:
    """Serve a campaign from a thread within a `with` block, and return its address; port 0 is any that is free."""
    app, listening = _served(campaign, host, port, tls=tls, behind_proxy=behind_proxy, origin=origin)
    with in_background(app, listening, tls=tls):
        yield address(host, listening, scheme="https" if tls else "http")


def _served(
    campaign: Campaign, host: str, port: int, *, tls: Tls | None, behind_proxy: bool, origin: str | None
) -> tuple[Any, socket.socket]:
    """Return the application, and the socket that it listens on."""
    if not is_loopback(host) and tls is None and not behind_proxy:
        raise CampaignError(
            f"serving on {host} would send sessions over the network unencrypted",
            remedy="Give a certificate and its key, say that an HTTPS proxy stands in front, or serve on 127.0.0.1.",
        )
    return create_app(campaign, secure=tls is not None or behind_proxy, origin=origin), listen(host, port)
