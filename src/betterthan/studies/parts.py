"""Parts of a long run: done side by side, and kept in a folder as they finish, so that a stopped run goes on."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from betterthan.errors import BetterthanError
from betterthan.parallel import each
from betterthan.progress import Progress, silent

_Task = TypeVar("_Task")
#: Finished parts are written so many times in a run, and not more often than every so many tasks.
_WRITES, _LEAST = 40, 8


@dataclass(frozen=True)
class Parts:
    """Runs tasks and remembers their results under the signature of the whole run; no folder: nothing is kept.

    `few` says that the tasks take less time than starting other processes does.
    """

    signature: str
    folder: Path | None = None
    progress: Progress = silent
    few: bool = False

    def each(self, work: Callable[[_Task], Any], tasks: Sequence[_Task]) -> list[Any]:
        """Return what the work gives for every task, as plain JSON values, in the order of the tasks."""
        done = self._kept()
        left = [place for place in range(len(tasks)) if place not in done]
        block = max(_LEAST, -(-len(tasks) // _WRITES))
        for start in range(0, len(left), block):
            places = left[start : start + block]
            found = self._done(work, [tasks[place] for place in places], len(done), len(tasks))
            done.update(zip(places, found, strict=True))
            self._keep(places, found)
        return [done[place] for place in range(len(tasks))]

    def _done(self, work: Callable[[_Task], Any], tasks: Sequence[_Task], before: int, total: int) -> list[Any]:
        """Do some tasks, telling how far the whole is."""

        def report(number: int, _: int) -> None:
            self.progress(before + number, total)

        if not self.few:
            return each(work, tasks, report)
        found = []
        for number, task in enumerate(tasks, start=1):
            found.append(work(task))
            report(number, len(tasks))
        return found

    @property
    def place(self) -> Path | None:
        """The file that keeps the parts of this run, and of no other."""
        if self.folder is None:
            return None
        return self.folder / "parts" / f"{hashlib.sha256(self.signature.encode()).hexdigest()[:16]}.jsonl"

    def _kept(self) -> dict[int, Any]:
        """Read what was finished; a line that was being written when the run was stopped is left out."""
        kept: dict[int, Any] = {}
        if self.place is None or not self.place.exists():
            return kept
        for line in self.place.read_text(encoding="utf-8").splitlines():
            try:
                part = json.loads(line)
                kept[int(part["task"])] = part["found"]
            except (ValueError, KeyError, TypeError):
                continue
        return kept

    def _keep(self, places: Sequence[int], found: Sequence[Any]) -> None:
        if self.place is None:
            return
        lines = [json.dumps({"task": place, "found": part}) for place, part in zip(places, found, strict=True)]
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            with self.place.open("a", encoding="utf-8") as file:
                # A line that was cut off must not swallow the next one.
                file.write("".join(f"\n{line}\n" for line in lines))
        except OSError as error:
            raise BetterthanError(
                f"{self.place}: cannot be written: {error.strerror}. Choose another folder with -o."
            ) from None
