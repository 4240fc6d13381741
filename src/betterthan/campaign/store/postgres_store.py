"""Campaign storage in a PostgreSQL database."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from betterthan.campaign.campaign_errors import CampaignError, ConflictError, UnknownError
from betterthan.campaign.log.events import Event, Note
from betterthan.campaign.material.material import Material
from betterthan.campaign.store import sqlite_store as sqlite
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

#: The advisory lock that a server holds.
_LOCK = 0x6274686E
_APPEND = "INSERT INTO events SELECT * FROM unnest(%s::bigint[], %s::float8[], %s::text[], %s::text[])"
_KEEP_NOTE = KEEP_NOTE.format("%s", "%s", "%s")
_MAKE = "Make one with: betterthan campaign new"
_ADDRESS = "Write postgresql://user@host/database; special characters of a password are percent-encoded."
#: Seconds to wait for others who write.
_PATIENCE = 5.0


def open_at(place: str) -> "PostgresStore":
    """Open the campaign in a database."""
    return PostgresStore(place)


def create(place: str, material: Material, first: Event) -> "PostgresStore":
    """Make a campaign in an empty database, as a whole or not at all."""
    with _connected(place) as connection, connection.transaction():
        if _version(connection) is not None:
            raise ConflictError(
                "this database has a campaign already",
                where=_named(place),
                remedy="Use an empty one for each campaign.",
            )
        for step in steps_from(0, _named(place)):
            _run(connection, step)
        connection.execute("CREATE TABLE betterthan (version BIGINT NOT NULL)")
        connection.execute("INSERT INTO betterthan VALUES (%s)", (VERSION,))
        for table, rows in rows_of(material).items():
            with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        connection.execute("INSERT INTO events VALUES (%s, %s, %s, %s)", _row(first))
    return PostgresStore(place)


class PostgresStore:
    """One connection; a lost one is reopened, and its pending data are lost."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._guarded = False
        self._connection = _connected(address)
        version = _version(self._connection)
        if version is None:
            self._connection.close()
            raise UnknownError("there is no campaign in this database", where=self.place, remedy=_MAKE)
        for number, step in enumerate(steps_from(version, self.place), start=version + 1):
            with self._connection.transaction():
                _run(self._connection, step)
                self._connection.execute("UPDATE betterthan SET version = %s", (number,))

    @property
    def place(self) -> str:
        """The database, without its password."""
        return _named(self.address)

    def material(self) -> Material:
        """Read the material."""
        tables = {"items": "number", "systems": "number", "outputs": "item, system", "checks": "number"}
        with self._alive() as connection:
            return material_of(
                {name: connection.execute(f"SELECT * FROM {name} ORDER BY {key}") for name, key in tables.items()}
            )

    def events(self, after: int = 0) -> Iterator[Event]:
        """Read the log."""
        with self._alive() as connection:
            rows = connection.execute("SELECT * FROM events WHERE number > %s ORDER BY number", (after,)).fetchall()
        return (event_of(*row) for row in rows)

    def last(self) -> int:
        """Check the end of the log."""
        with self._alive() as connection:
            found = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
        return int(found[0]) if found else 0

    def append(self, events: Sequence[Event], notes: Iterable[Note]) -> None:
        """Write everything in one transaction, and in one statement each: a round trip costs more than a row."""
        try:
            with self._alive() as connection, connection.transaction():
                if events:
                    columns = [list(column) for column in zip(*map(_row, events), strict=True)]
                    connection.execute(_APPEND, columns)
                for note in notes:
                    if note.value is None:
                        connection.execute("DELETE FROM notes WHERE kind = %s AND key = %s", (note.kind, note.key))
                    else:
                        connection.execute(_KEEP_NOTE, (note.kind, note.key, note.value))
        except psycopg.errors.UniqueViolation:
            raise BehindError from None

    @contextlib.contextmanager
    def _alive(self) -> Iterator[Any]:
        """Return the connection, reopened if it was lost."""
        try:
            if self._connection.closed:
                self._connect_again()
            yield self._connection
        except psycopg.IntegrityError:
            raise
        except psycopg.Error as error:
            raise not_saved(_first_line(error)) from None

    def _connect_again(self) -> None:
        connection = _connection(self.address)
        # Without the lock another server may be at work: this one may not write then.
        if self._guarded and not _locked(connection):
            connection.close()
            raise not_saved("another server has taken over this campaign, or the lost connection still holds its lock")
        self._connection = connection

    def notes(self, kind: str) -> Mapping[str, str]:
        """Read the notes of a kind."""
        with self._alive() as connection:
            return dict(connection.execute("SELECT key, value FROM notes WHERE kind = %s", (kind,)).fetchall())

    def backup(self, place: Path) -> None:
        """Write a file of SQLite that can be opened as the campaign itself."""
        events = self.events()
        copy = sqlite.create(str(place), self.material(), next(events))
        kinds: tuple[Any, ...] = ("draft", "name", "told", "password")
        copy.append(list(events), [Note(kind, *each) for kind in kinds for each in self.notes(kind).items()])
        copy.close()

    def damage(self) -> Sequence[str]:
        """PostgreSQL looks after its own files."""
        return []

    def guard(self) -> None:
        """Hold an advisory lock for as long as the connection lives."""
        if not _locked(self._connection):
            raise ConflictError("is being served already", where=self.place, remedy="Stop that server first.")
        self._guarded = True

    def reopened(self) -> "PostgresStore":
        """Connect once more."""
        return PostgresStore(self.address)

    def close(self) -> None:
        """Give the lock back, so that the next server has it at once, and close the connection."""
        if self._guarded:
            with contextlib.suppress(psycopg.Error):  # a lost connection holds no lock
                self._connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
        self._connection.close()


def _connected(address: str) -> Any:
    _named(address)
    try:
        return _connection(address)
    except psycopg.Error as error:
        raise CampaignError(f"cannot be reached: {_first_line(error)}", where=_named(address)) from None


def _connection(address: str) -> Any:
    connection = psycopg.connect(
        address, autocommit=True, connect_timeout=5, keepalives_idle=10, keepalives_interval=5, keepalives_count=3
    )
    connection.execute(f"SET lock_timeout = {int(1000 * _PATIENCE)}")
    return connection


def _locked(connection: Any) -> bool:
    found = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone()
    return bool(found and found[0])


def _version(connection: Any) -> int | None:
    if connection.execute("SELECT to_regclass('betterthan')").fetchone()[0] is None:
        return None
    return int(connection.execute("SELECT version FROM betterthan").fetchone()[0])


def _run(connection: Any, step: str) -> None:
    for statement in statements(step):
        connection.execute(statement)


def _row(event: Event) -> tuple[int, float, str, str]:
    return event.number, event.at, event.kind, event.text()


def _named(address: str) -> str:
    """Return an address without its password, and refuse one in which the password cannot be identified."""
    try:
        found = psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error:  # its text has a part of the password
        found = {"host": "@"}
    host, database, port = (str(found.get(name) or "") for name in ("host", "dbname", "port"))
    if "@" in host + database or (not port.replace(",", "").isdigit() and port):
        raise CampaignError("this is not an address of a PostgreSQL database", remedy=_ADDRESS)
    return f"postgresql://{host}/{database}"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
