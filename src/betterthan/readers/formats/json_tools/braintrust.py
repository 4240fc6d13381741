"""Experiments of Braintrust: a row per input with its scores by name, one file per experiment."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.formats.scores_by_file import short_names
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"input", "output", "expected", "scores"})
_OWN = frozenset({"metadata", "tags", "span_attributes", "span_id", "root_span_id"})


class BraintrustFormat(ToolFormat):
    """Rows {input, output, expected, scores {name: value}}; every file is a system, every name a metric."""

    name: ClassVar[str] = "braintrust"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Braintrust's experiments as JSON: rows with input, output, expected and scores by name"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first row."""
        return file.keys >= _KEYS and bool(file.keys & _OWN) and isinstance(file.record["scores"], dict)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every score; inputs that occur again are repeats."""
        del places, options
        called = short_names([file.name for file in files])
        rows, missing, metrics = GrowingColumns(), 0, set[str]()
        for file in files:
            seen = Counter[str]()
            for number, row in enumerate(_spans(file), 1):
                item = row["input"] if isinstance(row["input"], str) else json.dumps(row["input"], sort_keys=True)
                seen[item] += 1
                scores = {name: _score(value, f"{file.name}, row {number}") for name, value in row["scores"].items()}
                metrics |= set(scores)
                missing += sum(math.isnan(score) for score in scores.values())
                if scores:
                    rows.add(
                        metric=list(scores),
                        score=list(scores.values()),
                        item=item,
                        system=called[file.name],
                        repeat=str(seen[item]),
                    )
        findings = (kinds.reading.UNSCORED.found(number=missing, why="the score is null"),) if missing else ()
        used = {"system": "the file's name", "item": "input", "metric": "keys of scores", "repeat": "rows of one input"}
        ignored = ("output", "expected", "metadata", "tags", "span_attributes")
        # Braintrust's scores are from 0 to 1, and 1 is best: its Levenshtein is a similarity.
        lower = {("", name): False for name in metrics}
        return ToolEvidence(rows.columns(), lower, findings=findings, used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write two experiments on two inputs."""
        place = folder / "experiments"
        place.mkdir(exist_ok=True)
        for system, scores in (("owl", (1, 0.5)), ("yak", (0.25, None))):
            lines = [
                {
                    "input": f"question {number}",
                    "output": "a",
                    "expected": "b",
                    "scores": {"Factuality": score},
                    "metadata": {},
                    "tags": None,
                }
                for number, score in enumerate(scores)
            ]
            (place / f"{system}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return place


def _spans(file: PlacedFile) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of whole evaluations, not those of the steps within them."""
    rows = file.document if isinstance(file.document, list) else file.lines()
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not isinstance(row.get("scores") or {}, dict):
            raise EvidenceError(
                "is no row of Braintrust",
                where=f"{file.name}, row {number}",
                allowed="objects with input and scores by name",
            )
        if (
            row.get("scores")
            and row.get("is_root", True)
            and row.get("span_id") == row.get("root_span_id", row.get("span_id"))
        ):
            yield row


def _score(value: Any, where: str) -> float:
    if value is None:
        return math.nan
    if not isinstance(value, int | float):
        raise EvidenceError(f"the score is {value!r}", where=where, allowed="numbers, true, false and null")
    return float(value)


FORMAT = BraintrustFormat()
