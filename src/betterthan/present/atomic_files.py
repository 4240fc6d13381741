"""Atomic file writing: files are written to a temporary name and then moved."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from betterthan.base import BetterthanError

#: Letters of a name that its temporary neighbour shows.
_LONGEST = 40


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary neighbour of `path`, then move it into place in one step.

    A link is followed, and a pipe or device is written to, never replaced.
    """
    try:
        special = Path(path).exists() and not Path(path).is_file()
        target = Path(path) if special else Path(os.path.realpath(path))
    except (OSError, ValueError) as error:  # it is too long, or has a NUL
        reason = getattr(error, "strerror", None) or error
        raise BetterthanError(f"{path}: cannot be written: {reason}. Choose another name.") from None
    # Named before it is made, so that it is taken away whatever interrupts this; no pattern such as *.csv finds it.
    folder = Path(tempfile.gettempdir()) if special else target.parent
    place = folder / f".{target.name[:_LONGEST]}.{os.urandom(8).hex()}.part"
    try:
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        write(place)
        if special:
            with place.open("rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        else:
            place.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            place.replace(target)
    except OSError as error:
        raise BetterthanError(
            f"{path}: cannot be written: {error.strerror or error}. Choose another place, or make room."
        ) from None
    finally:
        for left in (place, place.with_name(f"{place.name}.wal")):  # the second is DuckDB's
            left.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8, whole or not at all."""

    def write(place: Path) -> None:
        place.write_text(text, encoding="utf-8", errors="replace")

    write_whole(path, write)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes, whole or not at all."""
    write_whole(path, lambda place: _put(place, content))


def _put(place: Path, content: bytes) -> None:
    place.write_bytes(content)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
