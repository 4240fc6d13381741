"""Export columns to every format that DuckDB writes."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from betterthan.base import EvidenceError
from betterthan.engine.duckdb.sql import literal
from betterthan.present import atomic_files

_COPY = {
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY true",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
    ".parquet": "FORMAT parquet",
}


def write_columns(path: str | os.PathLike[str], columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns as CSV, TSV, JSON, JSON lines or Parquet, by the ending (.gz and .zst compress text)."""
    from betterthan.engine.duckdb.connection import (  # noqa: PLC0415 (a board in a terminal needs no DuckDB)
        connect,
        disk_errors,
        lock_up,
    )

    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    compression = {".gz": "gzip", ".zst": "zstd"}.get(suffixes[-1] if suffixes else "")
    ending = (suffixes[-2] if len(suffixes) > 1 else "") if compression else (suffixes[-1] if suffixes else "")
    if ending not in _COPY or (compression and ending == ".parquet"):
        raise EvidenceError(
            "unknown ending",
            where=str(path),
            allowed=f"{', '.join(_COPY)}, text also with .gz or .zst",
            remedy="Rename the output.",
        )
    # The target is a temporary file already; a second one next to it could be left behind and match patterns.
    how = f"{_COPY[ending]}, USE_TMP_FILE false" + (f", COMPRESSION {compression}" if compression else "")

    def copy(place: Path) -> None:
        with disk_errors(), lock_up(connect(), [str(place)]) as connection:
            connection.register("held", {name: _array(values) for name, values in columns.items()})
            connection.execute(f"COPY (SELECT * FROM held) TO {literal(str(place))} ({how})")

    atomic_files.write_whole(path, copy)


def _array(values: Sequence[Any]) -> Any:
    array = np.asarray(values)
    if array.dtype.kind in "fiub":
        return array
    return np.asarray(values, dtype=object)
