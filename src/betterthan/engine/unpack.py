"""Plain files out of what people have: streams, compressed data, other encodings; checked to be whole on the way."""

import atexit
import bz2
import codecs
import gzip
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from betterthan.errors import EvidenceError

_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
_OPENERS: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open}
_CHUNK = 1 << 20


def compression_of(head: bytes) -> str:
    """Tell by the first bytes how a file is compressed."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "none")


def spool(stream: IO[bytes]) -> Path:
    """Copy a stream to a temporary file, so that it can be read more than once in bounded memory."""
    with _temporary() as (target, path):
        shutil.copyfileobj(stream, target, _CHUNK)
    return path


def decompress(path: Path, compression: str, shown: str) -> Path:
    """Unpack gzip or bzip2 data into a temporary file; checksums are verified by that."""
    try:
        with _OPENERS[compression](path) as stream:
            return spool(stream)
    except (OSError, EOFError, zlib.error) as error:
        raise EvidenceError(
            f"{shown}: the compressed data is damaged: {error}. Compress or download it again."
        ) from None


def transcode(path: Path, encoding: str, shown: str) -> Path:
    """Write text of another encoding as UTF-8 into a temporary file."""
    try:
        with path.open(encoding=encoding, newline="") as source, _temporary() as (target, place):
            for part in iter(lambda: source.read(_CHUNK), ""):
                target.write(part.encode())
    except (UnicodeDecodeError, UnicodeError) as error:
        raise EvidenceError(f"{shown}: the text is not {encoding}: {error}. Say which encoding it has.") from None
    return place


def plain_encoding(encoding: str) -> str:
    """Return Python's own name of an encoding, or refuse what it does not know."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise EvidenceError(
            f"unknown encoding {encoding!r}; known are utf-8, utf-16, latin-1, cp1252 and what else Python knows."
        ) from None


def refuse_cut_zstd(path: Path, shown: str) -> None:
    """Walk over the blocks of Zstandard data: DuckDB reads what is there of a cut file and says nothing."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        while stream.tell() < size:
            if not _skip_frame(stream) or stream.tell() > size:
                raise EvidenceError(
                    f"{shown}: the compressed data is damaged: it ends too early. Compress or download it again."
                )


def _skip_frame(stream: IO[bytes]) -> bool:
    """Go to the end of one Zstandard frame (RFC 8878, section 3.1); False where it is not one."""
    magic = stream.read(4)
    if len(magic) == 4 and magic[1:] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50:  # a frame to be skipped
        stream.seek(int.from_bytes(stream.read(4), "little"), os.SEEK_CUR)
        return True
    described = stream.read(1)
    if magic != b"\x28\xb5\x2f\xfd" or not described:
        return False
    flags = described[0]
    single, checksum = bool(flags & 0x20), 4 * bool(flags & 0x04)
    content = (1 if single else 0, 2, 4, 8)[flags >> 6]
    stream.seek((0 if single else 1) + (0, 1, 2, 4)[flags & 0x03] + content, os.SEEK_CUR)
    last = False
    while not last:
        header = stream.read(3)
        if len(header) < 3:
            return False
        block = int.from_bytes(header, "little")
        last, kind, length = bool(block & 1), block >> 1 & 3, block >> 3
        stream.seek(1 if kind == 1 else length, os.SEEK_CUR)
    stream.seek(checksum, os.SEEK_CUR)
    return True


@contextmanager
def _temporary() -> Iterator[tuple[IO[bytes], Path]]:
    """Yield a temporary file that lives until the process ends, or until writing it fails."""
    descriptor, name = tempfile.mkstemp(prefix="betterthan-")
    try:
        with os.fdopen(descriptor, "wb") as target:
            yield target, Path(name)
    except BaseException:
        _remove(name)
        raise
    atexit.register(_remove, name)


def _remove(name: str) -> None:
    with suppress(OSError):
        os.unlink(name)
