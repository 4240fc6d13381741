"""Find the input files, and detect their types by the first bytes, then by the suffix."""

import glob
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from betterthan.base import EvidenceError, PlanError, spelling
from betterthan.engine import files as file_kinds
from betterthan.engine.files.decompression import (
    Meter,
    Temporaries,
    archive_of,
    compression_of,
    decompress,
    even_lines,
    plain_encoding,
    spool,
    transcode,
)
from betterthan.engine.table import OnError

if TYPE_CHECKING:
    from betterthan.engine.files.tidy_tables import Tidied

Layout = Literal["csv", "tsv", "json", "jsonl", "yaml", "parquet", "arrow", "excel", "sqlite", "duckdb"]

_ENDINGS: dict[str, Layout] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".duckdb": "duckdb",
}
#: Unambiguous first bytes, with their offset.
_MAGIC: tuple[tuple[int, bytes, Layout], ...] = (
    (0, b"PAR1", "parquet"),
    (0, b"ARROW1", "arrow"),
    (0, b"\xff\xff\xff\xff", "arrow"),
    (0, b"SQLite format 3\0", "sqlite"),
    (8, b"DUCK", "duckdb"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "excel"),
)
_BINARY = {"parquet", "arrow", "excel", "sqlite", "duckdb"}
_CALLED: dict[str, str] = {"arrow": "an Arrow", "excel": "an Excel", "sqlite": "an SQLite", "duckdb": "a DuckDB"}
_COMPRESSED = {".gz": "gzip", ".tgz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
_KNOWN = (
    "CSV, TSV, JSON, JSON lines, YAML, Parquet, Arrow, Excel, SQLite or DuckDB, "
    "also as .gz, .zst or .bz2 and in .zip or .tar"
)
#: Files that are read as one table, each by its own scan.
MOST_FILES = 5_000
NOT_EMPTY = "Give a file with a header line and at least one row."


@dataclass(frozen=True)
class Opening:
    """Options for reading files that do not describe themselves."""

    encoding: str = "utf-8"
    on_error: OnError = "refuse"
    delimiter: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    table: str | None = None


@dataclass(frozen=True)
class File:
    """One input file: its name for users, its path, its type, and whether the path is permanent."""

    name: str
    path: Path
    layout: Layout
    lasting: bool = True  # standard input and pipes can be read once only
    origin: str = ""  # the path that was given, which may be that of an archive
    delimiter: str | None = None
    split: str = ""  # of a data set that has several
    short_rows: bool = False  # below two megabytes each, as far as is known
    changes: tuple[str, ...] = ()  # what was left out of the table, or read in another notation


def resolve(sources: Sequence[str | os.PathLike[str]], opening: Opening, temporaries: Temporaries) -> list[File]:
    """Expand globs and '-', recognise every file, and unpack what DuckDB cannot read as it is."""
    names = expand_all(os.fspath(source) for source in sources)
    if not names:
        raise EvidenceError("no files given", remedy="Give at least one path, a pattern, or - for standard input.")
    _refuse_many(len(names))
    opening = replace(opening, encoding=plain_encoding(opening.encoding), delimiter=_delimiter(opening.delimiter))
    files = [file for name in names for file in _recognise(name, opening, temporaries)]
    _refuse_many(len(files))
    _refuse_unused(opening, {file.layout for file in files}, files[0].name)
    return [_plain(file, opening, temporaries) for file in files]


def _refuse_many(number: int) -> None:
    if number > MOST_FILES:
        raise EvidenceError(
            f"{number:,} files are too many for one table, which has at most {MOST_FILES:,}",
            remedy="Join them into fewer files first.",
        )


def _delimiter(given: str | None) -> str | None:
    sign = {"tab": "\t", "\\t": "\t"}.get(given or "", given)
    if sign is not None and (len(sign) != 1 or sign in '"\r\n'):
        raise PlanError(f"{spelling.option('delimiter')} must be one character or 'tab', got {given!r}.")
    return sign


def _refuse_unused(opening: Opening, layouts: set[Layout], shown: str) -> None:
    """Refuse an option that none of the files uses: the user expects an effect."""
    needed: dict[str, tuple[set[Layout], str]] = {
        "sheet": ({"excel"}, "spreadsheets"),
        "table": ({"sqlite", "duckdb"}, "databases"),
        "delimiter": ({"csv", "tsv"}, "CSV and TSV files"),
        "decimal": ({"csv", "tsv", "excel"}, "CSV and TSV files and spreadsheets"),
    }
    for name, (for_these, called) in needed.items():
        if getattr(opening, name) is not None and not layouts & for_these:
            raise EvidenceError(f"{spelling.option(name)} is for {called}", where=shown, remedy="Leave it out.")


def _plain(file: File, opening: Opening, temporaries: Temporaries) -> File:
    """Convert files that DuckDB does not read."""
    if file.layout == "excel":
        return _tidied(file, file_kinds.spreadsheets.excel(file.path, opening, file.name), temporaries)
    if file.layout == "yaml":
        from betterthan.engine.files.yaml_documents import as_json  # noqa: PLC0415 (few files are YAML)

        return replace(file, path=as_json(file.path, file.name, temporaries), layout="json")
    if file.layout == "sqlite":
        place = file_kinds.spreadsheets.sqlite(file.path, opening.table, file.name, temporaries)
        return replace(file, path=place, layout="csv", delimiter=",")
    if file.layout in {"csv", "tsv"}:
        place, short = even_lines(file.path, temporaries)
        sign = opening.delimiter or ("\t" if file.layout == "tsv" else None)
        table = file_kinds.tidy_tables.tidied_file(place, sign, opening.decimal, file.name)
        if table is not None:
            return _tidied(file, table, temporaries)
        return replace(file, path=place, short_rows=short, delimiter=opening.delimiter)
    return file


def _tidied(file: File, table: "Tidied", temporaries: Temporaries) -> File:
    """Return a file that holds nothing but a table, and says how it differs from the one that was given."""
    with temporaries.new() as (target, place):
        file_kinds.tidy_tables.write_table(table, target)
    return replace(file, path=place, layout="csv", delimiter=",", changes=table.changes)


def expand_all(names: Iterable[str]) -> list[str]:
    """Return the paths that names and patterns stand for, each once: patterns may overlap."""
    found = [path for name in names for path in expand(name)]
    if found.count("-") > 1:
        raise EvidenceError("standard input (-) was given twice, but it can be read only once", remedy="Give it once.")
    once = dict[str, str]()
    for path in found:
        once.setdefault(path if path == "-" else os.path.abspath(path), path)
    return list(once.values())


def expand(name: str) -> list[str]:
    """Return the paths that a name or pattern stands for."""
    if "://" in name:
        from betterthan.engine.files.remote_addresses import refuse_address  # noqa: PLC0415 (files are here)

        refuse_address(name)
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


def _recognise(name: str, opening: Opening, temporaries: Temporaries) -> list[File]:
    shown = "standard input" if name == "-" else name
    if saved := _saved(Path(name), shown, name):
        return saved
    path = _regular(name, shown, temporaries)
    file = File(shown, path, "csv", path == Path(name), name)
    plain, head = _decompressed(file, Path(name), temporaries)
    if archive_of(head) is None or _is_spreadsheet(plain.path, Path(name), head):
        return [_typed(plain, Path(name), head, opening, temporaries)]
    unpacked = file_kinds.archives.unpack_archive(plain.path, shown, temporaries)
    for folder in {unpacked.folder, *(unpacked.folder / PurePosixPath(each).parts[0] for each in unpacked.members[:1])}:
        if saved := _saved(folder, shown, name):
            return saved
    inside = [member for member in unpacked.members if _is_table(member)]
    # Next to tables, YAML holds settings.
    inside = [member for member in inside if not member.lower().endswith((".yaml", ".yml"))] or inside
    if not inside:
        listed = ", ".join(unpacked.members[:5]) or "nothing"
        raise EvidenceError(f"the archive holds no table but {listed}", where=shown, allowed=_KNOWN)
    found = []
    for member in inside:
        within = replace(file, name=f"{shown}:{member}", path=unpacked.folder / member)
        plain, head = _decompressed(within, Path(member), temporaries)
        if archive_of(head) is not None and not _is_spreadsheet(plain.path, Path(member), head):
            raise EvidenceError("is an archive inside an archive", where=plain.name, remedy="Unpack it first.")
        found.append(_typed(plain, Path(member), head, opening, temporaries))
    return found


def _saved(folder: Path, shown: str, origin: str) -> list[File]:
    """Return the files of a data set that a folder holds, none where it holds something else."""
    found = (file_kinds.hugging_face.data_files(folder, shown) or ()) if folder.is_dir() else ()
    return [
        File(f"{shown}/{each.path.relative_to(folder)}", each.path, "arrow", origin=origin, split=each.split)
        for each in found
    ]


def _is_table(member: str) -> bool:
    """Whether this is a file of rows, judging by its name; hidden files are not."""
    path = PurePosixPath(member)
    stem = path.with_suffix("") if path.suffix.lower() in _COMPRESSED else path
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    return stem.suffix.lower() in _ENDINGS and not hidden


def _is_spreadsheet(path: Path, named: Path, head: bytes) -> bool:
    """Distinguish spreadsheets, which are zip files, from archives."""
    if not head.startswith(b"PK"):
        return False
    return _ENDINGS.get(named.suffix.lower()) == "excel" or (
        b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in head or b"xl/workbook" in _tail(path)
    )


def _tail(path: Path) -> bytes:
    """Return the end of a zip file, where its list of contents is."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 65536))
        return stream.read()


def _decompressed(file: File, named: Path, temporaries: Temporaries) -> tuple[File, bytes]:
    """Return a file whose bytes are no longer compressed, and the first of them."""
    head = _head(file.path, file.name)
    compression, ending = compression_of(head), named.suffix.lower()
    if ending in _COMPRESSED and compression != _COMPRESSED[ending]:
        raise EvidenceError(
            f"is not {_COMPRESSED[ending]} data, although its name says so",
            where=file.name,
            remedy="Rename it or compress it again.",
        )
    if compression == "none":
        return file, head
    place = decompress(file.path, compression, file.name, temporaries)
    return replace(file, path=place), _head(place, file.name)


def _typed(file: File, named: Path, head: bytes, opening: Opening, temporaries: Temporaries) -> File:
    """Return the type of a file, converted to UTF-8 if it is text."""
    stem = named.with_suffix("") if named.suffix.lower() in _COMPRESSED else named
    layout = _layout(stem, head, file.name, wide_characters=opening.encoding.startswith(("utf-16", "utf-32")))
    path = file.path
    if opening.encoding not in {"utf-8", "utf-8-sig"} and layout not in _BINARY:
        path = transcode(path, opening.encoding, file.name, temporaries)
    return replace(file, path=path, layout=layout)


def _regular(name: str, shown: str, temporaries: Temporaries) -> Path:
    """Return a path that can be read twice: standard input, pipes and the like are copied first."""
    if name == "-":
        if sys.stdin is None:
            raise EvidenceError("standard input is closed", remedy="Give a file, or pipe something in.")
        return spool(sys.stdin.buffer, temporaries, Meter(None, shown))
    path = Path(name)
    if path.is_dir():
        raise EvidenceError(
            "is a directory, not a file",
            where=shown,
            remedy=f"Give its files, for example: '{name.rstrip('/')}/*.csv'",
        )
    try:
        name.encode()
        if path.is_file():
            return path
        if path.is_char_device() or path.is_block_device() or path.is_socket():
            raise EvidenceError("is a device, not a file", where=shown, remedy="Give a file or a pipe.")
        with path.open("rb") as stream:
            return spool(stream, temporaries, Meter(None, shown))
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
    for place, magic, layout in _MAGIC:
        if head.startswith(magic, place):
            return layout
    if head.startswith(b"PK"):  # archives of tables were unpacked before
        return "excel"
    if by_ending in _BINARY:
        raise EvidenceError(
            f"is not {_CALLED.get(by_ending, f'a {by_ending}')} file, although its name says so",
            where=shown,
            remedy="Rename it or write it again.",
        )
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"} and not wide_characters:
        raise EvidenceError("the text is UTF-16", where=shown, remedy=f"Use {spelling.option('encoding', 'utf-16')}.")
    if b"\x00" in head and not wide_characters:
        raise EvidenceError(
            "is a binary file, not text",
            where=shown,
            allowed=_KNOWN,
            remedy="Check what the file is, or export it as CSV.",
        )
    if by_ending:
        return by_ending
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] in {b"{", b"["}:
        return "jsonl" if text[:1] == b"{" else "json"
    return "tsv" if b"\t" in text.split(b"\n", 1)[0] else "csv"
