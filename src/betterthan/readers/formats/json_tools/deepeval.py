"""Test runs of DeepEval: a file per run, with the metrics of every test case."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_CASES = ("testCases", "conversationalTestCases")
#: Metrics of DeepEval that count what should not be there.
_LOWER = frozenset({"Hallucination", "Bias", "Toxicity"})


class DeepEvalFormat(ToolFormat):
    """test_run_DATE.json: the item is the input, as names are numbers given by the tool."""

    name: ClassVar[str] = "deepeval"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "DeepEval's test_run_DATE.json: metrics of test cases, a file per system"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys."""
        return {"testCases", "metricsScores"} <= file.keys

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every metric; one that failed is missing."""
        del places, options
        systems = distinct_names(
            [_system(file) for file in files], [0] * len(files), [file.path.stem for file in files]
        )
        rows, failed = GrowingColumns(), 0
        seen = defaultdict[str, set[tuple[bool, bool]]](set)
        for file, system in zip(files, systems, strict=True):
            inputs, again = dict[str, dict[str, int]](), Counter[str]()
            for case in [case for key in _CASES for case in file.whole.get(key) or ()]:
                item = _item(case, inputs, file.name)
                again[item] += 1
                for metric in case.get("metricsData") or ():
                    name, score = str(metric["name"]), number(metric.get("score"), metric["name"], file.name)
                    failed += math.isnan(score)
                    seen[name] |= _passed(metric)
                    rows.add(
                        system=system,
                        item=item,
                        metric=name,
                        repeat=str(again[item]),
                        score=[score],
                        evaluation_model=metric.get("evaluationModel"),
                    )
        if not len(rows):
            raise EvidenceError("the test run holds no metrics", where=files[0].name, remedy="Run it with metrics.")
        lower = {("", name): told for name, ways in seen.items() if (told := _lower(name, ways)) is not None}
        findings = (kinds.reading.UNSCORED.found(number=failed, why="the metric failed"),) if failed else ()
        used = {"system": "identifier or hyperparameters.model", "item": "input", "metric": "metricsData.name"}
        ignored = ("name", "actualOutput", "expectedOutput", "reason", "success")
        return ToolEvidence(rows.columns(), lower, findings, used, ignored)

    def example(self, folder: Path) -> Any:
        """Write the test runs of two systems."""
        place = folder / "runs"
        place.mkdir(exist_ok=True)
        for number_of_run, (system, scores) in enumerate((("owl", (1.0, 0.75)), ("yak", (0.5, 0.25)))):
            cases = [
                {
                    "name": f"test_case_{case}",
                    "input": f"{case}+1?",
                    "success": True,
                    "metricsData": [{"name": "Relevancy", "threshold": 0.125, "success": True, "score": score}],
                }
                for case, score in enumerate(scores)
            ]
            run = {"testCases": cases, "conversationalTestCases": [], "metricsScores": [], "identifier": system}
            (place / f"test_run_20260102_03040{number_of_run}.json").write_text(json.dumps(run))
        return place


def _system(file: PlacedFile) -> str:
    document = file.whole
    model = (document.get("hyperparameters") or {}).get("model")
    return str(document.get("identifier") or model or file.path.stem)


def _item(case: Mapping[str, Any], inputs: dict[str, dict[str, int]], where: str) -> str:
    """Name a test case by its input; equal inputs with other expectations are other items."""
    turns = case.get("turns") or [{}]
    text = case.get("input") or case.get("scenario") or turns[0].get("content")
    if not text:
        raise EvidenceError(f"the test case {case.get('name')!r} has no input", where=where)
    item = text if isinstance(text, str) else json.dumps(text, sort_keys=True)
    expected = json.dumps([case.get(key) for key in ("expectedOutput", "expectedOutcome", "context")], sort_keys=True)
    place = inputs.setdefault(item, {}).setdefault(expected, len(inputs.get(item, ())))
    return f"{item} ({place + 1})" if place else item


def _passed(metric: Mapping[str, Any]) -> set[tuple[bool, bool]]:
    """Return whether a score was above its threshold, and whether it passed; nothing where that says nothing."""
    score, threshold, passed = (metric.get(key) for key in ("score", "threshold", "success"))
    if score is None or threshold is None or score == threshold or metric.get("strictMode"):
        return set()
    return {(score > threshold, bool(passed))}


def _lower(name: str, ways: set[tuple[bool, bool]]) -> bool | None:
    """Return whether less is better: as its threshold is used, else as the tool defines it; None where it is open."""
    if ways == {(True, True), (False, False)}:
        return False
    if ways == {(True, False), (False, True)}:
        return True
    return True if name in _LOWER else None


FORMAT = DeepEvalFormat()
