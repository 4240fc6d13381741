"""Files as one table: read in a stream, every text column as text, every failure as a sentence."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import duckdb

from betterthan.engine.duck import DuckTable, literal, quote, without_zones
from betterthan.engine.files import File
from betterthan.engine.table import Distinct, OnError
from betterthan.errors import EvidenceError, MissingExtraError

#: No header has this name: it cannot be typed.
_FILE = "\x1ffile"


@dataclass(frozen=True)
class FileTable(DuckTable):
    """Files behind one DuckDB connection of their own."""

    connection: Any = None
    files: tuple[File, ...] = ()
    parts: tuple["_Part", ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column for column in super().columns if column != _FILE)

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Count distinct rows, and with them the lines that could not be split into columns."""
        self._forget_rejects()
        return self._with_rejects(super().distinct(columns))

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Collect rows in the order of the files, and count the lines that could not be split into columns."""
        self._forget_rejects()
        return self._with_rejects(super().rows(columns, numbers))

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Name the file and the row (the first after the header is 1)."""
        for file in self.files:
            inside = f"(SELECT * FROM source WHERE {quote(_FILE)} = {literal(file.name)})"
            found = self._first_row(values, inside)
            if found is not None:
                return f"{file.name}, row {found}"
        return self.name

    def _keeps_rejects(self) -> bool:
        tables = self.connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        return ("reject_errors",) in tables

    def _forget_rejects(self) -> None:
        if self._keeps_rejects():
            self.connection.execute("DELETE FROM reject_errors")

    def _with_rejects(self, answer: Distinct) -> Distinct:
        """Add what could not be read: lines that DuckDB set aside, and JSON lines with nothing in them."""
        empty = [f"SELECT count(*) FROM {part.nothing}" for part in self.parts if part.nothing]
        nothing = sum(int(self.connection.execute(sql).fetchall()[0][0]) for sql in empty)
        if not self._keeps_rejects():
            return replace(answer, unparsable=nothing)
        sql = "SELECT scan_id, file_id, line, error_type FROM reject_errors"
        rejects = self.connection.execute(sql).fetchall()
        open_quote = [line for _, _, line, kind in rejects if kind == "UNQUOTED VALUE"]
        if open_quote:  # everything behind it would be one value
            raise EvidenceError(
                f"{self.name}, line {min(open_quote)}: a quotation mark is opened and never closed, so the rest of the "
                "file cannot be read. Close or remove it."
            )
        lines = {reject[:3] for reject in rejects}
        example = (
            f"{self.files[0].name}, line {min(line for _, _, line in lines)}" if len(self.files) == 1 and lines else ""
        )
        return replace(answer, unparsable=len(lines) + nothing, unparsable_example=example)

    def _translate(self, error: Exception) -> EvidenceError:
        return EvidenceError(_sentence(str(error), self.files))


class _Part(NamedTuple):
    """One file's columns, what scans its rows, and what scans its rows that hold nothing (bad lines of JSON)."""

    file: File
    columns: list[str]
    scan: str
    nothing: str = ""


def open_files(files: Sequence[File], *, on_error: OnError = "refuse") -> FileTable:
    """Open the files as one table; they must have the same columns, in any order."""
    connection = duckdb.connect()
    # Nothing may be fetched from a network on the way, and rows keep their order for those who need it.
    connection.execute("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false")
    connection.execute("SET enable_progress_bar = false; SET preserve_insertion_order = true")
    try:
        parts = [_part(connection, file, on_error) for file in files]
    except duckdb.Error as error:
        raise EvidenceError(_sentence(str(error), files)) from None
    first = parts[0]
    for part in parts[1:]:
        odd = sorted(set(part.columns) ^ set(first.columns))
        if odd:
            raise EvidenceError(
                f"{part.file.name}: its columns differ from those of {first.file.name}: {', '.join(odd)} is not in "
                "both. Files read together need the same columns; read them one by one or rename."
            )
    name = files[0].name if len(files) == 1 else f"{len(files)} files"
    chosen = ", ".join(quote(column) for column in first.columns)
    sql = " UNION ALL ".join(
        f"SELECT {chosen}, {literal(part.file.name)} AS {quote(_FILE)} FROM {part.scan}" for part in parts
    )
    try:
        return FileTable(without_zones(connection.sql(sql)), name, connection, tuple(files), tuple(parts))
    except duckdb.Error as error:
        raise EvidenceError(_sentence(str(error), files)) from None


def _part(connection: Any, file: File, on_error: OnError) -> _Part:
    """Return the columns of one file and the SQL that scans it."""
    match file.layout:
        case "parquet":
            scan = f"read_parquet({_place(file)}, hive_partitioning = false)"
        case "arrow":
            view = f"arrow_{abs(hash(file.path))}"
            connection.register(view, _arrow(file))
            scan = view
        case "json" | "jsonl":
            return _json(connection, file, on_error)
        case _:
            return _delimited(connection, file, on_error)
    columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()]
    return _Part(file, columns, scan)


