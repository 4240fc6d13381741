"""Campaign storage in one SQLite file."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from betterthan.campaign.campaign_errors import BusyError, CampaignError, ConflictError, UnknownError
from betterthan.campaign.log.events import Event, Note
from betterthan.campaign.material.material import Material
from betterthan.campaign.store.campaign_store import BehindError, not_saved
from betterthan.campaign.store.store_schema import (
    KEEP_NOTE,
    VERSION,
    event_of,
    material_of,
    rows_of,
    statements,
    steps_from,
)

#: What marks the file as ours (`file` and our own reader look for it): "bthn".
APPLICATION = 0x6274686E
#: Seconds to wait for others who write.
_PATIENCE = 5.0
_KEEP_NOTE = KEEP_NOTE.format("?", "?", "?")
_MAKE = "Make one with: betterthan campaign new"
_CHECK = "If this goes on, run: betterthan campaign check"


def open_at(place: str) -> "SqliteStore":
    """Open a campaign's file."""
    return SqliteStore(Path(place))


def create(place: str, material: Material, first: Event) -> "SqliteStore":
    """Make a campaign's file, which appears as a whole or not at all."""
    path = Path(place)
    being_made = path.with_name(f".{path.name}.{os.getpid()}")
    being_made.unlink(missing_ok=True)
    try:
        _fill(being_made, material, first)
        _appear(being_made, path)
    except FileExistsError:
        raise ConflictError("this file exists already", where=str(path), remedy="Choose another name.") from None
    except sqlite3.DatabaseError as error:
        raise CampaignError(f"cannot be written: {_why(error)}", where=str(path)) from None
    finally:
        being_made.unlink(missing_ok=True)
    return SqliteStore(path)


def _appear(made: Path, path: Path) -> None:
    """Give a file its name, refusing where there is one: a rename would replace it."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        path.touch(exist_ok=False)
        made.replace(path)


def _fill(path: Path, material: Material, first: Event) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("BEGIN")
        for step in steps_from(0, str(path)):
            for statement in statements(step):
                connection.execute(statement)
        for table, rows in rows_of(material).items():
            if rows:
                connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", _row(first))
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")


class SqliteStore:
    """A SQLite file in write-ahead mode with full sync: every commit is on disk before it is confirmed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise UnknownError("there is no such campaign", where=str(path), remedy=_MAKE)
        self._guard: int | None = None
        # One thread at a time uses it, but not always the same one.
        self._connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            self._recognise()
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._upgrade()
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise CampaignError(f"cannot be opened: {_why(error)}", where=str(path)) from None
        except BaseException:
            self._connection.close()
            raise

    @property
    def place(self) -> str:
        """The path of the file."""
        return str(self.path)

    def _recognise(self) -> None:
        if self._connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise CampaignError("is not a campaign", where=self.place, remedy=_MAKE)

    def _upgrade(self) -> None:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        for step in steps_from(version, self.place):
            with self._transaction():
                for statement in statements(step):
                    self._connection.execute(statement)
                version += 1
                self._connection.execute(f"PRAGMA user_version = {version}")

    def material(self) -> Material:
        """Read the material."""
        tables = {"items": "number", "systems": "number", "outputs": "item, system", "checks": "number"}
        with self._readable():
            return material_of(
                {name: self._connection.execute(f"SELECT * FROM {name} ORDER BY {key}") for name, key in tables.items()}
            )

    def events(self, after: int = 0) -> Iterator[Event]:
        """Read the log."""
        with self._readable():
            for row in self._connection.execute("SELECT * FROM events WHERE number > ? ORDER BY number", (after,)):
                yield event_of(*row)

    def last(self) -> int:
        """Check the end of the log."""
        with self._readable():
            found: int = self._connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0]
        return found

    def append(self, events: Sequence[Event], notes: Iterable[Note]) -> None:
        """Write everything in one transaction."""
        try:
            with self._transaction():
                self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", map(_row, events))
                for note in notes:
                    if note.value is None:
                        self._connection.execute("DELETE FROM notes WHERE kind = ? AND key = ?", (note.kind, note.key))
                    else:
                        self._connection.execute(_KEEP_NOTE, (note.kind, note.key, note.value))
        except sqlite3.IntegrityError:
            raise BehindError from None
        except sqlite3.DatabaseError as error:
            raise not_saved(_why(error)) from None

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise BusyError(f"cannot be read right now: {_why(error)}", where=self.place, remedy=_CHECK) from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def notes(self, kind: str) -> Mapping[str, str]:
        """Read the notes of a kind."""
        with self._readable():
            return dict(self._connection.execute("SELECT key, value FROM notes WHERE kind = ?", (kind,)).fetchall())

    def backup(self, place: Path) -> None:
        """Copy page by page; writers continue meanwhile."""
        if place.exists():
            raise ConflictError("this file exists already", where=str(place), remedy="Choose another name.")
        being_made = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            with contextlib.closing(sqlite3.connect(being_made)) as target:
                self._connection.backup(target)
            _appear(being_made, place)
        except sqlite3.DatabaseError as error:
            raise CampaignError(f"cannot be written: {_why(error)}", where=str(place)) from None
        finally:
            being_made.unlink(missing_ok=True)

    def damage(self) -> Sequence[str]:
        """Check the integrity of the file."""
        try:
            found = [text for (text,) in self._connection.execute("PRAGMA integrity_check")]
        except sqlite3.DatabaseError as error:
            return [f"the file is damaged: {error}"]
        return [] if found == ["ok"] else [f"the file is damaged: {text}" for text in found[:10]]

    def guard(self) -> None:
        """Hold a lock next to the file for as long as this process serves it."""
        import fcntl  # noqa: PLC0415 (a server runs on machines that have it)

        descriptor = os.open(f"{self.path}-server", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise ConflictError("is being served already", where=self.place, remedy="Stop that server first.") from None
        self._guard = descriptor

    def reopened(self) -> "SqliteStore":
        """Open the file once more."""
        return SqliteStore(self.path)

    def close(self) -> None:
        """Close the file, and let another server take it."""
        self._connection.close()
        if self._guard is not None:
            os.close(self._guard)
            self._guard = None


def _row(event: Event) -> tuple[int, float, str, str]:
    return event.number, event.at, event.kind, event.text()


def _why(error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where within SQLite
    return {
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_BUSY: "another program is using the file",
        sqlite3.SQLITE_LOCKED: "another program is using the file",
        sqlite3.SQLITE_CANTOPEN: "the folder does not exist, or you may not write to it",
        sqlite3.SQLITE_READONLY: "you may not write to it",
        sqlite3.SQLITE_NOTADB: "it is not a campaign, or damaged",
    }.get(code, str(error))
