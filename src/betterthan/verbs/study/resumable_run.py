"""Resumable runs: parts are computed in parallel and stored, so that a stopped run continues."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from betterthan.base import BetterthanError, Progress, parallel, silent

_Task = TypeVar("_Task")
#: Finished parts are written that many times in a run, and not more often than every that many tasks.
_WRITES, _LEAST = 40, 8


@dataclass(frozen=True)
class FinishedParts:
    """Runs tasks and stores their results under the signature of the whole run; without a folder nothing is stored.

    `few` says that the tasks take less time than starting other processes does.
    """

    signature: str
    folder: Path | None = None
    progress: Progress = silent
    few: bool = False

    def of(self, title: str) -> "FinishedParts":
        """Return the store of a run on one of several data sets."""
        return replace(self, signature=f"{self.signature}|{title}")

    def each(self, work: Callable[[_Task], Any], tasks: Sequence[_Task]) -> list[Any]:
        """Return the result of every task, as plain JSON values, in task order."""
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
        """Run some tasks, and report the overall progress."""

        def report(number: int, _: int) -> None:
            self.progress(before + number, total)

        if not self.few:
            return parallel.each(work, tasks, report)
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
