"""Single members of a zip archive, deflated or compressed by Zstandard, in bounded memory."""

import struct
import zipfile
from pathlib import Path

from betterthan.errors import EvidenceError

#: A member that unpacks to more is refused, whatever its directory says.
LARGEST_MEMBER = 1 << 31
_ZSTANDARD = 93
_LOCAL_HEADER = 30


def is_zip(path: Path) -> bool:
    """Say whether a file begins like a zip archive and has a directory."""
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            return False
    return zipfile.is_zipfile(path)


def names_in(path: Path) -> list[str]:
    """Return the names of an archive's members."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def member(path: Path, name: str, shown: str) -> bytes:
    """Return one member of an archive, unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = archive.getinfo(name)
            if about.flag_bits & 1:
                raise EvidenceError(f"its member {name} is encrypted", where=shown, remedy="Decrypt it first.")
            if about.compress_type == _ZSTANDARD:
                return _zstandard(path, about, shown)
            with archive.open(about) as stream:
                found = stream.read(LARGEST_MEMBER + 1)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, struct.error) as error:
        raise EvidenceError(f"the archive is damaged: {error}", where=shown, remedy="Write it again.") from None
    return _bounded(found, name, shown)


def _zstandard(path: Path, about: zipfile.ZipInfo, shown: str) -> bytes:
    """Unpack what Python's own reader does not know yet: the member's bytes are plain frames."""
    import zstandard  # noqa: PLC0415 (few archives are compressed so)

    with path.open("rb") as stream:
        stream.seek(about.header_offset)
        header = stream.read(_LOCAL_HEADER)
        named, extra = struct.unpack("<HH", header[26:30])
        stream.seek(about.header_offset + _LOCAL_HEADER + named + extra)
        packed = stream.read(about.compress_size)
    if len(packed) < about.compress_size:
        raise EOFError("it ends too early")
    parts, size = [], 0
    try:
        reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        while size <= LARGEST_MEMBER and (part := reader.read(1 << 20)):
            parts.append(part)
            size += len(part)
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from None
    if size < about.file_size <= LARGEST_MEMBER:
        raise EOFError(f"its member {about.filename} ends too early")
    return _bounded(b"".join(parts), about.filename, shown)


def _bounded(found: bytes, name: str, shown: str) -> bytes:
    if len(found) > LARGEST_MEMBER:
        raise EvidenceError(
            f"its member {name} unpacks to more than {LARGEST_MEMBER >> 30} GiB", where=shown,
            remedy="Check where the file is from.",
        )  # fmt: skip
    return found
