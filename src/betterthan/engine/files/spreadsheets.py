"""Tables in spreadsheets and SQLite databases, converted for DuckDB."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from betterthan.base import EvidenceError, MissingExtraError, nearest, spelling
from betterthan.engine.files.archives import measure
from betterthan.engine.files.decompression import Temporaries, archive_of
from betterthan.engine.files.tidy_tables import Tidied, tidied

if TYPE_CHECKING:
    from betterthan.engine.files.input_files import Opening


def chosen(kind: str, asked: str | None, there: Sequence[str], shown: str) -> str:
    """Return the sheet or table that was requested, or the only one."""
    listed = ", ".join(map(repr, there[:20])) + (f" … ({len(there)} in all)" if len(there) > 20 else "")
    if asked is not None:
        if asked not in there:
            raise EvidenceError(f"no {kind} {asked!r}; there are {listed}", where=shown, remedy=nearest(asked, there))
        return asked
    if not there:
        raise EvidenceError(f"holds no {kind}", where=shown, remedy="Check what the file is.")
    if len(there) > 1:
        raise EvidenceError(
            f"holds several {kind}s: {listed}", where=shown, remedy=f"Say which with {spelling.option(kind)}."
        )
    return there[0]


def excel(path: Path, opening: "Opening", shown: str) -> Tidied:
    """Return the table in a sheet of an Excel or OpenDocument file."""
    try:
        import python_calamine as calamine  # noqa: PLC0415 (only spreadsheets need it)
    except ImportError:
        raise MissingExtraError("python-calamine", "excel", f"{shown}: reading spreadsheets") from None
    with path.open("rb") as stream:
        if archive_of(stream.read(4)) is not None:
            measure(path, shown)
    try:
        with path.open("rb") as stream:
            book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(stream.read()))
            name, others = _sheet(book, opening.sheet, shown)
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except EvidenceError:
        raise
    except Exception as error:  # noqa: BLE001 (the library has errors of its own for every format)
        raise EvidenceError(f"the spreadsheet cannot be read: {error}", where=shown, remedy="Save it as CSV.") from None
    texts = [["" if cell is None else str(_cell(cell)).strip() for cell in row] for row in rows]
    if not any(map(any, texts)):
        raise EvidenceError(
            f"the sheet {name!r} is empty", where=shown, remedy=f"Choose another: {spelling.option('sheet')}."
        )
    table = tidied(texts, "", opening.decimal, shown)
    return replace(table, changes=(*table.changes, *others))


def _sheet(book: Any, asked: str | None, shown: str) -> tuple[str, list[str]]:
    """Return the sheet that was requested, or the only one with a table, and which others there are."""
    there = list(book.sheet_names)
    if asked is None and len(there) > 1:
        sizes = [(each.height, each.width) for each in map(book.get_sheet_by_name, there)]
        tables = [name for name, (height, width) in zip(there, sizes, strict=True) if height > 2 and width > 1]
        if len(tables) == 1:
            return tables[0], [f"sheets without a table: {', '.join(name for name in there if name != tables[0])}"]
    return chosen("sheet", asked, there, shown), []


def sqlite(path: Path, table: str | None, shown: str, temporaries: Temporaries) -> Path:
    """Write a table of an SQLite database as CSV; the database is opened for reading only."""
    import sqlite3  # noqa: PLC0415 (only databases need it)

    address = f"file:{_quoted(str(path.resolve()))}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            name = chosen("table", table, [row[0] for row in connection.execute(f"{listed} ORDER BY name")], shown)
            escaped = name.replace('"', '""')
            rows = connection.execute(f'SELECT * FROM "{escaped}"')
            header = [column[0] for column in rows.description]
            return _written(_checked(header, rows, f"{shown}, table {name}"), temporaries)
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise EvidenceError(
            f"the SQLite database cannot be read: {error}", where=shown, remedy="Check that it is whole."
        ) from None


def _quoted(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415

    return quote(path)


def _checked(header: Sequence[str], rows: Iterable[Sequence[Any]], shown: str) -> Iterable[Sequence[Any]]:
    yield header
    for row in rows:
        odd = next((name for name, cell in zip(header, row, strict=True) if isinstance(cell, bytes)), None)
        if odd is not None:
            raise EvidenceError(f"the column {odd!r} holds binary data", where=shown, remedy="Leave the column out.")
        yield row


def _written(rows: Iterable[Sequence[Any]], temporaries: Temporaries) -> Path:
    with temporaries.new() as (target, place), io.TextIOWrapper(target, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        for row in rows:
            writer.writerow([_cell(value) for value in row])
    return place


def _cell(value: Any) -> Any:
    """Write a cell as it is named everywhere: 3 for 3.0, dates as ISO dates, lines that end in LF."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, datetime):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
