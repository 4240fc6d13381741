"""Results of the first Terminal-Bench: a run with its trials per task."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_TRIAL = frozenset({"task_id", "is_resolved", "failure_mode"})


class TerminalBenchFormat(RecordFormat):
    """runs/RUN/results.json; run_metadata.json names agent and model, and without it the folder is the system.

    Its layout follows the data model of terminal-bench 0.2 and was not tried on a real run.
    """

    name: ClassVar[str] = "terminal-bench"
    about: ClassVar[str] = "Terminal-Bench's runs/RUN/results.json: trials with task_id and is_resolved"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "run_metadata.json, or the folder",
        "item": "task_id",
        "score": "is_resolved",
        "repeat": "trials of one task",
    }
    ignored: ClassVar = ("failure_mode", "parser_results", "total_input_tokens", "total_output_tokens")
    no_answer: ClassVar[str] = "the trial ended without a result"

    def claims(self, file: PlacedFile) -> bool:
        """Look for a list of trials."""
        trials = file.record["results"] if "results" in file.keys else None
        return isinstance(trials, list) and bool(trials) and trials[0].keys() >= _TRIAL

    def belongs(self, file: PlacedFile) -> bool:
        """Take single trials, and what describes a run, for its own."""
        return file.keys >= _TRIAL or file.path.name in {"run_metadata.json", "run.log", "tb.lock"}

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every trial; one without a result is not resolved, as in the accuracy of the tool."""
        system = _system(file.path.with_name("run_metadata.json")) or file.folder
        for trial in file.whole["results"]:
            resolved = trial["is_resolved"]
            yield Record(str(trial["task_id"]), {"is_resolved": bool(resolved)}, system, unanswered=resolved is None)

    def example(self, folder: Path) -> Any:
        """Write the runs of two agents on two tasks."""
        for agent, resolved in (("owl", (True, True)), ("yak", (True, False))):
            place = folder / "runs" / agent
            place.mkdir(parents=True, exist_ok=True)
            trials = [
                {"task_id": f"task-{number}", "is_resolved": ok, "failure_mode": "unset"}
                for number, ok in enumerate(resolved)
            ]
            (place / "results.json").write_text(json.dumps({"id": agent, "results": trials, "accuracy": 0.5}))
            (place / "run_metadata.json").write_text(json.dumps({"agent_name": agent, "model_name": "gpt"}))
        return folder / "runs"


def _system(described: Path) -> str:
    if not described.is_file():
        return ""
    found = json.loads(described.read_bytes())
    return " · ".join(str(found[key]) for key in ("agent_name", "model_name") if found.get(key))


FORMAT = TerminalBenchFormat()
