"""The argument that names a campaign, and opening that campaign."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from betterthan.campaign import Campaign


def campaign_argument(function: Any) -> Any:
    """Let a command take a campaign: the path of a file, or the address of a PostgreSQL database."""
    return click.argument("place", metavar="CAMPAIGN")(function)


@contextmanager
def opened(place: str) -> "Iterator[Campaign]":
    """Open a campaign, and close it at the end."""
    from betterthan.campaign import Campaign

    with Campaign.open(place) as found:
        yield found
