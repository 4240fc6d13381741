"""Input files: folders and patterns are expanded once, and files are opened on demand."""

import csv
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, FloatArray
from betterthan.engine.files.decompression import Temporaries, compression_of, decompress
from betterthan.engine.files.input_files import expand_all

#: Files below a folder, and bytes of a JSON document that is taken into memory as a whole.
MOST_FILES = 200_000
LARGEST_DOCUMENT = 1 << 29
_HEAD = 1 << 16
_RECORD = 1 << 26
#: What may come before the first character of JSON: a mark of the encoding, and white space.
_BLANK = b"\xef\xbb\xbf \r\n\t"
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.zst")
#: What lies about in folders and holds no evidence.
_LITTER = frozenset({"__pycache__", "Thumbs.db"})


@dataclass(frozen=True, eq=False)
class PlacedFile:
    """One file: its name for users, its path, and its path relative to the given place."""

    name: str
    path: Path
    below: tuple[str, ...]  # folders and name, from the folder that was given on
    given: bool  # was the file itself given, not a folder around it?
    temporaries: Temporaries = field(repr=False)

    @property
    def folder(self) -> str:
        """The name of the folder around the file."""
        return self.path.parent.resolve().name

    @cached_property
    def plain(self) -> Path:
        """Where its bytes are, decompressed where they were not."""
        with self.path.open("rb") as stream:
            compression = compression_of(stream.read(8))
        if compression == "none":
            return self.path
        return decompress(self.path, compression, self.name, self.temporaries)

    @cached_property
    def head(self) -> bytes:
        """Its first bytes."""
        try:
            with self.plain.open("rb") as stream:
                return stream.read(_HEAD)
        except OSError as error:
            raise EvidenceError(
                f"cannot be opened: {error.strerror or error}", where=self.name, remedy="Check its permissions."
            ) from None

    @property
    def is_json(self) -> bool:
        """Whether it begins like a JSON object or list."""
        return self.head.lstrip(_BLANK)[:1] in {b"{", b"["}

    def first_row(self, delimiter: str = ",") -> list[str]:
        """Split the first line into cells; there are none where it cannot be split."""
        line = self.head.split(b"\n", 1)[0].decode("utf-8-sig", errors="replace").rstrip("\r")
        try:
            return next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            return []

    @cached_property
    def record(self) -> Any:
        """The first JSON value: the first entry of JSON lines and lists, or the whole object; None without JSON."""
        text = self.head.lstrip(_BLANK)
        try:
            if text[:1] == b"[":
                return self._first_entry()
            if text[:1] == b"{":
                with self.plain.open("rb") as stream:
                    line = stream.readline(_RECORD).lstrip(_BLANK)
                try:
                    return json.loads(line)
                except ValueError:
                    return self.document
        except (ValueError, RecursionError):
            pass
        return None

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the first JSON value."""
        return frozenset(self.record) if isinstance(self.record, dict) else frozenset()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a Parquet file; none where it is another one."""
        if not self.head.startswith(b"PAR1"):
            return ()
        from betterthan.engine.duckdb.parquet import parquet_columns  # noqa: PLC0415 (other files need none)

        return parquet_columns(self.plain)

    def values(self, columns: Sequence[str]) -> list[tuple[str | None, ...]]:
        """Return rows of some columns of a Parquet file, each value as JSON, None where it is missing."""
        from betterthan.engine.duckdb.parquet import parquet_json  # noqa: PLC0415 (other files need none)

        return parquet_json(self.plain, self.name, columns)

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON value; None where it is none or too large to be held in memory."""
        if self.plain.stat().st_size > LARGEST_DOCUMENT:
            return None
        try:
            return json.loads(self.plain.read_bytes())
        except (ValueError, RecursionError):
            return None

    @property
    def whole(self) -> Any:
        """The whole file as one JSON value, refused where it is none."""
        if self.document is None:
            raise EvidenceError(
                f"is not one whole JSON value of at most {LARGEST_DOCUMENT >> 20} MB",
                where=self.name,
                remedy="Check whether the file is complete, or write it again.",
            )
        return self.document

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the objects of JSON lines, refusing lines that hold none."""
        with self.plain.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    value = None
                if not isinstance(value, dict):
                    raise EvidenceError(
                        "the line is no JSON object",
                        where=f"{self.name}, line {number}",
                        remedy="Check whether the file is whole, or write it again.",
                    )
                yield value

    def keyed(self, texts: Sequence[str], numbers: Sequence[str]) -> tuple[dict[str, Any], dict[str, FloatArray]]:
        """Return some keys of JSON lines: columns of texts (None where a key is absent) and of numbers.

        True and false are 1 and 0; NaN means missing, and infinity means another type (a list).
        """
        from betterthan.engine.duckdb.json_projection import read_json_keys  # noqa: PLC0415 (other files need none)

        return read_json_keys(self.plain, self.name, texts, numbers)

    @cached_property
    def members(self) -> list[str]:
        """The names of what an archive holds."""
        from betterthan.engine.files.archives import archive_members  # noqa: PLC0415 (other files need none)

        return archive_members(self.plain)

    def member(self, name: str) -> bytes:
        """Return the bytes of a file in an archive."""
        from betterthan.engine.files.archives import archive_member  # noqa: PLC0415 (other files need none)

        return archive_member(self.plain, name, self.name)

    def _first_entry(self) -> Any:
        """Return the first entry of a list without reading the rest."""
        with self.plain.open(encoding="utf-8-sig") as stream:
            text = stream.read(_HEAD)
            while len(text) < _RECORD:
                start = text.index("[") + 1
                start += len(text[start:]) - len(text[start:].lstrip())
                try:
                    return json.JSONDecoder().raw_decode(text, start)[0]
                except ValueError:
                    more = stream.read(len(text))
                    if not more:
                        raise
                    text += more
        return None


