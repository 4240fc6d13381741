"""How DuckDB scans a file of each layout: every text column as text, so that no guess changes a value."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

from betterthan.engine.arrow import read_arrow
from betterthan.engine.decimals import decimals, with_commas
from betterthan.engine.files import NOT_EMPTY, File, Opening
from betterthan.engine.hugging_face import METADATA, SPLIT, class_names, with_names
from betterthan.engine.json_keys import LONGEST, keys_of_lines
from betterthan.engine.json_tables import json_table
from betterthan.engine.labels import is_numeral
from betterthan.engine.sheets import chosen
from betterthan.engine.sql import literal, quote
from betterthan.engine.table import OnError
from betterthan.errors import EvidenceError

_MEGABYTE = 1 << 20
#: Cells that are looked at before columns are taken for numbers.
_LOOKED_AT = 2000
#: Characters of a column's name.
_LONGEST_HEADING = 100_000
#: Bytes of one object of JSON; DuckDB reserves twice as much for every thread.
_LARGEST_OBJECT = 1 << 28


class Part(NamedTuple):
    """One file's columns, what scans its rows, and what scans its rows that hold nothing (bad lines of JSON).

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


def part_of(connection: Any, file: File, opening: Opening) -> Part:
    """Return the columns of one file and the SQL that scans it."""
    match file.layout:
        case "parquet":
            scan = f"read_parquet({place(file)}, hive_partitioning = false)"
            columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()]
            said = connection.execute(
                f"SELECT value FROM parquet_kv_metadata({place(file)}) WHERE key = {literal(METADATA)}::BLOB LIMIT 1"
            ).fetchone()
            return _labelled(Part(file, columns, scan), said[0] if said else None)
        case "arrow":
            held, view = read_arrow(file.path, file.name), f"arrow_{abs(hash(file.path))}"
            said = (held.schema.metadata or {}).get(METADATA.encode())
            return _labelled(Part(file, list(held.column_names), view, registered=(view, held)), said)
        case "duckdb":
            scan = _database(connection, file, opening)
        case "json" | "jsonl":
            return _json(connection, file, opening.on_error)
        case _:
            return _delimited(connection, file, opening)
    columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()]
    return Part(file, columns, scan)


def _labelled(part: Part, metadata: bytes | None) -> Part:
    """Put names in place of classes, and say which split the rows are from."""
    scan, columns = with_names(part.scan, part.columns, class_names(metadata)), part.columns
    if part.file.split and SPLIT not in columns:
        columns = [*columns, SPLIT]
        scan = f"(SELECT *, {literal(part.file.split)} AS {quote(SPLIT)} FROM {scan})"
    return part._replace(columns=columns, scan=scan)


def attach(connection: Any, file: File) -> None:
    """Open a DuckDB database for reading: later, nothing more can be opened."""
    connection.execute(f"ATTACH {literal(str(file.path))} AS {quote(_attached(file))} (READ_ONLY)")


def _attached(file: File) -> str:
    return f"database_{abs(hash(file.path))}"


def _database(connection: Any, file: File, opening: Opening) -> str:
    inside = f"database_name = {literal(_attached(file))}"
    listed = connection.execute(
        f"SELECT schema_name, table_name FROM duckdb_tables() WHERE {inside} ORDER BY ALL"
    ).fetchall()
    names = {table if schema == "main" else f"{schema}.{table}": (schema, table) for schema, table in listed}
    return ".".join(map(quote, (_attached(file), *names[chosen("table", opening.table, list(names), file.name)])))


def _delimited(connection: Any, file: File, opening: Opening) -> Part:
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
    delimiter = file.delimiter or ("\t" if file.layout == "tsv" else max(",;\t", key=header.count))
    columns = _header(header, delimiter, file.name)
    # A first column without a name is the row index that data frames write.
    columns = [name or f"column{place}" for place, name in enumerate(columns)]
    _refuse_repeated(file, columns)
    rejects = ", store_rejects = true, rejects_limit = 0" if opening.on_error == "skip" else ""

    def scan(numbers: Collection[str], more: str) -> str:
        kinds = ((column, "DOUBLE" if column in numbers else "VARCHAR") for column in columns)
        types = ", ".join(f"{literal(column)}: '{kind}'" for column, kind in kinds)
        return (
            f"read_csv({path}, auto_detect = false, header = true, skip = {blank}, delim = {literal(delimiter)},"
            f" quote = '\"', escape = '\"', columns = {{{types}}}, {how}{more})"
        )

    commas = columns if opening.decimal == "," else []
    if opening.decimal is None and delimiter == ";":
        commas = with_commas(connection, scan((), ", ignore_errors = true"), columns)
    # Rows that are set aside are set aside for their form, not for what they hold; in short ones nothing is quoted.
    typed = file.short_rows and not commas and not rejects
    sample = [line.split(delimiter) for line in lines[blank + 1 :][: _LOOKED_AT // len(columns) + 1]] if typed else []
    odd = {name for row in sample for name, text in zip(columns, row, strict=False) if text and not is_numeral(text)}

    def with_numbers(names: Collection[str]) -> str | None:
        return scan(frozenset(names), "") if typed and odd.isdisjoint(names) else None

    return Part(file, columns, decimals(scan((), rejects), commas), with_numbers=with_numbers)


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
            f"a name in the header is longer than {_LONGEST_HEADING:,} characters", where=shown,
            remedy="Check that the first line holds the names of the columns.",
        )  # fmt: skip
    return names


def _json(connection: Any, file: File, on_error: OnError) -> Part:
    lenient = on_error == "skip" and file.layout == "jsonl"
    keys = keys_of_lines(connection, place(file)) if file.layout == "jsonl" else None
    # Where lines are known to be shorter, threads share them in smaller pieces, with less memory.
    largest = _LARGEST_OBJECT if keys is None else LONGEST + _MEGABYTE
    how = (
        f"format = '{'newline_delimited' if file.layout == 'jsonl' else 'auto'}', compression = 'uncompressed',"
        f" maximum_object_size = {largest}, hive_partitioning = false{', ignore_errors = true' if lenient else ''}"
    )
    if file.layout == "json":
        objects = f"read_json_objects({place(file)}, {how})"
        if (whole := json_table(connection, objects, file.name)) is not None:
            _refuse_repeated(file, whole[0])
            return Part(file, *whole)
    columns = keys.names if keys else _described(connection, f"{place(file)}, {how}")
    if columns == ["json"]:
        raise EvidenceError(
            "holds no JSON objects", where=file.name, remedy='Give one object per row, such as {"left": "a", …}.'
        )
    _refuse_repeated(file, columns)
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    scan = f"read_json({place(file)}, {how}, columns = {{{types}}})"
    if not lenient:
        return Part(file, columns, scan, rows=keys.lines if keys else None)
    # A line that is no JSON comes as a row of nothing.
    something = f"coalesce({', '.join(quote(column) for column in columns)})"
    rows = f"(SELECT * FROM {scan} WHERE {something} IS NOT NULL)"
    return Part(file, columns, rows, f"(SELECT * FROM {scan} WHERE {something} IS NULL)")


def _described(connection: Any, scanned: str) -> list[str]:
    """Let DuckDB find the keys, which builds the type of everything inside them too."""
    # All rows are looked at for their keys: one that comes late must not be lost, nor many be taken for a map.
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
            f"the column {', '.join(repeated)} is in the header more than once", where=file.name,
            remedy="Rename one of them.",
        )  # fmt: skip
