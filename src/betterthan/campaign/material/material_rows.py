"""Rows of material, read from files or from memory, each with its location for error messages."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError
from betterthan.engine import labels
from betterthan.readers import open_table, text_lines

#: Files whose rows may hold lists and objects.
_JSON_LINES = (".jsonl", ".ndjson")
#: What neither a page nor every database can hold: NUL, and halves of surrogate pairs.
_UNKEPT = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class MaterialRow:
    """One row: its values by column, and its location."""

    values: Mapping[str, Any]
    where: str

    def text(self, column: str | None) -> str | None:
        """Return a text or number as text, None where there is none; anything else is refused."""
        value = None if column is None else self.values.get(column)
        if labels.is_missing(value) and not isinstance(value, (list, dict)):
            return None
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            kind = {bool: "true or false", list: "a list", dict: "an object"}.get(type(value), type(value).__name__)
            raise EvidenceError(f"{column!r} must be a text, got {kind}", where=self.where, remedy="Correct it.")
        return self.checked(str(int(value)) if isinstance(value, float) and value.is_integer() else str(value), column)

    def checked(self, text: str, column: str | None) -> str:
        """Return a text that can be kept, or refuse it."""
        if found := _UNKEPT.search(text):
            raise EvidenceError(
                f"{column!r} holds the character U+{ord(found[0]):04X}, which no text may hold",
                where=self.where,
                remedy="Remove it.",
            )
        return text


@dataclass(frozen=True)
class MaterialRows:
    """All rows of one file or list, with the columns that any of them has."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[MaterialRow, ...]

    def __iter__(self) -> Iterator[MaterialRow]:
        return iter(self.rows)


def read_rows(source: Any, *, encoding: str = "utf-8") -> MaterialRows:
    """Read a file (JSON lines, CSV, TSV, Parquet …), or take a list of mappings or a data frame as it is."""
    if isinstance(source, (str, Path)):
        name = str(source)
        plain = name.lower().removesuffix(".gz").removesuffix(".bz2")
        rows = _json_lines(name, encoding) if plain.endswith(_JSON_LINES) else _table(source, encoding)
    elif isinstance(source, Sequence) and all(isinstance(each, Mapping) for each in source):
        name = "the given rows"
        rows = [MaterialRow(dict(each), f"{name}, row {number}") for number, each in enumerate(source, start=1)]
    else:
        name, rows = "the given table", _table(source, encoding)
    if not rows:
        raise EvidenceError("there are no rows", where=name, remedy="Give at least one.")
    columns = tuple(dict.fromkeys(column for row in rows for column in row.values))
    for column in columns:
        if not isinstance(column, str) or not column.strip():
            raise EvidenceError("a column has no name", where=name, remedy="Name it, or leave it out.")
        rows[0].checked(column, column)
    return MaterialRows(name, columns, tuple(rows))


def _table(source: Any, encoding: str) -> list[MaterialRow]:
    """Read what the engine reads; its rows are texts."""
    with open_table(source, encoding=encoding) as table:
        found = table.rows(table.columns)
        if found.unparsable:
            raise EvidenceError(
                "the line cannot be read", where=found.unparsable_example or table.name, remedy="Correct it."
            )
        texts = {name: column.texts() for name, column in found.columns.items()}
        place: Callable[[int], str] = table.place
        return [
            MaterialRow({name: values[row] for name, values in texts.items()}, place(row))
            for row in range(len(found.times))
        ]


def _json_lines(name: str, encoding: str) -> list[MaterialRow]:
    rows = []
    for number, line in enumerate(text_lines.read_lines(name, encoding), start=1):
        if line.strip():
            rows.append(MaterialRow(json_object(line, f"{name}, line {number}"), f"{name}, line {number}"))
    return rows


def json_object(text: str, where: str) -> dict[str, Any]:
    """Read one JSON object, each of whose keys may stand once."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise EvidenceError(f"the key {twice!r} stands twice", where=where, remedy="Remove one of them.")
        return found

    try:
        value = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise EvidenceError(
            f"is no JSON: {error.msg} at character {error.pos + 1}", where=where, remedy="Write one object per line."
        ) from None
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        raise EvidenceError("the JSON cannot be read", where=where, remedy="Write one plain object per line.") from None
    if not isinstance(value, dict):
        raise EvidenceError("is no JSON object", where=where, remedy='Write {"item": …, "source": …} in every line.')
    return value
