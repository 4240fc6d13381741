"""Tables in one JSON object: columns and data, lists by column, or the default layout of pandas."""

import json
from typing import Any

from betterthan.base import EvidenceError
from betterthan.engine.duckdb.sql import literal, quote_name

#: Further keys that pandas and Weights & Biases write in addition to columns and data.
_BESIDE = {"columns", "data", "index", "ncols", "nrows", "column_types", "_type", "ndim", "artifact_path", "log_mode"}


def json_table(connection: Any, objects: str, shown: str) -> tuple[list[str], str] | None:
    """Return the columns of such a table and the SQL that scans it; None where `objects` are rows themselves."""
    first = connection.execute(f"SELECT json_keys(json), json_type(json) FROM {objects} LIMIT 2").fetchall()
    if len(first) != 1 or first[0][1] != "OBJECT" or not first[0][0]:
        return None
    keys: list[str] = first[0][0]
    parts = {key: f"json_extract(json, {literal(_pointer(key))})" for key in keys}
    asked = ", ".join(f"json_type({part})" for part in parts.values())
    kinds = dict(zip(keys, connection.execute(f"SELECT {asked} FROM {objects}").fetchall()[0], strict=True))
    if {"columns", "data"} <= {*keys} <= _BESIDE and kinds["columns"] == kinds["data"] == "ARRAY":
        return _split(connection, objects, parts, shown)
    if len(keys) > 1 and set(kinds.values()) == {"ARRAY"}:
        return _by_column(connection, objects, parts, shown)
    if len(keys) > 1 and set(kinds.values()) == {"OBJECT"}:
        return _by_label(connection, objects, parts)
    return None


def _pointer(key: str) -> str:
    return "/" + key.replace("~", "~0").replace("/", "~1")


def _split(connection: Any, objects: str, parts: dict[str, str], shown: str) -> tuple[list[str], str]:
    """Read `{"columns": [...], "data": [[...], ...]}`."""
    text = connection.execute(f"SELECT CAST({parts['columns']} AS VARCHAR) FROM {objects}").fetchall()[0][0]
    names = json.loads(text)
    if not names or not all(isinstance(name, (str, int)) for name in names):
        raise EvidenceError("its columns need one name each", where=shown, remedy="Write the file again.")
    columns = list(map(str, names))
    rows = f"(SELECT unnest(CAST({parts['data']} AS JSON[])) AS row FROM {objects})"
    odd = connection.execute(
        f"SELECT count(*) FROM {rows} WHERE json_type(row) <> 'ARRAY' OR json_array_length(row) <> {len(columns)}"
    ).fetchall()[0][0]
    if odd:
        raise EvidenceError(
            f"{odd:,} rows of its data do not have {len(columns)} values, one per column",
            where=shown,
            remedy="Write the file again.",
        )
    chosen = ", ".join(
        f"json_extract_string(row, '/{place}') AS {quote_name(name)}" for place, name in enumerate(columns)
    )
    return columns, f"(SELECT {chosen} FROM {rows})"


def _by_column(connection: Any, objects: str, parts: dict[str, str], shown: str) -> tuple[list[str], str] | None:
    """Read `{"a": [...], "b": [...]}`."""
    sizes = [f"json_array_length({part})" for part in parts.values()]
    nested = [f"coalesce(json_type({part}, '/0') = 'OBJECT', false)" for part in parts.values()]
    answer = connection.execute(f"SELECT {', '.join([*sizes, *nested])} FROM {objects}").fetchall()[0]
    counts, objects_inside = answer[: len(sizes)], answer[len(sizes) :]
    if any(objects_inside):
        return None
    if len(set(counts)) > 1:
        listed = ", ".join(f"{name} has {count}" for name, count in zip(parts, counts, strict=True))
        raise EvidenceError(f"columns must be of equal length; {listed}", where=shown, remedy="Give one value per row.")
    return _unnested(objects, {name: f"CAST({part} AS JSON[])" for name, part in parts.items()})


def _by_label(connection: Any, objects: str, parts: dict[str, str]) -> tuple[list[str], str] | None:
    """Read `{"a": {"0": ..., "1": ...}, "b": {...}}`, as pandas numbers its rows."""
    keys = ", ".join(f"json_keys({part})" for part in parts.values())
    labels = connection.execute(f"SELECT {keys} FROM {objects}").fetchall()[0]
    if any(each != labels[0] for each in labels) or not all(label.isdigit() for label in labels[0]):
        return None
    return _unnested(objects, {name: f"json_extract({part}, '$.*')" for name, part in parts.items()})


def _unnested(objects: str, lists: dict[str, str]) -> tuple[list[str], str]:
    inner = ", ".join(f"unnest({values}) AS c{place}" for place, values in enumerate(lists.values()))
    outer = ", ".join(f"json_extract_string(c{place}, '$') AS {quote_name(name)}" for place, name in enumerate(lists))
    return list(lists), f"(SELECT {outer} FROM (SELECT {inner} FROM {objects}))"
