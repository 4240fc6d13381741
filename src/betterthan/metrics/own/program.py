"""A user's own metric: a program that reads outputs and writes scores, one JSON object per line."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import PlanError
from betterthan.metrics.base import TOGETHER, Measured, Metric, WrongOutputError
from betterthan.metrics.own.returned_score import score_of


@dataclass(frozen=True)
class ProgramMetric(Metric):
    """A program, given by its path: lines of {"output": …, "references": […]} in, lines of {"score": …} out."""

    text: str

    name: ClassVar[str] = "program"
    per_second: ClassVar[float] = TOGETHER  # the program is started once

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Run the program once, with every output on a line of its own."""
        place = shutil.which(self.text)
        if place is None:
            raise PlanError(
                f"the metric {self.text} is no program that can be run",
                remedy="Check the path, and make the file executable (chmod +x).",
            )
        given = "".join(
            json.dumps({"output": output, "references": list(against)}, ensure_ascii=False) + "\n"
            for output, against in zip(outputs, references, strict=True)
        )
        done = subprocess.run([place], input=given, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise PlanError(
                f"the metric {self.text} left with exit code {done.returncode}{f': {said[-1]}' if said else ''}",
                remedy="Run it alone to see what is wrong.",
            )
        lines = [line for line in done.stdout.split("\n") if line.strip()]
        if len(lines) != len(outputs):
            raise PlanError(
                f"the metric {self.text} wrote {len(lines):,} lines for {len(outputs):,} outputs",
                remedy='It must write one line {"score": number} for every line it reads, in their order.',
            )
        return Measured(np.array([_score(line, place, self.text) for place, line in enumerate(lines)]))


def _score(line: str, place: int, name: str) -> float:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "score" not in found:
        raise WrongOutputError(place, f"{name} wrote {line[:60]!r}", 'It must write {"score": number} on every line.')
    try:
        return score_of(found["score"], name)
    except WrongOutputError as error:
        raise WrongOutputError(place, error.what, error.remedy) from None
