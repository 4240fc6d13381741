"""The storage interface of campaigns: an append-only log, the material, and discardable notes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from betterthan.base import MissingExtraError
from betterthan.campaign.campaign_errors import BusyError
from betterthan.campaign.log.events import Event, Note
from betterthan.campaign.material.material import Material

#: How the address of a PostgreSQL database begins.
ADDRESS = ("postgresql://", "postgres://")


class BehindError(Exception):
    """Another process has written to the log: read it, and decide again."""


class Store(Protocol):
    """A log on disk, used by one thread at a time."""

    @property
    def place(self) -> str:
        """The name of the store in messages."""

    def material(self) -> Material:
        """Return the material."""

    def events(self, after: int = 0) -> Iterator[Event]:
        """Return the log from after a number on, in order."""

    def last(self) -> int:
        """Return the number of the last line."""

    def append(self, events: Sequence[Event], notes: Iterable[Note]) -> None:
        """Add lines and notes in one transaction, on disk when this returns.

        BehindError if the numbers are taken, BusyError if the store cannot be written; nothing is stored then.
        """

    def notes(self, kind: str) -> Mapping[str, str]:
        """Return the notes of a kind by their keys."""

    def backup(self, place: Path) -> None:
        """Write everything into a new file, also while others write."""

    def damage(self) -> Sequence[str]:
        """Return problems of the store, in sentences; empty if it is intact."""

    def guard(self) -> None:
        """Become the only server of this campaign, or refuse."""

    def reopened(self) -> "Store":
        """Open it again, for reading while another thread writes."""

    def close(self) -> None:
        """Close the store."""


def open_store(place: str) -> Store:
    """Open the campaign at a path (SQLite), or at the address of a PostgreSQL database."""
    store: Store = _module(place).open_at(place)
    return store


def create_store(place: str, material: Material, first: Event) -> Store:
    """Make a campaign; refuse where there is one already."""
    store: Store = _module(place).create(place, material, first)
    return store


def _module(place: str) -> Any:
    if not place.startswith(ADDRESS):
        return import_module("betterthan.campaign.store.sqlite_store")
    try:
        return import_module("betterthan.campaign.store.postgres_store")
    except ModuleNotFoundError:
        raise MissingExtraError("psycopg", "postgres", "a campaign in PostgreSQL") from None


def not_saved(why: str) -> BusyError:
    """Raise the error that the store cannot be written now."""
    return BusyError(f"this cannot be saved right now: {why}", remedy="Nothing was lost; try again in a moment.")
