"""Files of a workbench: named on the command line, or uploaded to a temporary folder."""

import errno
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from betterthan.base import BetterthanError

#: Bytes of all uploads together, and how many there may be.
MOST_BYTES = 8 * 1024**3
MOST_FILES = 200
_LONGEST_NAME = 120


@dataclass(frozen=True)
class OpenFile:
    """A file that requests may name by its key; `path` is read, `name` is shown."""

    key: str
    name: str
    path: str
    uploaded: bool = False

    @property
    def stamp(self) -> tuple[int, int]:
        """A stamp that changes with the file; a folder or pattern is read once."""
        try:
            found = os.stat(self.path)
        except (OSError, ValueError):
            return 0, 0
        return found.st_mtime_ns, found.st_size

    @property
    def size(self) -> str:
        """The size for people, empty for folders and patterns."""
        if not os.path.isfile(self.path):
            return ""
        size = float(self.stamp[1])
        for unit in ("bytes", "kB", "MB"):
            if size < 1000:
                return f"{size:.0f} {unit}"
            size /= 1000
        return f"{size:.1f} GB"


class Upload:
    """An upload: available once it is `finished`, removed if it fails."""

    def __init__(self, files: "Files", key: str, name: str) -> None:
        self._files = files
        self._folder = files.folder / key
        self._folder.mkdir(mode=0o700)
        self._opened = OpenFile(key, name, str(self._folder / name), uploaded=True)
        self._stream: BinaryIO = open(self._opened.path, "xb")  # noqa: SIM115 (closed by `finished` or `discard`)
        self._written = 0

    def write(self, block: bytes) -> None:
        """Add bytes, up to the bound of all uploads together."""
        self._files.take(len(block))
        self._written += len(block)
        try:
            self._stream.write(block)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise BetterthanError(
                "the disk is full", where=self._opened.name, remedy="Name the file on the command line instead."
            ) from None

    def finished(self) -> OpenFile:
        """Close the file and offer it."""
        self._stream.close()
        self._files.offer(self._opened)
        return self._opened

    def discard(self) -> None:
        """Remove what came so far."""
        self._stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._files.take(-self._written)


class Files:
    """All files of a workbench, by key; requests cannot name other files.

    >>> with Files(["votes.csv"]) as files:
    ...     [file.name for file in files.all()]
    ['votes.csv']
    """

    def __init__(self, named: Sequence[str] = (), most_bytes: int = MOST_BYTES) -> None:
        if "-" in named:
            raise BetterthanError(
                "the workbench reads files again and again, which standard input cannot offer",
                remedy="Save it to a file first.",
            )
        # Named before it is made: also a process that is stopped in between leaves nothing behind.
        self.folder = Path(tempfile.gettempdir(), f"betterthan-{os.urandom(8).hex()}")
        self._remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        self._lock = threading.Lock()
        self._files: dict[str, OpenFile] = {}
        self._number = 0
        self._bytes = 0
        self._most_bytes = most_bytes
        for path in named:
            self.offer(OpenFile(self._key(), os.path.basename(path.rstrip("/")) or path, path))

    def all(self) -> list[OpenFile]:
        """Return every file, oldest first."""
        with self._lock:
            return list(self._files.values())

    def __getitem__(self, key: str) -> OpenFile:
        with self._lock:
            if key not in self._files:
                raise BetterthanError("this file is not open any more", remedy="Drop it on the page again.")
            return self._files[key]

    def begin(self, name: str) -> Upload:
        """Begin to take a file in."""
        plain = _harmless(name)
        with self._lock:
            if sum(each.uploaded for each in self._files.values()) >= MOST_FILES:
                raise BetterthanError(f"more than {MOST_FILES} files are open", remedy="Close some of them.")
        return Upload(self, self._key(), plain)

    def offer(self, file: OpenFile) -> None:
        """Let requests name a file."""
        with self._lock:
            self._files[file.key] = file

    def take(self, number: int) -> None:
        """Count bytes of uploads, and refuse those beyond the bound."""
        with self._lock:
            if number > 0 and self._bytes + number > self._most_bytes:
                raise BetterthanError(
                    f"uploads may have {self._most_bytes / 1024**3:.3g} GiB together",
                    remedy="Name large files on the command line: betterthan open FILE.",
                )
            self._bytes += number

    def forget(self, key: str) -> None:
        """Close a file, and remove it if it was uploaded."""
        file = self[key]
        with self._lock:
            self._files.pop(key, None)
        if file.uploaded:
            size = file.stamp[1]
            shutil.rmtree(self.folder / key, ignore_errors=True)
            self.take(-size)

    def plain(self, text: str) -> str:
        """Return a message as the command line would write it: uploads by their names, not where they are kept."""
        with self._lock:
            keys = list(self._files)
        for key in keys:
            text = text.replace(f"{self.folder / key}{os.sep}", "")
        return text

    def close(self) -> None:
        """Remove every upload."""
        self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _key(self) -> str:
        with self._lock:
            self._number += 1
            return f"f{self._number}"


def _harmless(name: str) -> str:
    """Return a name that can only be that of a file in its own folder.

    >>> _harmless("../../etc/passwd"), _harmless("C:\\\\votes.csv")
    ('passwd', 'votes.csv')
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join(character for character in last if character.isprintable()).strip()
    plain = plain.lstrip(".-") or "file"
    while len(plain.encode("utf-8", "replace")) > _LONGEST_NAME:  # the ending says the format
        plain = plain[1:]
    # What cannot be encoded has no place in a file system, and a glob's signs would name other files.
    plain = plain.encode("utf-8", "replace").decode()
    return "".join("_" if character in "*?[]" else character for character in plain)
