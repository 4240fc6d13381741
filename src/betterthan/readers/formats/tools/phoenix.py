"""Experiments of Phoenix: runs per example and repetition with the annotations of evaluators."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.cell_values import is_number
from betterthan.readers.tool_parts.csv_rows import csv_rows, scores_in
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"example_id", "repetition_number", "reference_output", "output"})
_SCORE = re.compile(r"annotation_(?P<name>.+)_score")


class PhoenixFormat(RecordFormat):
    """EXPERIMENT.json or EXPERIMENT.csv as it is downloaded; evaluators that give no number are left out.

    Its layout follows the source of Phoenix's server, and was not tried on a real download.
    """

    name: ClassVar[str] = "phoenix"
    about: ClassVar[str] = "Phoenix's experiments (.json, .csv): example_id, repetition_number, annotations"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "the file's name",
        "item": "example_id",
        "metric": "name of the annotation",
        "repeat": "repetition_number",
    }
    ignored: ClassVar = ("input", "output", "reference_output", "latency_ms", "labels", "explanations")
    missing: ClassVar[str] = "the task or the evaluator failed"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first run, or the header."""
        keys = file.keys or ({*file.first_row()} if file.path.suffix.lower() == ".csv" else set())
        return keys >= _KEYS and ("annotations" in keys or any(map(_SCORE.fullmatch, keys)))

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every run with the scores that some run has."""
        found = list(_of_csv(file) if file.record is None else _of_json(file))
        metrics = list(
            dict.fromkeys(name for *_, scores in found for name, value in scores.items() if is_number(value))
        )
        for example, repetition, scores in found:
            yield Record(example, {name: scores.get(name) for name in metrics}, repeat=repetition)

    def example(self, folder: Path) -> Any:
        """Write two experiments on two examples."""
        place = folder / "experiments"
        place.mkdir(exist_ok=True)
        for system, scores in (("owl", (1.0, 0.5)), ("yak", (0.5, 0.0))):
            runs: list[dict[str, Any]] = [
                {
                    "example_id": f"example {number}",
                    "repetition_number": 1,
                    "input": {},
                    "reference_output": {},
                    "output": "…",
                    "error": None,
                    "annotations": [{"name": "correctness", "label": None, "score": score}],
                }
                for number, score in enumerate(scores)
            ]
            (place / f"{system}.json").write_text(json.dumps(runs))
        return place


def _of_json(file: PlacedFile) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for run in file.whole:
        scores = {str(each["name"]): each["score"] for each in run["annotations"]}
        yield str(run["example_id"]), str(run["repetition_number"]), scores


def _of_csv(file: PlacedFile) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for row in csv_rows(file):
        yield row["example_id"], row["repetition_number"], scores_in(row, _SCORE)


FORMAT = PhoenixFormat()
