"""Single grades of MT-Bench (FastChat): a score from 1 to 10 per question, turn and model."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.formats.json_tools.mt_bench_pairs import judge_of, last_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"question_id", "model", "judge", "score", "turn"})
_NOT_PARSED = -1


class MtBenchSingleFormat(ToolFormat):
    """JUDGE_single.jsonl: a grade per question, turn and model; −1 stands for a judgment that could not be parsed."""

    name: ClassVar[str] = "mt-bench-single"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "MT-Bench's JUDGE_single.jsonl: a score per question, turn and model"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS and isinstance(file.record.get("judge"), list)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every grade; the turns of one question are one group."""
        del places, options
        lines, findings = last_of(
            [line for file in files for line in file.lines()], ("question_id", "turn", "model", "judge")
        )
        scores = [math.nan if line["score"] == _NOT_PARSED else line["score"] for line in lines]
        if failed := sum(math.isnan(score) for score in scores):
            findings.append(kinds.reading.UNSCORED.found(number=failed, why="the judgment could not be parsed"))
        rows = GrowingColumns()
        rows.add(
            metric="score",
            system=[str(line["model"]) for line in lines],
            score=scores,
            item=[f"{line['question_id']} turn {line['turn']}" for line in lines],
            group=[str(line["question_id"]) for line in lines],
            judge=[judge_of(line) for line in lines],
            turn=[str(line["turn"]) for line in lines],
        )
        used = {
            "item": "question_id and turn",
            "system": "model",
            "score": "score",
            "judge": "judge",
            "group": "question_id",
        }
        return ToolEvidence(
            rows.columns(), findings=tuple(findings), used=used, ignored=("user_prompt", "judgment", "tstamp")
        )

    def example(self, folder: Path) -> Any:
        """Write the grades of two models on two questions with two turns."""
        lines = [
            {
                "question_id": question,
                "model": model,
                "judge": ["gpt-4", "single-v1"],
                "user_prompt": "",
                "judgment": "",
                "score": score + turn,
                "turn": turn,
                "tstamp": float(question),
            }
            for model, score in (("owl", 7), ("yak", 5))
            for question in (81, 82)
            for turn in (1, 2)
        ]
        (folder / "gpt-4_single.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return folder / "gpt-4_single.jsonl"


FORMAT = MtBenchSingleFormat()
