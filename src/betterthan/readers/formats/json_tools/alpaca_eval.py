"""Annotations of AlpacaEval: a model's answers compared with those of a reference model."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"generator_1", "generator_2", "preference", "annotator", "instruction"})


class AlpacaEvalFormat(ToolFormat):
    """annotations.json: generator_1 is the reference, a preference of 2 is one for generator_2."""

    name: ClassVar[str] = "alpaca-eval"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "AlpacaEval's annotations.json: a reference against a model, preferences from 1 to 2"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first annotation."""
        return file.keys >= _KEYS

    def belongs(self, file: PlacedFile) -> bool:
        """Take outputs and leaderboards for its own."""
        return file.path.name in {"model_outputs.json", "leaderboard.csv"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every preference as the reference's share; presentation order was undone by the tool."""
        del places, options
        rows, missing = GrowingColumns(), 0
        for file in files:
            known = [each for each in file.whole if each["preference"] is not None]
            missing += len(file.whole) - len(known)
            rows.add(
                left=[each["generator_1"] for each in known],
                right=[each["generator_2"] for each in known],
                outcome=[_share(each["preference"], file.name) for each in known],
                item=[each["instruction"] for each in known],
                judge=[each["annotator"] for each in known],
                category=[each.get("dataset") for each in known],
            )
        columns = rows.columns()
        references = sorted({str(name) for name in columns["left"]})
        findings = (
            [kinds.reading.UNSCORED.found(number=missing, why="the preference could not be parsed")] if missing else []
        )
        if len(references) > 1:
            findings.append(
                kinds.reading.SEVERAL_REFERENCES.found(number=len(references), references=", ".join(references))
            )
        used = {
            "left": "generator_1",
            "right": "generator_2",
            "outcome": "preference",
            "item": "instruction",
            "judge": "annotator",
            "category": "dataset",
        }
        return ToolEvidence(
            columns, findings=tuple(findings), used=used, ignored=("output_1", "output_2", "raw_completion")
        )

    def example(self, folder: Path) -> Any:
        """Write the annotations of two models."""
        for model, preferences in (("owl", [2, 1.8, 0]), ("yak", [1, 1.25, 2.0])):
            place = folder / "results" / model / "judge"
            place.mkdir(parents=True, exist_ok=True)
            annotations = [
                {
                    "instruction": f"question {number}",
                    "output_1": "one",
                    "generator_1": "reference",
                    "output_2": "two",
                    "generator_2": model,
                    "dataset": "koala",
                    "annotator": "judge",
                    "preference": preference,
                }
                for number, preference in enumerate(preferences)
            ]
            (place / "annotations.json").write_text(json.dumps(annotations))
        return folder / "results"


def _share(preference: float, where: str) -> float:
    """Return the share of the first output; 0 and 1.5 are ties."""
    if preference == 0:
        return 0.5
    if not isinstance(preference, int | float) or not 1 <= preference <= 2:
        raise EvidenceError(
            f"the preference {preference!r} is none of AlpacaEval's",
            where=where,
            allowed="0 for a tie, and numbers from 1 (the first output is better) to 2 (the second one is)",
        )
    return 2.0 - preference


FORMAT = AlpacaEvalFormat()
