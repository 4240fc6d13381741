"""Comparisons made by promptfoo: assertions of type select-best, by which a grader chooses one of all outputs."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.format import Recognition
from betterthan.readers.formats.json_tools.promptfoo import (
    ERROR,
    PromptfooRows,
    best_of,
    entries,
    item_names,
    system_names,
)
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence


class PromptfooBestFormat(PromptfooRows):
    """Of every test case, the output that was chosen wins against each of the others, which are not compared."""

    name: ClassVar[str] = "promptfoo-best"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = (
        "promptfoo's select-best assertions (.json, .jsonl): the output chosen wins against the others"
    )

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Look for files in which outputs are graded by comparison alone."""
        recognition = super().recognise(found, options)
        return recognition if recognition is not None and "best" in self.graded(found) else None

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every choice once, though several files may hold it."""
        del places, options
        rows, lost, seen = GrowingColumns(), 0, set[str]()
        for file in files:
            found = [row for row in entries(file) if row.get("id") is None or str(row["id"]) not in seen]
            seen |= {str(row.get("id")) for row in found}
            tests = defaultdict[Any, list[tuple[Mapping[str, Any], str, str]]](list)
            for row, system, item in zip(found, system_names(found), item_names(found), strict=True):
                if row.get("failureReason") != ERROR:  # an error of the provider says nothing about its quality
                    tests[row.get("testIdx")].append((row, system, item))
            for test, outputs in tests.items():
                verdicts = [best_of(row) for row, _, _ in outputs]
                if len({len(each) for each in verdicts}) > 1:
                    raise EvidenceError(
                        "outputs of one test case have different numbers of select-best assertions",
                        where=f"{file.name}, test {test}",
                        remedy="Run the evaluation again, or leave the test out.",
                    )
                for number, chosen in enumerate(zip(*verdicts, strict=True), 1):
                    best = [place for place, passed in enumerate(chosen) if passed]
                    if len(best) != 1:  # the grader gave no valid answer, or chose a missing output
                        lost += 1
                        continue
                    others = [system for place, (_, system, _) in enumerate(outputs) if place != best[0]]
                    rows.add(
                        left=outputs[best[0]][1],
                        right=others,
                        outcome="left",
                        item=outputs[0][2],
                        ranking=f"{file.name} {test} {number}",
                    )
        if not len(rows):
            raise EvidenceError(
                "holds no valid choice by select-best",
                where=files[0].name,
                remedy="Run the evaluation with two outputs or more of every test case.",
            )
        findings = (kinds.reading.UNSCORED.found(number=lost, why="no single output was chosen"),) if lost else ()
        used = {"left": "provider and prompt chosen", "right": "all others", "item": "vars", "ranking": "testIdx"}
        ignored = ("response", "score", "latencyMs", "cost")
        return ToolEvidence(rows.columns(), findings=findings, used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write the choice of one of three providers on two test cases."""
        rows = [
            {
                "id": f"{place}-{case}",
                "promptIdx": place,
                "testIdx": case,
                "provider": {"id": provider, "label": ""},
                "prompt": {"raw": "Joke.", "label": "Joke."},
                "vars": {"topic": case},
                "success": place == case,
                "score": float(place == case),
                "namedScores": {},
                "failureReason": int(place != case),
                "testCase": {"vars": {"topic": case}, "assert": [{"type": "select-best", "value": "the funniest"}]},
                "gradingResult": {
                    "pass": place == case,
                    "score": float(place == case),
                    "componentResults": [
                        {"pass": place == case, "score": float(place == case), "assertion": {"type": "select-best"}}
                    ],
                },
            }
            for place, provider in enumerate(("owl", "yak", "elk"))
            for case in (0, 1)
        ]
        path = folder / "promptfoo-best.json"
        path.write_text(json.dumps({"evalId": "eval-2", "results": {"version": 3, "results": rows}, "config": {}}))
        return path


FORMAT = PromptfooBestFormat()
