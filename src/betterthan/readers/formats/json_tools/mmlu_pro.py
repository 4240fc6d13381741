"""Results of MMLU-Pro: a question per row with the right answer and the predicted one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"question_id", "options", "answer", "answer_index", "pred"})
_NAME = ("model_outputs_", "_5shots", "_0shots")


class MmluProFormat(RecordFormat):
    """model_outputs_MODEL_5shots.json, or a file per category; an answer that could not be parsed counts as wrong.

    MMLU-Pro's own script draws an option at random for these, so that its accuracy is a little higher.
    """

    name: ClassVar[str] = "mmlu-pro"
    about: ClassVar[str] = "MMLU-Pro's model_outputs_MODEL.json: answer and pred per question, a file per system"
    used: ClassVar = {"system": "the file's or the folder's name", "item": "question_id", "score": "pred = answer"}
    ignored: ClassVar = ("question", "options", "cot_content", "model_outputs", "generated_text")

    no_answer: ClassVar[str] = "none was found in the output"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first question."""
        return file.keys >= _KEYS

    def belongs(self, file: PlacedFile) -> bool:
        """Take the summaries of categories for its own."""
        return file.path.name.endswith("_summary.json")

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every question; the files of categories are in a folder called like the system."""
        system = file.folder if file.path.stem.endswith("_result") else _called(file.path.stem)
        rows = file.whole if isinstance(file.document, list) else list(file.lines())
        for row in rows:
            correct = {"correct": row["pred"] == row["answer"]}
            yield Record(str(row["question_id"]), correct, system, unanswered=not row["pred"])

    def example(self, folder: Path) -> Any:
        """Write the answers of two systems to two questions."""
        place = folder / "eval_results"
        place.mkdir(exist_ok=True)
        for system, predicted in (("owl", "BC"), ("yak", "BA")):
            rows = [
                {
                    "question_id": number,
                    "question": "?",
                    "options": ["1", "2", "3"],
                    "answer": right,
                    "answer_index": "ABC".index(right),
                    "category": "math",
                    "pred": said,
                }
                for number, (right, said) in enumerate(zip("BC", predicted, strict=True))
            ]
            (place / f"model_outputs_{system}_5shots.json").write_text(json.dumps(rows))
        return place


def _called(name: str) -> str:
    for part in _NAME:
        name = name.removeprefix(part).removesuffix(part)
    return name


FORMAT = MmluProFormat()
