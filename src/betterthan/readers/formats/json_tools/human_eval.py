"""Results of HumanEval and harnesses like it: a line per sample that says whether its tests passed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"task_id", "passed"})
_IDS = frozenset({"task_id", "completion_id", "sample_id"})
_SYSTEM = frozenset({"model", "system", "model_name", "model_id", "agent"})
#: Keys of which one holds the program or its result.
_PROGRAM = frozenset({"completion", "solution", "generation", "result"})


class HumanEvalFormat(RecordFormat):
    """SAMPLES.jsonl_results.jsonl: a program per line; several programs of one task are repeats."""

    name: ClassVar[str] = "human-eval"
    about: ClassVar[str] = "HumanEval's SAMPLES.jsonl_results.jsonl: task_id and passed per program, a file per system"
    used: ClassVar = {"system": "the file's name", "item": "task_id", "score": "passed", "repeat": "lines of one task"}
    ignored: ClassVar = ("completion", "result")
    missing: ClassVar[str] = "the program was not run"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        if not (file.keys >= _KEYS and file.keys & _PROGRAM and isinstance(file.record["passed"], bool)):
            return False
        # Rows with a system or with further numbers are a table of scores.
        numbers = {key for key, value in file.record.items() if type(value) in {int, float}}
        return not file.keys & _SYSTEM and numbers <= _IDS

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every program."""
        for line in file.lines():
            yield Record(str(line["task_id"]), {"passed": line["passed"]})

    def example(self, folder: Path) -> Any:
        """Write the programs of two systems for two tasks."""
        place = folder / "human-eval"
        place.mkdir(exist_ok=True)
        for system, right in (("owl", (True, True)), ("yak", (True, False))):
            lines = [
                {"task_id": f"HumanEval/{number}", "completion": "    return 1", "result": "passed", "passed": passed}
                for number, passed in enumerate(right)
            ]
            (place / f"{system}.jsonl_results.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return place


FORMAT = HumanEvalFormat()
