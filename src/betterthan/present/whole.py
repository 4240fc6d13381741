"""Files out: written beside their place and moved there when whole, so that none is ever half written."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from betterthan.errors import BetterthanError


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary neighbour of `path`, then move it into place in one step.

    A link is followed, and a pipe or device is written to, never replaced.
    """
    special = Path(path).exists() and not Path(path).is_file()
    target = Path(path) if special else Path(os.path.realpath(path))
    try:
        folder = None if special else target.parent
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=target.suffix, dir=folder)
        os.close(descriptor)
    except OSError as error:
        raise _unwritten(target, error) from None
    try:
        write(Path(name))
        if special:
            with Path(name).open("rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        else:
            os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            os.replace(name, target)
    except OSError as error:
        raise _unwritten(target, error) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _unwritten(target: Path, error: OSError) -> BetterthanError:
    return BetterthanError(f"{target}: cannot be written: {error.strerror}. Choose another place with -o.")


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
