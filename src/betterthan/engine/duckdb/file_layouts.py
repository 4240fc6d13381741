"""Scan functions of DuckDB for each file layout; text columns stay text, so that no guess changes a value."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

from betterthan.base import EvidenceError
from betterthan.engine import files as file_kinds
from betterthan.engine.duckdb.sql import literal, quote_name
from betterthan.engine.files.input_files import NOT_EMPTY, File, Opening
from betterthan.engine.labels import is_numeral
from betterthan.engine.table import OnError

_MEGABYTE = 1 << 20
#: Cells that are examined before a column is read as numbers.
_LOOKED_AT = 2000
#: Characters of a column's name.
_LONGEST_HEADING = 100_000
#: Bytes of one object of JSON; DuckDB reserves twice as much for every thread.
_LARGEST_OBJECT = 1 << 28


class ScanPart(NamedTuple):
    """One file's columns, the scan of its rows, and the scan of its empty rows (bad lines of JSON).

    What Arrow holds is `registered`, under the name that the scan has for it. `with_numbers` scans with some columns as
    numbers, which fails where one holds anything else; it is None where that is known. So are `rows`, in some layouts.
    """

    file: File
    columns: list[str]
    scan: str
    nothing: str = ""
    registered: tuple[str, Any] | None = None
    with_numbers: Callable[[Collection[str]], str | None] = lambda _: None
    rows: int | None = None

    def without(self, columns: Collection[str]) -> "ScanPart":
        """Return the part without some columns."""
        return self._replace(columns=[name for name in self.columns if name not in columns]) if columns else self


def part_of(connection: Any, file: File, opening: Opening) -> ScanPart:
    """Return the columns of one file and the SQL that scans it."""
    match file.layout:
        case "parquet":
            scan = f"read_parquet({place(file)}, hive_partitioning = false)"
            columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()]
            key = file_kinds.hugging_face.METADATA
            said = connection.execute(
                f"SELECT value FROM parquet_kv_metadata({place(file)}) WHERE key = {literal(key)}::BLOB LIMIT 1"
            ).fetchone()
            return _labelled(ScanPart(file, columns, scan), said[0] if said else None)
        case "arrow":
            held, view = file_kinds.arrow_files.read_arrow(file.path, file.name), f"arrow_{abs(hash(file.path))}"
            said = (held.schema.metadata or {}).get(file_kinds.hugging_face.METADATA.encode())
            return _labelled(ScanPart(file, list(held.column_names), view, registered=(view, held)), said)
        case "duckdb":
            scan = _database(connection, file, opening)
        case "json" | "jsonl":
            return _json(connection, file, opening.on_error)
        case _:
            return _delimited(connection, file, opening)
    columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()]
    return ScanPart(file, columns, scan)


def _labelled(part: ScanPart, metadata: bytes | None) -> ScanPart:
    """Put names instead of classes, and say which split the rows are from."""
    hub = file_kinds.hugging_face
    scan, columns = hub.with_names(part.scan, part.columns, hub.class_names(metadata)), part.columns
    if part.file.split and hub.SPLIT not in columns:
        columns = [*columns, hub.SPLIT]
        scan = f"(SELECT *, {literal(part.file.split)} AS {quote_name(hub.SPLIT)} FROM {scan})"
    return part._replace(columns=columns, scan=scan)


def attach(connection: Any, file: File) -> None:
    """Open a DuckDB database for reading: later, nothing more can be opened."""
    connection.execute(f"ATTACH {literal(str(file.path))} AS {quote_name(_attached(file))} (READ_ONLY)")


def _attached(file: File) -> str:
    return f"database_{abs(hash(file.path))}"


def _database(connection: Any, file: File, opening: Opening) -> str:
    inside = f"database_name = {literal(_attached(file))}"
    listed = connection.execute(
        f"SELECT schema_name, table_name FROM duckdb_tables() WHERE {inside} ORDER BY ALL"
    ).fetchall()
    names = {table if schema == "main" else f"{schema}.{table}": (schema, table) for schema, table in listed}
    return ".".join(
        map(
            quote_name,
            (_attached(file), *names[file_kinds.spreadsheets.chosen("table", opening.table, list(names), file.name)]),
        )
    )


def _delimited(connection: Any, file: File, opening: Opening) -> ScanPart:
    path = place(file)
    # Several threads read a file only if it fills several buffers, and a buffer holds at least one row.
    row, buffer = (_MEGABYTE * size for size in ((2, 4) if file.short_rows else (16, 32)))
    how = f"compression = 'none', hive_partitioning = false, max_line_size = {row}, buffer_size = {buffer}"
    # The header is read as one text: DuckDB's own guessing would let one odd line change the columns.
    first = connection.execute(
        f"SELECT line FROM read_csv({path}, auto_detect = false, header = false, delim = '\x01', quote = '',"
        f" escape = '', columns = {{'line': 'VARCHAR'}}, {how}) LIMIT 100"
    ).fetchall()
    lines = [(line or "").lstrip("\ufeff") for (line,) in first]
    blank = next((number for number, line in enumerate(lines) if line.strip()), None)
    if blank is None:
        raise EvidenceError("the file is empty", where=file.name, remedy=NOT_EMPTY)
    header = lines[blank]
    delimiter = file.delimiter or ("\t" if file.layout == "tsv" else max(",;\t|", key=header.count))
    columns = _header(header, delimiter, file.name)
    # A first column without a name is the row index that data frames write.
    columns = [name or f"column{place}" for place, name in enumerate(columns)]
    _refuse_repeated(file, columns)
    rejects = ", store_rejects = true, rejects_limit = 0" if opening.on_error != "refuse" else ""

    def scan(numbers: Collection[str], more: str) -> str:
        kinds = ((column, "DOUBLE" if column in numbers else "VARCHAR") for column in columns)
        types = ", ".join(f"{literal(column)}: '{kind}'" for column, kind in kinds)
        return (
            f"read_csv({path}, auto_detect = false, header = true, skip = {blank}, delim = {literal(delimiter)},"
            f" quote = '\"', escape = '\"', columns = {{{types}}}, {how}{more})"
        )

    commas = columns if opening.decimal == "," else []
    if opening.decimal is None and delimiter == ";":
        commas = file_kinds.decimal_commas.with_commas(connection, scan((), ", ignore_errors = true"), columns)
    # Rows are set aside for their form, not for their values; in short ones nothing is quoted.
    typed = file.short_rows and not commas and not rejects
    sample = [line.split(delimiter) for line in lines[blank + 1 :][: _LOOKED_AT // len(columns) + 1]] if typed else []
    odd = {name for row in sample for name, text in zip(columns, row, strict=False) if text and not is_numeral(text)}

    def with_numbers(names: Collection[str]) -> str | None:
        return scan(frozenset(names), "") if typed and odd.isdisjoint(names) else None

    whole = scan((), rejects)
    return ScanPart(
        file,
        columns,
        file_kinds.decimal_commas.decimals(whole, commas) if commas else whole,
        with_numbers=with_numbers,
    )


def _header(line: str, delimiter: str, shown: str) -> list[str]:
    """Split the first line into names."""
    try:
        names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error as error:
        if len(line) <= _LONGEST_HEADING:
            raise EvidenceError(
                f"the header cannot be split into names: {error}", where=shown, remedy="Correct the first line."
            ) from None
        names = [line]  # a name beyond the bound that the module has itself
    if max(map(len, names), default=0) > _LONGEST_HEADING:
        raise EvidenceError(
            f"a name in the header is longer than {_LONGEST_HEADING:,} characters",
            where=shown,
            remedy="Check that the first line holds the names of the columns.",
        )
    return names


def _json(connection: Any, file: File, on_error: OnError) -> ScanPart:
    from betterthan.engine.duckdb.json_keys import LONGEST, keys_of_lines  # noqa: PLC0415 (only for JSON)

    lenient = on_error != "refuse" and file.layout == "jsonl"
    keys = keys_of_lines(connection, place(file)) if file.layout == "jsonl" else None
    # Where lines are known to be shorter, threads share them in smaller pieces, with less memory.
    largest = _LARGEST_OBJECT if keys is None else LONGEST + _MEGABYTE
    how = (
        f"format = '{'newline_delimited' if file.layout == 'jsonl' else 'auto'}', compression = 'uncompressed',"
        f" maximum_object_size = {largest}, hive_partitioning = false{', ignore_errors = true' if lenient else ''}"
    )
    if file.layout == "json":
        objects = f"read_json_objects({place(file)}, {how})"
        if (whole := file_kinds.json_tables.json_table(connection, objects, file.name)) is not None:
            _refuse_repeated(file, whole[0])
            return ScanPart(file, *whole)
    columns = keys.names if keys else _described(connection, f"{place(file)}, {how}")
    if columns == ["json"]:
        raise EvidenceError(
            "holds no JSON objects", where=file.name, remedy='Give one object per row, such as {"left": "a", …}.'
        )
    _refuse_repeated(file, columns)
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    scan = f"read_json({place(file)}, {how}, columns = {{{types}}})"
    if not lenient:
        return ScanPart(file, columns, scan, rows=keys.lines if keys else None)
    # A line that is no JSON comes as a row of nothing.
    something = f"coalesce({', '.join(quote_name(column) for column in columns)})"
    rows = f"(SELECT * FROM {scan} WHERE {something} IS NOT NULL)"
    return ScanPart(file, columns, rows, f"(SELECT * FROM {scan} WHERE {something} IS NULL)")


def _described(connection: Any, scanned: str) -> list[str]:
    """Let DuckDB find the keys, which builds the type of everything inside them too."""
    # All rows are examined for their keys: a late key must not be lost, nor many keys be read as a map.
    keys = "sample_size = -1, map_inference_threshold = -1, field_appearance_threshold = 0"
    return [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM read_json({scanned}, {keys})").fetchall()]


def place(file: File) -> str:
    """Return the file's path for DuckDB, which would expand patterns even in a name that exists."""
    return literal(escaped(file.path))


def escaped(path: Path) -> str:
    """Return a path in which nothing is a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _refuse_repeated(file: File, columns: list[str]) -> None:
    times = Counter(name.lower() for name in columns)
    repeated = sorted({name for name in columns if times[name.lower()] > 1})
    if repeated:
        raise EvidenceError(
            f"the column {', '.join(repeated)} is in the header more than once",
            where=file.name,
            remedy="Rename one of them.",
        )
