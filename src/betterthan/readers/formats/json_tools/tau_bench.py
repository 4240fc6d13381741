"""Results of tau-bench: a reward per task and trial, a file per run."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"task_id", "reward", "info", "traj", "trial"})
#: AGENT-MODEL-TEMPERATURE_range_FIRST-LAST_user-MODEL-STRATEGY_DATE, as tau-bench calls its files.
_NAME = re.compile(r"(?P<agent>[a-z-]+?-[a-z]+)-(?P<model>.+)-\d+\.\d+_range_.*")
_POLICY = re.compile(r"# *(?P<domain>\w+) agent policy", re.IGNORECASE)


class TauBenchFormat(RecordFormat):
    """A list of {task_id, reward, info, traj, trial}: the policy in the first message says which domain it is."""

    name: ClassVar[str] = "tau-bench"
    about: ClassVar[str] = "tau-bench's results: a JSON list of task_id, trial, reward, info and traj, a file per run"
    used: ClassVar = {"system": "the file's name", "dataset": "policy", "item": "task_id", "repeat": "trial"}
    ignored: ClassVar = ("traj", "info")
    no_answer: ClassVar[str] = "the trial failed before it began"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first trial."""
        return file.keys >= _KEYS

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every trial."""
        match = _NAME.fullmatch(file.path.stem)
        # A trial that failed before it began has no messages.
        domain = next((found for row in file.whole if (found := _domain(row))), "")
        system = match["model"] if match else file.path.stem.removesuffix(f"-{domain}")
        for row in file.whole:
            reward = {"reward": row["reward"]}
            yield Record(str(row["task_id"]), reward, system, domain, str(row["trial"]), unanswered=not row["traj"])

    def example(self, folder: Path) -> Any:
        """Write two trials of two models on two tasks."""
        place = folder / "results"
        place.mkdir(exist_ok=True)
        policy = {"role": "system", "content": "# Airline Agent Policy\n…"}
        for model, rewards in (("owl", (1.0, 1.0, 0.0, 1.0)), ("yak", (0.0, 1.0, 0.0, 0.0))):
            rows = [
                {"task_id": number // 2, "reward": reward, "info": {}, "traj": [policy], "trial": number % 2}
                for number, reward in enumerate(rewards)
            ]
            (place / f"{model}-airline.json").write_text(json.dumps(rows))
        return place


def _domain(row: Mapping[str, Any]) -> str:
    """Return the domain that the policy in the first message names."""
    first = row["traj"][0]["content"] if row["traj"] else ""
    match = _POLICY.search(str(first))
    return match["domain"].lower() if match else ""


FORMAT = TauBenchFormat()
