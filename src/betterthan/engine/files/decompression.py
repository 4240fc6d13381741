"""Plain files from streams, compressed data and other encodings, checked for completeness."""

import bz2
import codecs
import errno
import gzip
import io
import os
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from betterthan.base import EvidenceError, spelling

_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
_OPENERS: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open}
_CHUNK = 1 << 20
#: Bytes of compressed data taken at once: a few may become many.
_FEW = 1 << 14
#: What data may grow to when it is unpacked: that many bytes, and beyond a size that does no harm that many times its
#: own.
LARGEST, HARMLESS, GROWTH = 64 << 30, 256 << 20, 250
#: What is raised where a disk has no room left, or a user none of theirs.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Meter:
    """Counts unpacked bytes, and refuses data beyond a limit."""

    def __init__(self, packed: int | None, shown: str) -> None:
        self._most = LARGEST if packed is None else min(LARGEST, max(HARMLESS, packed * GROWTH))
        self._shown, self._so_far = shown, 0

    def counted(self, parts: Iterable[bytes]) -> Generator[bytes, None, None]:
        """Pass on unpacked data up to a limit."""
        for part in parts:
            self._so_far += len(part)
            if self._so_far > self._most:
                raise EvidenceError(
                    f"grows to more than {self._most / 2**20:,.0f} MB when it is unpacked",
                    where=self._shown,
                    remedy="Unpack it yourself if you trust it.",
                )
            yield part


class Temporaries:
    """Temporary files and folders, removed when closed, garbage-collected, or at exit."""

    def __init__(self) -> None:
        self._paths: list[Path] = []
        self.close = weakref.finalize(self, _remove, self._paths, os.getpid())

    def folder(self) -> Path:
        """Return a new folder."""
        place = self.name()
        place.mkdir(mode=0o700)
        return place

    @contextmanager
    def new(self) -> Iterator[tuple[IO[bytes], Path]]:
        """Yield a new file to be written, and its path."""
        with with_room():
            place = self.name()
            descriptor = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                yield target, place

    def name(self) -> Path:
        """Return a new name for a file or folder, which will be removed.

        It is known before anything has it, so that a signal in between leaves nothing behind.
        """
        self._paths.append(Path(tempfile.gettempdir(), f"betterthan-{os.urandom(8).hex()}"))
        return self._paths[-1]


@contextmanager
def with_room() -> Iterator[None]:
    """Report a full temporary folder as such: the unpacked data are not at fault."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise EvidenceError(
            f"the temporary folder is full: {error.strerror}",
            where=tempfile.gettempdir(),
            remedy="Make room in it, or choose another folder with the environment variable TMPDIR.",
        ) from None


def spool(stream: IO[bytes], temporaries: Temporaries, meter: Meter) -> Path:
    """Copy a stream to a temporary file, so that it can be read more than once in bounded memory."""
    with temporaries.new() as (target, path):
        for part in meter.counted(iter(lambda: stream.read(_CHUNK), b"")):
            target.write(part)
    return path


def archive_of(head: bytes) -> str | None:
    """Return the kind of archive by the first bytes, None for other files."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    return "tar" if head[257:262] == b"ustar" else None


def compression_of(head: bytes) -> str:
    """Return the compression of a file by its first bytes."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "none")


def decompress(path: Path, compression: str, shown: str, temporaries: Temporaries) -> Path:
    """Unpack compressed data into a temporary file; that it is whole is verified by that."""
    meter = Meter(path.stat().st_size, shown)
    try:
        if compression == "zstd":
            return _decompress_zstd(path, temporaries, meter)
        with _OPENERS[compression](path) as stream:
            return spool(stream, temporaries, meter)
    except (OSError, EOFError, zlib.error) as error:
        raise EvidenceError(
            f"the compressed data is damaged: {error}", where=shown, remedy="Compress or download it again."
        ) from None


def _decompress_zstd(path: Path, temporaries: Temporaries, meter: Meter) -> Path:
    """Unpack Zstandard data frame by frame: its own reader takes a cut file for a short one."""
    import zstandard  # noqa: PLC0415 (few files are compressed so)

    with path.open("rb") as stream, temporaries.new() as (target, place):
        frame, rest = None, b""
        try:
            while data := rest or stream.read(_FEW):
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                target.writelines(meter.counted([frame.decompress(data)]))
                frame, rest = (None, frame.unused_data) if frame.eof else (frame, b"")
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
        if frame is not None:
            raise EOFError("it ends too early")
    return place


def even_lines(path: Path, temporaries: Temporaries) -> tuple[Path, bool]:
    """Return text with uniform line ends (DuckDB does not read CRLF and LF in one file), and whether rows are short.

    Short are those below two megabytes. Where anything is quoted, a row may have many lines and is not called short.
    """
    windows, plain, last, short = False, False, b"", True
    with path.open("rb") as source:
        for part in iter(lambda: source.read(_CHUNK), b""):
            short = short and b'"' not in part and (b"\n" in part or len(part) < _CHUNK)
            if b"\r" in part or last == b"\r":
                both = part.count(b"\r\n") + (last == b"\r" and part.startswith(b"\n"))
                windows, plain = windows or both > 0, plain or part.count(b"\n") > both
            else:
                plain = plain or b"\n" in part
            last = part[-1:]
    if not (windows and plain):
        return path, short
    with path.open("rb") as source, temporaries.new() as (target, place):
        for line in source:  # up to its \n
            target.write(line[:-2] + b"\n" if line.endswith(b"\r\n") else line)
    return place, short


def transcode(path: Path, encoding: str, shown: str, temporaries: Temporaries) -> Path:
    """Write text of another encoding as UTF-8 into a temporary file."""
    try:
        with path.open(encoding=encoding, newline="") as source, temporaries.new() as (target, place):
            for part in iter(lambda: source.read(_CHUNK), ""):
                target.write(part.encode())
    except (UnicodeDecodeError, UnicodeError) as error:
        raise EvidenceError(
            f"the text is not {encoding}: {error}",
            where=shown,
            remedy=f"Name its encoding with {spelling.option('encoding')}.",
        ) from None
    return place


def plain_encoding(encoding: str) -> str:
    """Return Python's name of an encoding, or refuse an unknown one."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)  # refuses what turns no bytes into text, such as rot13
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise EvidenceError(
            f"unknown encoding {encoding!r}", allowed="utf-8, utf-16, latin-1, cp1252 and others that Python knows"
        ) from None


def _remove(paths: list[Path], owner: int) -> None:
    if os.getpid() != owner:  # a forked process must not take away its parent's files
        return
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            path.unlink()