def _delimited(connection: Any, file: File, on_error: OnError) -> _Part:
    path = _place(file)
    how = f"compression = '{file.compression}', hive_partitioning = false, max_line_size = 16777216"
    # The header is read as one text: DuckDB's own guessing would let one odd line change the columns.
    first = connection.execute(
        f"SELECT line FROM read_csv({path}, auto_detect = false, header = false, delim = '\x01', quote = '',"
        f" escape = '', columns = {{'line': 'VARCHAR'}}, {how}) LIMIT 100"
    ).fetchall()
    lines = [(line or "").lstrip("\ufeff") for (line,) in first]
    blank = next((number for number, line in enumerate(lines) if line.strip()), None)
    if blank is None:
        raise EvidenceError(f"{file.name}: the file is empty. Give a file with a header line and at least one row.")
    header = lines[blank]
    delimiter = "\t" if file.layout == "tsv" else max(",;\t", key=header.count)
    columns = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
    # A first column without a name is the row index that data frames write.
    columns = [name or f"column{place}" for place, name in enumerate(columns)]
    _refuse_repeated(file, columns)
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    rejects = ", store_rejects = true, rejects_limit = 0" if on_error == "skip" else ""
    scan = (
        f"read_csv({path}, auto_detect = false, header = true, skip = {blank}, delim = {literal(delimiter)},"
        f" quote = '\"', escape = '\"', columns = {{{types}}}, {how}{rejects})"
    )
    return _Part(file, columns, scan)


def _json(connection: Any, file: File, on_error: OnError) -> _Part:
    lenient = on_error == "skip" and file.layout == "jsonl"
    how = (
        f"format = '{'newline_delimited' if file.layout == 'jsonl' else 'auto'}', compression = '{file.compression}',"
        f" maximum_object_size = 268435456, hive_partitioning = false{', ignore_errors = true' if lenient else ''}"
    )
    # All rows are looked at for their keys: one that comes late must not be lost, nor many be taken for a map.
    keys = "sample_size = -1, map_inference_threshold = -1, field_appearance_threshold = 0"
    described = connection.execute(f"DESCRIBE SELECT * FROM read_json({_place(file)}, {how}, {keys})").fetchall()
    columns = [row[0] for row in described]
    if columns == ["json"]:
        raise EvidenceError(f'{file.name}: holds no JSON objects. Give one object per row, such as {{"left": "a", …}}.')
    _refuse_repeated(file, columns)
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    scan = f"read_json({_place(file)}, {how}, columns = {{{types}}})"
    if not lenient:
        return _Part(file, columns, scan)
    # A line that is no JSON comes as a row of nothing.
    something = f"coalesce({', '.join(quote(column) for column in columns)})"
    rows = f"(SELECT * FROM {scan} WHERE {something} IS NOT NULL)"
    return _Part(file, columns, rows, f"(SELECT * FROM {scan} WHERE {something} IS NULL)")


def _place(file: File) -> str:
    """Return the file's path for DuckDB, which would expand patterns even in a name that exists."""
    return literal(re.sub(r"([*?\[])", r"[\1]", str(file.path)))


def _refuse_repeated(file: File, columns: list[str]) -> None:
    repeated = sorted({name for name in columns if [other.lower() for other in columns].count(name.lower()) > 1})
    if repeated:
        raise EvidenceError(
            f"{file.name}: the column {', '.join(repeated)} stands in the header more than once. Rename one of them."
        )


def _arrow(file: File) -> Any:
    try:
        import pyarrow.feather  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("pyarrow", "arrow", f"{file.name}: reading Arrow files") from None
    try:
        return pyarrow.feather.read_table(file.path, memory_map=True)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise EvidenceError(f"{file.name}: the Arrow file is damaged: {error}. Write it again.") from None


def _sentence(message: str, files: Sequence[File]) -> str:
    """Turn DuckDB's report into where, what and what to do."""
    named = {str(file.path): file.name for file in files}
    file = next((shown for path, shown in named.items() if path in message), files[0].name)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if "not utf-8 encoded" in message or "Invalid unicode" in message or "invalid UTF-8" in message:
        where = f", line {line[1]}" if line else ""
        return (
            f"{file}{where}: the text is not UTF-8. Say which encoding it has, for example "
            "--encoding latin-1 (encoding='latin-1')."
        )
    if line and counts:
        return (
            f"{file}, line {line[1]}: {counts[2]} columns instead of {counts[1]}. Quote values that contain the "
            "delimiter, or leave such lines out with --on-error skip (on_error='skip')."
        )
    if line:
        what = message.splitlines()[2].strip() if len(message.splitlines()) > 2 else "cannot be split into columns"
        return f"{file}, line {line[1]}: {what} Mend the line, or leave it out with --on-error skip (on_error='skip')."
    if "state machine reached an invalid state" in message:
        return f"{file}: lines end in two different ways (CRLF and LF). Make them alike, for example with dos2unix."
    if "Malformed JSON" in message or "not a JSON" in message:
        wrong = next((found for each in files if (found := _malformed_line(each))), file)
        return f"{wrong}: malformed JSON. Mend it; JSON lines can be left out with --on-error skip (on_error='skip')."
    first = message.strip().splitlines()[0]
    return f"{file}: cannot be read: {first} Check that the file is complete and write it again if not."


def _malformed_line(file: File) -> str | None:
    """Find the line itself: DuckDB's own count is off when it reads in parallel."""
    if file.layout != "jsonl" or file.compression != "none":
        return None
    with file.path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                json.loads(line or b"null")
            except ValueError:
                if line.strip():
                    return f"{file.name}, line {number}"
    return None
