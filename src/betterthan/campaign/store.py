"""Where a campaign is kept: a log that only grows, what is judged, and a few notes that may be forgotten."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from betterthan.campaign.events import Event, Note
from betterthan.campaign.material import Material
from betterthan.campaign.refusals import BusyError
from betterthan.errors import MissingExtraError

#: How the address of a PostgreSQL database begins.
ADDRESS = ("postgresql://", "postgres://")


class BehindError(Exception):
    """Somebody else has written to the log: read it, and decide again."""


class Store(Protocol):
    """A log on disk. One thread at a time uses it."""

    @property
    def place(self) -> str:
        """What to call it in a message."""

    def material(self) -> Material:
        """Return what is judged."""

    def events(self, after: int = 0) -> Iterator[Event]:
        """Return the log from after a number on, in order."""

    def last(self) -> int:
        """Return the number of the last line."""

    def append(self, events: Sequence[Event], notes: Iterable[Note]) -> None:
        """Add lines and notes in one transaction, on disk when this returns.

        BehindError where the numbers are taken, BusyError where the store cannot be written: nothing is kept then.
        """

    def notes(self, kind: str) -> Mapping[str, str]:
        """Return the notes of a kind by their keys."""

    def backup(self, place: Path) -> None:
        """Write everything into a new file, also while others write."""

    def damage(self) -> Sequence[str]:
        """Return what is wrong with the store itself, in sentences; nothing where it is whole."""

    def guard(self) -> None:
        """Become the only server of this campaign, or refuse."""

    def reopened(self) -> "Store":
        """Open it once more, for whoever reads while another thread writes."""

    def close(self) -> None:
        """Let go of it."""


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
        return import_module("betterthan.campaign.sqlite")
    try:
        return import_module("betterthan.campaign.postgres")
    except ModuleNotFoundError:
        raise MissingExtraError("psycopg", "postgres", "a campaign in PostgreSQL") from None


def not_saved(why: str) -> BusyError:
    """Say that the store takes nothing now."""
    return BusyError(f"this cannot be saved right now: {why}", remedy="Nothing was lost; try again in a moment.")
