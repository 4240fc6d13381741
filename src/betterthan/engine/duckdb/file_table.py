"""Files as one table: streamed, text columns as text, every failure as a sentence."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from threading import Lock
from typing import Any, Self, TypeVar

import duckdb
import numpy as np

from betterthan.base import EvidenceError, Memo
from betterthan.engine.conditions import Condition
from betterthan.engine.duckdb.connection import Ask, connect, lock_up
from betterthan.engine.duckdb.duck_table import DuckTable, without_zones
from betterthan.engine.duckdb.file_layouts import ScanPart, attach, escaped, part_of, place
from betterthan.engine.duckdb.sql import literal, quote_name, units_of
from betterthan.engine.files.decompression import Temporaries
from betterthan.engine.files.input_files import File, Opening, resolve
from betterthan.engine.table import MANY_ROWS

#: No header has this name: it cannot be typed.
#: A hidden column: the name of the file that a row is from.
FILE = "\x1ffile"
#: Of more rows than this, columns of JSON lines are not kept in memory but read again.
_KEPT_ROWS = 4_000_000
#: That many distinct rows or fewer are kept inside DuckDB.
_KEPT_GROUPS = 200_000
#: Tables that are kept have names of their own, as several tables may share a connection.
_KEPT = count()
_COLUMNAR = {"parquet", "arrow", "duckdb"}
_R = TypeVar("_R")


class OpenFiles:
    """Files behind a separate DuckDB connection, shared by a table and its subsets."""

    def __init__(self, sources: Sequence[str | os.PathLike[str]], opening: Opening) -> None:
        self.opening = opening
        self.scans = 0
        self.once = Memo()
        self._counting = Lock()
        self._temporaries = Temporaries()
        self._connection = connect(spilled=self._temporaries.name())  # removed if the process ends first
        try:
            self.files = tuple(resolve(sources, opening, self._temporaries))
            self._lock_up()
            parts = [self._part(file) for file in self.files]
            self.lacking = _lacking(parts)
            self.parts = [part.without(self.lacking) for part in parts]
        except BaseException:
            self.close()
            raise

    def _lock_up(self) -> None:
        """Leave DuckDB nothing but these files: no network, no extensions, no other path."""
        for file in self.files:
            if file.layout == "duckdb":
                self._explained(file, attach)
        # A pattern is looked up as it is written, then the file that it means.
        lock_up(self._connection, [path for file in self.files for path in (escaped(file.path), str(file.path))])

    @property
    def name(self) -> str:
        """The name of the files in messages."""
        return self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files"

    def cursor(self) -> Any:
        """Return a separate cursor, so that threads do not disturb each other."""
        try:
            cursor = self._connection.cursor()
        except duckdb.ConnectionException:
            raise EvidenceError("was closed", where=self.name, remedy="Read it again.") from None
        for part in self.parts:
            if part.registered is not None:
                cursor.register(*part.registered)
        return cursor

    def ask(self, run: Callable[[str], Any], sql: str) -> Any:
        """Run SQL, and count it where it goes over the files."""
        if self.parts[0].scan in sql or place(self.parts[0].file) in sql:
            with self._counting:
                self.scans += 1
        return run(sql)

    def close(self) -> None:
        """Close the connection and remove temporary files."""
        self._connection.close()
        self._temporaries.close()

    def _part(self, file: File) -> ScanPart:
        return self._explained(file, lambda connection, file: part_of(connection, file, self.opening))

    def _explained(self, file: File, work: Callable[[Any, File], _R]) -> _R:
        try:
            return work(self._connection, file)
        except duckdb.Error as error:
            raise _explain(error, [file]) from None


@dataclass(frozen=True, eq=False)
class FileTable(DuckTable):
    """Files as one table; `scanned` is the part of its source that reads them, so that a copy can read them again."""

    opened: OpenFiles
    scanned: str
    counts_unreadable: bool = True

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column for column in self.kinds if column != FILE)

    @property
    def changes(self) -> tuple[str, ...]:
        """What was left out of files around their tables, and numbers that were read in another notation."""
        files = self.opened.files
        around = [f"{file.name}: {each}" if len(files) > 1 else each for file in files for each in file.changes]
        return (*around, *(f"column {column}, which {file} lacks" for column, file in self.lacking.items()))

    @property
    def columnar(self) -> bool:
        """Whether single columns can be read without the others."""
        return all(file.layout in _COLUMNAR for file in self.opened.files)

    @property
    def scans(self) -> int:
        """How often the files were gone over since they were opened."""
        return self.opened.scans

    def _where(self, conditions: Sequence[Condition], *, unreadable: bool) -> Self:
        return replace(
            super()._where(conditions, unreadable=unreadable),
            counts_unreadable=self.counts_unreadable and unreadable,
        )

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column; of many rows, these are kept for buckets."""
        if not self.columnar or (rows := int(self._values(f"SELECT count(*) FROM {self.source}")[0][0])) < MANY_ROWS:
            return super().unique(columns)
        with self._asking() as ask:
            kept = [self._kept_units(ask, column) for column in columns]
            return rows, *(int(ask(f"SELECT count(full_hash) FROM {units}").fetchall()[0][0]) for units in kept)

    @contextmanager
    def _grouped(self, ask: Ask, keys: Sequence[str]) -> Iterator[str]:
        """Cache small answers, so that files are not read twice."""
        asked, name = ("grouped", tuple(keys)), f"betterthan_grouped_{next(_KEPT)}"
        if asked in self.once:
            yield self.once(asked, lambda: name)
            return
        ask(f"CREATE TABLE {name} AS {self._counted(keys)}")
        small = int(ask(f"SELECT count(*) FROM {name}").fetchall()[0][0]) <= _KEPT_GROUPS
        try:
            yield name
        finally:
            if not small or self.once(asked, lambda: name) != name:  # another thread was faster
                ask(f"DROP TABLE {name}")

    def _units(self, ask: Ask, column: str) -> AbstractContextManager[str]:
        return nullcontext(self._kept_units(ask, column))

    def _kept_units(self, ask: Ask, column: str) -> str:
        """Return the table of a column's units, which is made once: counting them is half of the work."""

        def make() -> str:
            name = f"betterthan_units_{next(_KEPT)}"
            ask(f"CREATE TABLE {name} AS {units_of(self.source, column, self.kinds[column])}")
            return name

        return self.once(("units", column), make)

    def kept(self, columns: Sequence[str]) -> Self:
        """Read these columns of JSON lines once: all other keys would be parsed for every answer."""
        wanted = tuple(dict.fromkeys(columns))
        if not all(file.layout == "jsonl" for file in self.opened.files) or not set(wanted) <= set(self.kinds):
            return self

        return self.once(("kept", wanted), lambda: self._in_memory(wanted))

    def _in_memory(self, wanted: Sequence[str]) -> Self:
        name = f"betterthan_rows_{next(_KEPT)}"
        chosen = ", ".join(quote_name(column) for column in (*wanted, FILE))
        rows = [_KEPT_ROWS + 1 if part.rows is None else part.rows for part in self.opened.parts]
        # Several threads read a whole file, one alone what is cut off somewhere.
        cut = f" LIMIT {_KEPT_ROWS + 1}" if sum(rows) > _KEPT_ROWS else ""
        with self._asking() as ask:
            ask(f"CREATE TABLE {name} AS SELECT {chosen} FROM {self.source}{cut}")
            if int(ask(f"SELECT count(*) FROM {name}").fetchall()[0][0]) > _KEPT_ROWS:
                ask(f"DROP TABLE {name}")
                return self
        return replace(self, source=name, kinds={column: self.kinds[column] for column in (*wanted, FILE)})

    def head(self, rows: int) -> Self:
        """Return a table of some of the first rows of every file."""
        if len(self.opened.parts) == 1 or self.source != self.scanned:
            return super().head(rows)
        scans = _scans(self.opened.parts, -(-rows // len(self.opened.parts)))
        return replace(self, source=without_zones(dict(self.kinds), f"({scans})")[1])

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Name the file and the row (the first after the header is 1)."""
        for file in self.opened.files:
            inside = f"(SELECT * FROM {self.source} WHERE {quote_name(FILE)} = {literal(file.name)})"
            found = self._first_row(values, inside)
            if found is not None:
                return f"{file.name}, row {found}"
        return self.name

    def place(self, row: int) -> str:
        """Name the file and the row in it."""
        if len(self.opened.files) == 1:
            return super().place(row)
        counted = dict(self._values(f"SELECT {quote_name(FILE)}, count(*) FROM {self.source} GROUP BY ALL"))
        for file in self.opened.files:
            if row < counted.get(file.name, 0):
                return f"{file.name}, row {row + 1}"
            row -= counted.get(file.name, 0)
        return self.name

    def close(self) -> None:
        """Close the files, and remove unpacked ones."""
        self.opened.close()

    @contextmanager
    def _asking(self) -> Iterator[Ask]:
        with self._translated(), self.opened.cursor() as cursor:
            yield Ask(lambda sql: self.opened.ask(cursor.execute, sql), lambda sql: self.opened.ask(cursor.sql, sql))

    def _wide(self, ask: Ask, keys: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
        """Let DuckDB parse numbers where it can: casting many texts takes longer than reading them."""
        alone = len(self.opened.parts) == 1 and self.source == self.scanned
        scan = self.opened.parts[0].with_numbers(plain) if alone else None
        if scan is None:
            return super()._wide(ask, keys, plain)
        chosen = [f"{quote_name(key)} AS k{place}" for place, key in enumerate(keys)]
        chosen += [f"{quote_name(name)} AS n{place}" for place, name in enumerate(plain)]
        try:
            answer = dict(ask(f"SELECT {', '.join(chosen)} FROM {scan}").fetchnumpy())
        except duckdb.Error:  # a column holds something else, or the file is broken: reading it as text shows which
            return super()._wide(ask, keys, plain)
        return answer | {f"n{place}": np.ma.filled(answer[f"n{place}"], np.nan) for place in range(len(plain))}

    def _unreadable(self, ask: Ask) -> tuple[int, str]:
        if not self.counts_unreadable or self.opened.opening.on_error == "refuse":  # then the first one stops the run
            return 0, ""
        return self.opened.once("unreadable", lambda: _unreadable(ask, self.opened))

    def _translate(self, error: Exception) -> EvidenceError:
        return _explain(error, self.opened.files)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: Any) -> Self:
        return self

    def __reduce__(self) -> Any:
        once = next((file.name for file in self.opened.files if not file.lasting), None)
        if once:
            raise EvidenceError(
                "cannot be pickled, because it can be read only once",
                where=once,
                remedy="Save it to a file and read that.",
            )
        names = list(dict.fromkeys(file.origin for file in self.opened.files))
        asked = {"name": self.name, "kinds": dict(self.kinds), "counts_unreadable": self.counts_unreadable}
        return _reopen, (names, self.opened.opening, (self.source, self.scanned), asked)


def open_files(sources: Sequence[str | os.PathLike[str]], opening: Opening | None = None) -> FileTable:
    """Open files as one table of the columns that all of them have, in any order."""
    opened = OpenFiles(sources, opening or Opening())
    scans = _scans(opened.parts)
    kinds, source = without_zones(_kinds(opened, scans), f"({scans})")
    return FileTable(opened.name, source, kinds, opened, source, lacking=opened.lacking)


def _lacking(parts: Sequence[ScanPart]) -> dict[str, str]:
    """Return the columns that some files have, with a file that lacks each; files need most of them in common."""
    everywhere = set(parts[0].columns).intersection(*(part.columns for part in parts))
    some = dict.fromkeys(column for part in parts for column in part.columns if column not in everywhere)
    lacking = {column: next(part.file.name for part in parts if column not in part.columns) for column in some}
    if lacking and len(everywhere) <= len(lacking):
        first, part = parts[0], next(part for part in parts if set(part.columns) != set(parts[0].columns))
        raise EvidenceError(
            f"its columns differ from those of {first.file.name}: "
            f"{', '.join(sorted(set(part.columns) ^ set(first.columns)))} is not in both",
            where=part.file.name,
            remedy="Files that are read together need the same columns: rename them, or read one file at a time.",
        )
    return lacking


def _scans(parts: Sequence[ScanPart], rows: int | None = None) -> str:
    """Return the SQL that reads all files one after the other, perhaps only some rows of each."""
    # Listing thousands of columns would take longer than reading them.
    chosen = ", ".join(quote_name(column) for column in parts[0].columns) if len(parts) > 1 else "*"
    scans = [f"SELECT {chosen}, {literal(part.file.name)} AS {quote_name(FILE)} FROM {part.scan}" for part in parts]
    return " UNION ALL ".join(scans if rows is None else [f"(FROM ({scan}) LIMIT {rows})" for scan in scans])


def _kinds(opened: OpenFiles, scans: str) -> dict[str, str]:
    """Return the types of the columns: texts in text files, what DuckDB says elsewhere."""
    if not any(file.layout in _COLUMNAR for file in opened.files):
        return dict.fromkeys([*opened.parts[0].columns, FILE], "VARCHAR")
    try:
        with opened.cursor() as cursor:
            return {row[0]: row[1] for row in cursor.execute(f"DESCRIBE {scans}").fetchall()}
    except duckdb.Error as error:
        raise _explain(error, opened.files) from None


def _reopen(names: Sequence[str], opening: Opening, source: tuple[str, str], asked: Mapping[str, Any]) -> FileTable:
    """Open the files of a table again, and ask them as it did: its source holds the scan that read them."""
    table = open_files(names, opening)
    return replace(table, source=source[0].replace(source[1], table.scanned), **asked)


def _unreadable(ask: Ask, opened: OpenFiles) -> tuple[int, str]:
    """Count what could not be read: lines that DuckDB set aside, and JSON lines with nothing in them.

    The rows set aside are known after one scan on the same cursor; they are those of the files in every case.
    """
    nothing = sum(ask(f"SELECT count(*) FROM {part.nothing}").fetchall()[0][0] for part in opened.parts if part.nothing)
    tables = ask("SELECT table_name FROM duckdb_tables()").fetchall()
    if ("reject_errors",) not in tables:
        return nothing, ""
    rejects = ask("SELECT scan_id, file_id, line, error_type FROM reject_errors").fetchall()
    open_quote = [line for _, _, line, kind in rejects if kind == "UNQUOTED VALUE"]
    if open_quote:  # everything behind it would be one value
        raise EvidenceError(
            "a quotation mark is opened and never closed, so the rest of the file cannot be read",
            where=f"{opened.name}, line {min(open_quote)}",
            remedy="Close or remove it.",
        )
    lines = {reject[:3] for reject in rejects}
    single = len(opened.files) == 1 and lines
    return len(lines) + nothing, f"{opened.name}, line {min(line for _, _, line in lines)}" if single else ""


def _explain(error: Exception, files: Sequence[File]) -> EvidenceError:
    from betterthan.engine.duckdb.duckdb_errors import complaint  # noqa: PLC0415 (most files are in order)

    return complaint(str(error), files)