class Places(Sequence[PlacedFile]):
    """All files of the given places, with folders and archives expanded, sorted by name."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.temporaries = Temporaries()
        self.given = tuple(sources)
        below = (file for name in expand_all(sources) for file in self._below(name))
        # A folder and a file in it may both have been given.
        self.files = tuple({os.path.abspath(file.path): file for file in below}.values())

    def _below(self, name: str) -> Iterator[PlacedFile]:
        path = Path(name)
        if name == "-" or not (path.is_file() or path.is_dir()):
            return  # pipes can be read once only, which tables do
        if path.is_file() and path.name.lower().endswith(_ARCHIVES):
            from betterthan.engine.files.archives import unpack_archive  # noqa: PLC0415 (other files need none)

            plain = PlacedFile(name, path, (path.name,), given=True, temporaries=self.temporaries).plain
            path = unpack_archive(plain, name, self.temporaries).folder
            yield from self._walked(path, f"{name}:", Path(name).name)
            return
        if path.is_file():
            yield PlacedFile(name, path, (path.name,), given=True, temporaries=self.temporaries)
            return
        yield from self._walked(path, "", path.resolve().name)

    def _walked(self, folder: Path, archive: str, title: str) -> Iterator[PlacedFile]:
        """Yield the files of a folder; those of an unpacked one are called like what is in the archive."""
        found = list(islice(_walk(folder), MOST_FILES + 1))
        if len(found) > MOST_FILES:
            raise EvidenceError(f"holds more than {MOST_FILES:,} files", where=title, remedy="Give a smaller folder.")
        for each in sorted(found):
            inside = each.relative_to(folder)
            name = f"{archive}{inside}" if archive else str(each)
            yield PlacedFile(name, each, (title, *inside.parts), given=False, temporaries=self.temporaries)

    @property
    def only_tables(self) -> bool:
        """Whether only files were given, or folders that are one table each."""
        folders = [name for name in self.given if Path(name).is_dir()]
        if not folders:
            return True
        from betterthan.engine.files.hugging_face import is_data_set  # noqa: PLC0415 (files need none)

        return all(map(is_data_set, folders))

    @property
    def title(self) -> str:
        """The name in messages."""
        return ", ".join(self.given[:3]) + (f" and {len(self.given) - 3} more" if len(self.given) > 3 else "")

    def __getitem__(self, place: Any) -> Any:
        return self.files[place]

    def __len__(self) -> int:
        return len(self.files)

    def close(self) -> None:
        """Remove what was unpacked."""
        self.temporaries.close()


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in _LITTER)
        yield from (Path(root) / name for name in names if not name.startswith(".") and name not in _LITTER)
