"""Which files were meant, and what they are: told by their first bytes, then by their ending."""

import atexit
import bz2
import glob
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from betterthan.errors import EvidenceError

Layout = Literal["csv", "tsv", "json", "jsonl", "parquet", "arrow"]

_ENDINGS: dict[str, Layout] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
KNOWN = "CSV, TSV, JSON, JSON lines, Parquet or Arrow, also as .gz, .zst or .bz2"


@dataclass(frozen=True)
class File:
    """One file to read: what the user calls it, where its bytes are, and what they are."""

    name: str
    path: Path
    layout: Layout
    compression: Literal["none", "gzip", "zstd"] = "none"


def resolve(sources: Sequence[str | os.PathLike[str]]) -> list[File]:
    """Expand globs and '-', and recognise every file."""
    names = [name for source in sources for name in _expand(os.fspath(source))]
    if not names:
        raise EvidenceError("no files given; give at least one path, a glob, or - for standard input.")
    if names.count("-") > 1:
        raise EvidenceError("standard input (-) was given twice, but it can be read only once. Give it once.")
    return [_recognise(name) for name in names]


def _expand(name: str) -> list[str]:
    if name == "-" or os.path.lexists(name):
        return [name]
    if glob.has_magic(name):
        found = sorted(glob.glob(name, recursive=True))
        if not found:
            raise EvidenceError(f"{name}: the pattern matches no file. Check the folder with: ls {name!r}")
        return found
    folder = Path(name).parent
    near = _nearest(Path(name).name, [entry.name for entry in folder.iterdir()] if folder.is_dir() else [])
    raise EvidenceError(f"{name}: no such file." + (f" Did you mean {folder / near}?" if near else " Check the path."))


def _nearest(name: str, candidates: list[str]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 (only on the way out)

    return next(iter(get_close_matches(name, candidates, n=1, cutoff=0.6)), None)


def _recognise(name: str) -> File:
    path = _spool(sys.stdin.buffer) if name == "-" else Path(name)
    shown = "standard input" if name == "-" else name
    if path.is_dir():
        raise EvidenceError(
            f"{shown}: is a directory, not a file. Give its files, for example: '{name.rstrip('/')}/*.csv'"
        )
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError as error:
        raise EvidenceError(
            f"{shown}: cannot be opened: {error.strerror or error}. Check the path and its permissions."
        ) from None
    if not head:
        raise EvidenceError(f"{shown}: the file is empty. Give a file with a header line and at least one row.")
    compression = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "none")
    stem = Path(name)
    if stem.suffix.lower() in _COMPRESSED:
        if compression != _COMPRESSED[stem.suffix.lower()]:
            raise EvidenceError(
                f"{shown}: is not {_COMPRESSED[stem.suffix.lower()]} data, whatever its name says. "
                "Rename it or compress it again."
            )
        stem = stem.with_suffix("")
    if compression in {"gzip", "bz2"}:
        head = _decompressed_head(path, compression, shown)
    if compression == "bz2":  # the one kind that DuckDB cannot read by itself
        with bz2.open(path) as stream:
            path, compression = _spool(stream), "none"
    layout = _layout(stem, head if compression != "zstd" else b"", shown)
    if compression != "none" and layout in {"parquet", "arrow"}:
        if compression == "zstd":
            raise EvidenceError(f"{shown}: {layout} files are compressed inside. Unpack it first: zstd -d {name}")
        with gzip.open(path) as stream:
            path, compression = _spool(stream), "none"
    return File(shown, path, layout, compression)  # type: ignore[arg-type]


def _decompressed_head(path: Path, compression: str, shown: str) -> bytes:
    opener = gzip.open if compression == "gzip" else bz2.open
    try:
        with opener(path) as stream:
            head: bytes = stream.read(4096)
    except (OSError, EOFError) as error:
        raise EvidenceError(
            f"{shown}: the compressed data is damaged: {error}. Compress or download it again."
        ) from None
    if not head:
        raise EvidenceError(f"{shown}: the file is empty. Give a file with a header line and at least one row.")
    return head


def _layout(stem: Path, head: bytes, shown: str) -> Layout:
    by_ending = _ENDINGS.get(stem.suffix.lower())
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "arrow"
    if by_ending in {"parquet", "arrow"}:
        raise EvidenceError(f"{shown}: is not a {by_ending} file, whatever its name says. Rename it or write it again.")
    utf16 = head[:2] in {b"\xff\xfe", b"\xfe\xff"}
    if b"\x00" in head and not utf16:
        raise EvidenceError(
            f"{shown}: is a binary file, not text; allowed: {KNOWN}. Check what the file is, or export it as CSV."
        )
    if by_ending:
        return by_ending
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] in {b"{", b"["}:
        return "jsonl" if text[:1] == b"{" else "json"
    if text or stem.suffix == "":
        return "tsv" if b"\t" in head.splitlines()[0] else "csv"
    raise EvidenceError(f"{shown}: unknown kind of file {stem.suffix!r}; allowed: {KNOWN}. Rename it by what it is.")


def _spool(stream: IO[bytes] | gzip.GzipFile | bz2.BZ2File) -> Path:
    """Copy a stream to a temporary file, so that it can be read more than once in bounded memory."""
    descriptor, name = tempfile.mkstemp(prefix="betterthan-")
    with os.fdopen(descriptor, "wb") as target:
        shutil.copyfileobj(stream, target, 1 << 20)
    atexit.register(_remove, name)
    return Path(name)


def _remove(name: str) -> None:
    with suppress(OSError):
        os.unlink(name)
