"""Safe unpacking of zip and tar archives into a temporary folder."""

import re
import stat
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from betterthan.base import EvidenceError
from betterthan.engine.files.decompression import Meter, Temporaries, archive_of, with_room

if TYPE_CHECKING:
    import zipfile

#: More files than this are no evaluation.
MEMBERS = 20_000
_CHUNK = 1 << 20
_ZSTANDARD = 93  # the method's number in the zip format, which Python knows from 3.14 on
_REMEDY = "Unpack it yourself if you trust it, and give its files."


@dataclass(frozen=True)
class Unpacked:
    """A folder with the content of an archive, and the names of its files in order."""

    folder: Path
    members: tuple[str, ...]


def unpack_archive(path: Path, shown: str, temporaries: Temporaries) -> Unpacked:
    """Unpack a zip or tar file into a temporary folder that is removed with `temporaries`.

    Links, devices, encrypted files, names that lead outside and archives that grow beyond all bounds are refused.
    Archives inside the archive stay as they are.
    """
    with path.open("rb") as stream:
        kind = archive_of(stream.read(512))
    folder, names = temporaries.folder(), dict[str, None]()
    try:
        with closing((_zipped if kind == "zip" else _tarred)(path, shown)) as inside:
            for name, content in inside:
                place = folder / _safe(name, shown)
                if name in names:
                    raise EvidenceError(f"holds {name!r} twice", where=shown, remedy=_REMEDY)
                names[name] = None
                if len(names) > MEMBERS:
                    raise EvidenceError(f"holds more than {MEMBERS:,} files", where=shown, remedy=_REMEDY)
                with with_room(), closing(content):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with place.open("xb") as target:
                        target.writelines(content)
    except _damage(kind) as error:
        raise EvidenceError(f"the {kind} file is damaged: {error}", where=shown, remedy="Write it again.") from None
    except OSError as error:
        raise EvidenceError(
            f"cannot be unpacked: {error.strerror or error}",
            where=shown,
            remedy="Unpack it yourself, and give its files.",
        ) from None
    return Unpacked(folder, tuple(names))


def archive_members(path: Path) -> list[str]:
    """Return the names of the files in a zip archive; none where it is damaged."""
    import zipfile  # noqa: PLC0415 (few files are archives)

    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return []


def archive_member(path: Path, name: str, shown: str) -> bytes:
    """Return one file out of a zip file."""
    try:
        return next((b"".join(content) for each, content in _zipped(path, shown) if each == name), b"")
    except _damage("zip") as error:
        raise EvidenceError(f"the zip file is damaged: {error}", where=shown, remedy="Write it again.") from None


def measure(path: Path, shown: str) -> None:
    """Go through a zip file that someone else will unpack, and refuse what `unpack` would refuse."""
    try:
        for _, content in _zipped(path, shown):
            for _ in content:
                pass
    except _damage("zip") as error:
        raise EvidenceError(f"the file is damaged: {error}", where=shown, remedy="Write it again.") from None


def _damage(kind: str | None) -> tuple[type[Exception], ...]:
    """Return the exceptions of damaged archives; some are raised only when files are read."""
    import lzma  # noqa: PLC0415 (few files are archives)
    import tarfile  # noqa: PLC0415
    import zipfile  # noqa: PLC0415

    broken: type[Exception] = zipfile.BadZipFile if kind == "zip" else tarfile.TarError
    return broken, zlib.error, lzma.LZMAError, EOFError, struct.error, ValueError, RuntimeError


def _safe(name: str, shown: str) -> str:
    """Return a member's path, refusing one that leads outside the folder."""
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or re.match("[A-Za-z]:", name)
        or not path.parts
        or not name.isprintable()
    ):
        raise EvidenceError(f"holds {name!r}, a name that leads outside the archive", where=shown, remedy=_REMEDY)
    return str(path)


def _zipped(path: Path, shown: str) -> Generator[tuple[str, Generator[bytes, None, None]], None, None]:
    import zipfile  # noqa: PLC0415 (few files are archives)

    meter = Meter(path.stat().st_size, shown)
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = info.filename.replace("\\", "/")
            if name.endswith("/"):
                continue
            if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG}:
                raise EvidenceError(f"holds {name!r}, which is a link or a device", where=shown, remedy=_REMEDY)
            if info.flag_bits & 0x1:
                raise EvidenceError(f"{name!r} is encrypted", where=shown, remedy="Unpack it, and give its files.")
            yield name, meter.counted(_inflated(archive, path, info))


def _inflated(archive: "zipfile.ZipFile", path: Path, info: "zipfile.ZipInfo") -> Iterator[bytes]:
    if info.compress_type != _ZSTANDARD:
        with archive.open(info) as stream:
            yield from _parts(stream)
        return
    import zipfile  # noqa: PLC0415

    import zstandard  # noqa: PLC0415

    with path.open("rb") as stream:
        stream.seek(info.header_offset)
        name, extra = struct.unpack("<26xHH", stream.read(30))
        stream.seek(info.header_offset + 30 + name + extra)
        left, checked = info.compress_size, 0
        frame, rest = None, b""
        try:
            while data := rest or stream.read(min(left, 1 << 14)):
                left -= 0 if rest else len(data)
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                part = frame.decompress(data)
                checked = zlib.crc32(part, checked)
                yield part
                # Large members have several frames.
                frame, rest = (None, frame.unused_data) if frame.eof else (frame, b"")
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from None
    if checked != info.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {info.filename!r}")


def _tarred(path: Path, shown: str) -> Generator[tuple[str, Generator[bytes, None, None]], None, None]:
    import tarfile  # noqa: PLC0415 (few files are archives)

    meter = Meter(path.stat().st_size, shown)
    with tarfile.open(path, "r:") as archive:
        for info in archive:
            if info.isdir():
                continue
            if not info.isreg() or info.issparse():
                raise EvidenceError(f"holds {info.name!r}, which is a link or a device", where=shown, remedy=_REMEDY)
            stream = archive.extractfile(info)
            if stream is not None:
                yield info.name, meter.counted(_parts(stream))


def _parts(stream: IO[Any]) -> Iterator[bytes]:
    return iter(lambda: stream.read(_CHUNK), b"")
