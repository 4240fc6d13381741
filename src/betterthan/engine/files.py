"""Which files were meant, and what they are: told by their first bytes, then by their ending."""

import glob
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from betterthan.engine.unpack import Temporaries, compression_of, decompress, plain_encoding, spool, transcode
from betterthan.errors import EvidenceError
from betterthan.spelling import option

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
_KNOWN = "CSV, TSV, JSON, JSON lines, Parquet or Arrow, also as .gz, .zst or .bz2"
NOT_EMPTY = "Give a file with a header line and at least one row."


@dataclass(frozen=True)
class File:
    """One file to read: what the user calls it, where its plain bytes are, what they are, and if they stay there."""

    name: str
    path: Path
    layout: Layout
    lasting: bool = True  # standard input and pipes can be read once only


def resolve(sources: Sequence[str | os.PathLike[str]], encoding: str, temporaries: Temporaries) -> list[File]:
    """Expand globs and '-', recognise every file, and unpack what DuckDB cannot read as it is."""
    names = [name for source in sources for name in expand(os.fspath(source))]
    if not names:
        raise EvidenceError("no files given", remedy="Give at least one path, a pattern, or - for standard input.")
    if names.count("-") > 1:
        raise EvidenceError("standard input (-) was given twice, but it can be read only once", remedy="Give it once.")
    return [_recognise(name, plain_encoding(encoding), temporaries) for name in names]


def expand(name: str) -> list[str]:
    """Return the paths that a name or pattern stands for."""
    if name == "-" or os.path.lexists(name):
        return [name]
    if glob.has_magic(name):
        found = sorted(glob.glob(name, recursive=True))
        if not found:
            raise EvidenceError("the pattern matches no file", where=name, remedy="Check the folder and the pattern.")
        return found
    folder = Path(name).parent
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    near = get_close_matches(Path(name).name, names, n=1, cutoff=0.6)
    hint = f"Did you mean {folder / near[0]}?" if near else "Check the path."
    raise EvidenceError("no such file", where=name, remedy=hint)


def _recognise(name: str, encoding: str, temporaries: Temporaries) -> File:
    shown = "standard input" if name == "-" else name
    path = _regular(name, shown, temporaries)
    lasting = path == Path(name)
    head = _head(path, shown)
    compression, stem = compression_of(head), Path(name)
    if stem.suffix.lower() in _COMPRESSED:
        if compression != _COMPRESSED[stem.suffix.lower()]:
            raise EvidenceError(
                f"is not {_COMPRESSED[stem.suffix.lower()]} data, although its name says so", where=shown,
                remedy="Rename it or compress it again.",
            )  # fmt: skip
        stem = stem.with_suffix("")
    if compression != "none":
        path = decompress(path, compression, shown, temporaries)
        head = _head(path, shown)
    layout = _layout(stem, head, shown, wide_characters=encoding.startswith(("utf-16", "utf-32")))
    if encoding not in {"utf-8", "utf-8-sig"} and layout not in {"parquet", "arrow"}:
        path = transcode(path, encoding, shown, temporaries)
    return File(shown, path, layout, lasting)


def _regular(name: str, shown: str, temporaries: Temporaries) -> Path:
    """Return a path that can be read twice: standard input, pipes and the like are copied first."""
    if name == "-":
        if sys.stdin is None:
            raise EvidenceError("standard input is closed", remedy="Give a file, or pipe something in.")
        return spool(sys.stdin.buffer, temporaries)
    path = Path(name)
    if path.is_dir():
        raise EvidenceError(
            "is a directory, not a file", where=shown,
            remedy=f"Give its files, for example: '{name.rstrip('/')}/*.csv'",
        )  # fmt: skip
    try:
        name.encode()
        if path.is_file():
            return path
        with path.open("rb") as stream:
            return spool(stream, temporaries)
    except UnicodeEncodeError:
        raise EvidenceError("the file's name is not UTF-8", where=repr(name), remedy="Rename it.") from None
    except OSError as error:
        raise _unopened(shown, error) from None


def _head(path: Path, shown: str) -> bytes:
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError as error:
        raise _unopened(shown, error) from None
    if not head:
        raise EvidenceError("the file is empty", where=shown, remedy=NOT_EMPTY)
    return head


def _unopened(shown: str, error: OSError) -> EvidenceError:
    what = f"cannot be opened: {error.strerror or error}"
    return EvidenceError(what, where=shown, remedy="Check the path and its permissions.")


def _layout(stem: Path, head: bytes, shown: str, *, wide_characters: bool = False) -> Layout:
    by_ending = _ENDINGS.get(stem.suffix.lower())
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "arrow"
    if by_ending in {"parquet", "arrow"}:
        raise EvidenceError(
            f"is not a {by_ending} file, although its name says so", where=shown, remedy="Rename it or write it again."
        )
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"} and not wide_characters:
        raise EvidenceError("the text is UTF-16", where=shown, remedy=f"Use {option('encoding', 'utf-16')}.")
    if b"\x00" in head and not wide_characters:
        raise EvidenceError(
            "is a binary file, not text", where=shown, allowed=_KNOWN,
            remedy="Check what the file is, or export it as CSV.",
        )  # fmt: skip
    if by_ending:
        return by_ending
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] in {b"{", b"["}:
        return "jsonl" if text[:1] == b"{" else "json"
    return "tsv" if b"\t" in text.split(b"\n", 1)[0] else "csv"
