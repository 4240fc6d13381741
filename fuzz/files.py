"""Tables as files of every format, and ways to spoil their bytes."""

import bz2
import csv
import gzip
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from fuzz.tables import Table


def _csv(table: Table, delimiter: str = ",", end: str = "\n") -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def _records(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _jsonl(table: Table) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in _records(table)).encode()


def _arrow(table: Table) -> pa.Table:
    columns = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    return pa.table([pa.array(column, pa.string()) for column in columns], names=list(table.columns))


def _parquet(table: Table) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(_arrow(table), out)
    return out.getvalue()


def _feather(table: Table) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(_arrow(table), out, compression="uncompressed")
    return out.getvalue()


def _zip(table: Table) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("votes.csv", _csv(table))
    return out.getvalue()


def _tar(table: Table) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        data = _csv(table)
        entry = tarfile.TarInfo("votes.csv")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


#: The end of a file's name, and how it is written.
FORMATS: dict[str, Callable[[Table], bytes]] = {
    "csv": _csv,
    "tsv": lambda table: _csv(table, "\t"),
    "semicolons.csv": lambda table: _csv(table, ";"),
    "crlf.csv": lambda table: _csv(table, end="\r\n"),
    "bom.csv": lambda table: b"\xef\xbb\xbf" + _csv(table),
    "utf16.csv": lambda table: _csv(table).decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass"),
    "jsonl": _jsonl,
    "json": lambda table: json.dumps(_records(table)).encode(),
    "parquet": _parquet,
    "arrow": _feather,
    "feather": _feather,
    "csv.gz": lambda table: gzip.compress(_csv(table)),
    "csv.bz2": lambda table: bz2.compress(_csv(table)),
    "jsonl.gz": lambda table: gzip.compress(_jsonl(table)),
    "zip": _zip,
    "tar.gz": _tar,
}


def written(table: Table, folder: Path, rng: random.Random) -> tuple[Path, int | None]:
    """Write a table; return the file and how many rows it has, None where its bytes were spoiled afterwards."""
    end = rng.choice(list(FORMATS))
    data = FORMATS[end](table)
    path = folder / f"in-{rng.randrange(10**6)}.{end}"
    rows: int | None = len(table.rows)
    if rng.random() < 0.35:
        data, rows = _spoiled(data, rng), None
    path.write_bytes(data)
    return path, rows


def _spoiled(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with something changed, cut out, put in or repeated."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if not changed:
            break
        place = rng.randrange(len(changed))
        match rng.randrange(6):
            case 0:
                changed[place] = rng.randrange(256)
            case 1:
                changed[place] ^= 1 << rng.randrange(8)
            case 2:
                del changed[place : place + rng.choice((1, 4, 100))]
            case 3:
                changed[place:place] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 8))))
            case 4:
                changed[place:place] = changed[place : place + rng.choice((3, 50))]
            case 5:
                del changed[place:]
    return bytes(changed)
