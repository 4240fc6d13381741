"""Nested columns of Parquet files, returned as JSON."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from betterthan.base import EvidenceError
from betterthan.engine.duckdb.connection import connect, lock_up
from betterthan.engine.duckdb.file_layouts import escaped
from betterthan.engine.duckdb.sql import literal, quote_name


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Return the names of a file's columns; none where it is damaged."""
    try:
        with lock_up(connect(), [escaped(path), str(path)]) as connection:
            return tuple(row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {_scan(path)}").fetchall())
    except duckdb.Error:
        return ()


def parquet_json(path: Path, shown: str, columns: Sequence[str]) -> list[tuple[str | None, ...]]:
    """Return rows of some columns, each value as JSON, None where it is missing."""
    chosen = ", ".join(f"CAST(to_json({quote_name(column)}) AS VARCHAR)" for column in columns)
    try:
        with lock_up(connect(), [escaped(path), str(path)]) as connection:
            rows: list[tuple[str | None, ...]] = connection.execute(f"SELECT {chosen} FROM {_scan(path)}").fetchall()
            return rows
    except duckdb.Error as error:
        why = str(error).strip().splitlines()[0]
        raise EvidenceError(f"cannot be read: {why}", where=shown, remedy="Check whether the file is whole.") from None


def _scan(path: Path) -> str:
    return f"read_parquet({literal(escaped(path))}, hive_partitioning = false)"
