"""Plain files out of what people have: streams, compressed data, other encodings; checked to be whole on the way."""

import bz2
import codecs
import gzip
import os
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from betterthan.errors import EvidenceError
from betterthan.spelling import option

_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
_OPENERS: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open}
_CHUNK = 1 << 20
#: Bytes of compressed data taken at once: a few may become many.
_FEW = 1 << 14


class Temporaries:
    """Temporary files that live until they are closed, until nobody refers to them, or until the process ends."""

    def __init__(self) -> None:
        self._paths: list[Path] = []
        self.close = weakref.finalize(self, _remove, self._paths, os.getpid())

    @contextmanager
    def new(self) -> Iterator[tuple[IO[bytes], Path]]:
        """Yield a new file to be written, and its path."""
        descriptor, name = tempfile.mkstemp(prefix="betterthan-")
        self._paths.append(Path(name))
        with os.fdopen(descriptor, "wb") as target:
            yield target, Path(name)


def compression_of(head: bytes) -> str:
    """Tell by the first bytes how a file is compressed."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "none")


def spool(stream: IO[bytes], temporaries: Temporaries) -> Path:
    """Copy a stream to a temporary file, so that it can be read more than once in bounded memory."""
    with temporaries.new() as (target, path):
        shutil.copyfileobj(stream, target, _CHUNK)
    return path


def decompress(path: Path, compression: str, shown: str, temporaries: Temporaries) -> Path:
    """Unpack compressed data into a temporary file; that it is whole is verified by that."""
    try:
        if compression == "zstd":
            return _decompress_zstd(path, temporaries)
        with _OPENERS[compression](path) as stream:
            return spool(stream, temporaries)
    except (OSError, EOFError, zlib.error) as error:
        raise EvidenceError(
            f"the compressed data is damaged: {error}", where=shown, remedy="Compress or download it again."
        ) from None


def _decompress_zstd(path: Path, temporaries: Temporaries) -> Path:
    """Unpack Zstandard data frame by frame: its own reader takes a cut file for a short one."""
    import zstandard  # noqa: PLC0415 (few files are compressed so)

    with path.open("rb") as stream, temporaries.new() as (target, place):
        frame, rest = None, b""
        try:
            while data := rest or stream.read(_FEW):
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                target.write(frame.decompress(data))
                frame, rest = (None, frame.unused_data) if frame.eof else (frame, b"")
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
        if frame is not None:
            raise EOFError("it ends too early")
    return place


def transcode(path: Path, encoding: str, shown: str, temporaries: Temporaries) -> Path:
    """Write text of another encoding as UTF-8 into a temporary file."""
    try:
        with path.open(encoding=encoding, newline="") as source, temporaries.new() as (target, place):
            for part in iter(lambda: source.read(_CHUNK), ""):
                target.write(part.encode())
    except (UnicodeDecodeError, UnicodeError) as error:
        raise EvidenceError(
            f"the text is not {encoding}: {error}", where=shown, remedy=f"Name its encoding with {option('encoding')}."
        ) from None
    return place


def plain_encoding(encoding: str) -> str:
    """Return Python's own name of an encoding, or refuse what it does not know."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise EvidenceError(
            f"unknown encoding {encoding!r}", allowed="utf-8, utf-16, latin-1, cp1252 and others that Python knows"
        ) from None


def _remove(paths: list[Path], owner: int) -> None:
    if os.getpid() != owner:  # a forked process must not take away its parent's files
        return
    for path in paths:
        with suppress(OSError):
            path.unlink()
