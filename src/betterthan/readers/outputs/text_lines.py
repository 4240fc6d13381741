"""Lines of text: a file per system, a line per item."""

import bz2
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, spelling

#: How the names of files end that hold tables; all others are lines of text.
_TABLES = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
_PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}


def is_lines(place: str) -> bool:
    """Whether a file holds lines of text, and no table.

    >>> is_lines("en-de.refA.txt"), is_lines("outputs.jsonl.gz")
    (True, False)
    """
    endings = [ending.lower() for ending in Path(place).suffixes[-2:]]
    if endings and endings[-1] in {*_PACKED, ".zst"}:
        endings = endings[:-1]
    return place != "-" and not (endings and endings[-1] in _TABLES)


def read_lines(place: str, encoding: str) -> list[str]:
    """Return the lines of a file; only line feeds end a line, and the last one needs none."""
    path = Path(place)
    try:
        raw = _PACKED.get(path.suffix.lower(), open)(path, "rb")
        with raw as stream:
            text = stream.read().decode(encoding)
    except (FileNotFoundError, IsADirectoryError):
        raise EvidenceError("no such file", where=place, remedy="Check the path.") from None
    except (OSError, EOFError) as error:
        raise EvidenceError(f"cannot be read: {error}", where=place, remedy="Check the file.") from None
    except UnicodeDecodeError as error:
        raise EvidenceError(
            f"is not {encoding} text at byte {error.start + 1:,}",
            where=place,
            remedy=f"Name its encoding with {spelling.option('encoding')}.",
        ) from None
    except LookupError:
        raise EvidenceError(f"unknown encoding {encoding!r}", remedy="Use a name such as utf-8 or latin-1.") from None
    lines = text.removeprefix("\ufeff").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise EvidenceError("the file is empty", where=place, remedy="Give a file with a line per item.")
    return [line.removesuffix("\r") for line in lines]


def system_names(places: Sequence[str]) -> list[str]:
    """Name systems after their files.

    >>> system_names(["out/owl.txt", "out/yak.jsonl.gz"])
    ['owl', 'yak']
    """
    names = []
    for place in places:
        name = Path(place).name
        for _ in range(2):
            stem, dot, ending = name.rpartition(".")
            if stem and dot and f".{ending.lower()}" in (*_TABLES, *_PACKED, ".zst", ".txt"):
                name = stem
        names.append(name)
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise EvidenceError(
            f"two files are of a system called {doubled!r}", remedy="Systems are named after their files: rename one."
        )
    return names
