"""Files out: written beside their place and moved there when whole, so that none is ever half written."""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from betterthan.errors import BetterthanError, EvidenceError

_COPY = {
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY true",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
    ".parquet": "FORMAT parquet",
}


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary neighbour of `path`, then move it into place in one step.

    A link is followed, and a pipe or device is written to, never replaced.
    """
    special = Path(path).exists() and not Path(path).is_file()
    target = Path(path) if special else Path(os.path.realpath(path))
    try:
        folder = None if special else target.parent
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=target.suffix, dir=folder)
        os.close(descriptor)
    except OSError as error:
        raise _unwritten(target, error) from None
    try:
        write(Path(name))
        if special:
            with Path(name).open("rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        else:
            os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            os.replace(name, target)
    except OSError as error:
        raise _unwritten(target, error) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _unwritten(target: Path, error: OSError) -> BetterthanError:
    return BetterthanError(f"{target}: cannot be written: {error.strerror}. Choose another place with -o.")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8, whole or not at all."""

    def write(place: Path) -> None:
        place.write_text(text, encoding="utf-8", errors="replace")

    write_whole(path, write)


def write_columns(path: str | os.PathLike[str], columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns as CSV, TSV, JSON, JSON lines or Parquet, by the ending (.gz and .zst compress text)."""
    import duckdb  # noqa: PLC0415 (a board printed to a terminal does not need it)

    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    compression = {".gz": "gzip", ".zst": "zstd"}.get(suffixes[-1] if suffixes else "")
    ending = (suffixes[-2] if len(suffixes) > 1 else "") if compression else (suffixes[-1] if suffixes else "")
    if ending not in _COPY or (compression and ending == ".parquet"):
        raise EvidenceError(
            f"{path}: unknown ending; allowed: {', '.join(_COPY)}, text also with .gz or .zst. Rename the output."
        )
    how = _COPY[ending] + (f", COMPRESSION {compression}" if compression else "")

    def copy(place: Path) -> None:
        held = {name: _array(values) for name, values in columns.items()}  # noqa: F841 (DuckDB finds it by its name)
        with duckdb.connect() as connection:
            connection.execute(f"COPY (SELECT * FROM held) TO '{str(place).replace(chr(39), chr(39) * 2)}' ({how})")

    write_whole(path, copy)


def _array(values: Sequence[Any]) -> Any:
    array = np.asarray(values)
    if array.dtype.kind in "fiub":
        return array
    return np.asarray(values, dtype=object)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
