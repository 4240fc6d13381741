"""Tables of promptfoo: older JSON (versions 1 and 2) and CSV, with test cases in rows and outputs in columns."""

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.format import Recognition
from betterthan.readers.formats.json_tools.promptfoo import ERROR, is_promptfoo_csv, item_names, system_names
from betterthan.readers.formats.json_tools.promptfoo import FORMAT as ROWS
from betterthan.readers.formats.json_tools.promptfoo_best import FORMAT as BEST
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.csv_rows import checked
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

#: The status of an output, and its score since 2023, precede its text.
_MARK = re.compile(r"\[(?P<status>PASS|FAIL|ERROR)\](?: \((?P<score>-?\d+(?:\.\d+)?)\))?")
_MARKED = re.compile(rb'(^|[,\n])"?\[(PASS|FAIL|ERROR)\]')
_PROVIDER = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
_STATUS, _SCORE, _NAMED, _METRIC = "Status", "Score", "Named Scores", "Metric: "


@dataclass(frozen=True)
class _Table:
    """Systems in columns, the variables of test cases in rows, and the scores of every output by metric."""

    systems: Sequence[str]
    cases: Sequence[Mapping[str, Any]]
    outputs: Sequence[Sequence[Mapping[str, Any]]]


class PromptfooTablesFormat(ToolFormat):
    """{version: 1 or 2, table: {head, body}} at any depth, or a CSV export; newer JSON has rows, which say more."""

    name: ClassVar[str] = "promptfoo-tables"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "promptfoo's tables: CSV exports, and JSON of versions 1 and 2, an output per column"

    def claims(self, file: PlacedFile) -> bool:
        """Look for a table, or for outputs with their status."""
        if file.path.suffix.lower() == ".csv":
            return is_promptfoo_csv(file) or _MARKED.search(file.head) is not None
        return _table_of(file.record) is not None and not ROWS.claims(file)

    def belongs(self, file: PlacedFile) -> bool:
        """Take configurations and newer exports for its own."""
        return ROWS.belongs(file) or ROWS.claims(file)

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Stand back where there are rows, which are not rounded."""
        rows = any(file.is_json and (ROWS.claims(file) or BEST.claims(file)) for file in found)
        return None if rows else super().recognise(found, options)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every output; test cases that occur again are repeats."""
        del places, options
        rows, errors = GrowingColumns(), 0
        for file in files:
            is_csv = file.path.suffix.lower() == ".csv"
            table = _of_csv(file) if is_csv else _of_json(_table_of(file.whole) or {}, file.name)
            again = Counter[str]()
            for item, outputs in zip(item_names([{"vars": case} for case in table.cases]), table.outputs, strict=True):
                again[item] += 1
                for system, scores in zip(table.systems, outputs, strict=True):
                    errors += scores.get("score", 0) is None
                    rows.add(
                        dataset=file.path.stem if len(files) > 1 else None,
                        system=system,
                        item=item,
                        metric=list(scores),
                        repeat=str(again[item]),
                        score=[number(value, metric, file.name) for metric, value in scores.items()],
                    )
        findings = (kinds.reading.UNSCORED.found(number=errors, why="the provider returned an error"),)
        used = {
            "system": "prompts in the head",
            "item": "vars",
            "metric": "score, success",
            "repeat": "rows of one test",
        }
        return ToolEvidence(rows.columns(), findings=findings[: bool(errors)], used=used, ignored=("text", "reasons"))

    def example(self, folder: Path) -> Any:
        """Write two providers on two test cases."""
        lines = [
            ["a", "[owl] Add.", "[yak] Add."],
            ["1", "[PASS] (1.00) 2", "[PASS] (0.50) two"],
            ["2", "[PASS] (0.75) 4", "[FAIL] (0.25) Expected 4\n---\n5"],
        ]
        with (folder / "promptfoo.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(lines)
        return folder / "promptfoo.csv"


def _table_of(document: Any) -> dict[str, Any] | None:
    """Return the table of an export, which later versions put one level or two deeper."""
    for key in ("results", "data", "results"):
        if isinstance(document, dict) and isinstance(document.get("table"), dict):
            break
        document = document.get(key) if isinstance(document, dict) and key in document else document
    table = document.get("table") if isinstance(document, dict) else None
    return table if isinstance(table, dict) and {"head", "body"} <= table.keys() else None


def _of_json(table: Mapping[str, Any], where: str) -> _Table:
    head, body = table["head"], table["body"]
    outputs = [[_output(each) for each in row["outputs"]] for row in body]
    if not any(each for row in outputs for each in row):
        raise EvidenceError("the outputs were not graded", where=where, remedy="Add assertions to the test cases.")
    metrics = list(dict.fromkeys(metric for row in outputs for each in row for metric in each))
    ungraded = {metric: True if metric == "success" else 1.0 for metric in metrics}
    outputs = [[each or ungraded for each in row] for row in outputs]
    return _Table(
        _systems(head["prompts"]), [dict(zip(head["vars"], row["vars"], strict=True)) for row in body], outputs
    )


def _of_csv(file: PlacedFile) -> _Table:
    with file.plain.open(encoding="utf-8-sig", newline="") as stream:
        header, *lines = [line for line in csv.reader(stream) if line]
    lines = [checked(line, header, file.name, row) for row, line in enumerate(lines, 2)]
    if is_promptfoo_csv(file):
        starts = [place - 1 for place, name in enumerate(header) if name == _STATUS]
        ends = [*starts[1:], len(header)]
        outputs = [
            [
                _cells(dict(zip(header[a + 1 : b], line[a + 1 : b], strict=True)))
                for a, b in zip(starts, ends, strict=True)
            ]
            for line in lines
        ]
        first = starts[0]
    else:
        starts = [place for place in range(len(header)) if any(_MARK.match(line[place]) for line in lines)]
        outputs = [[_output(line[place]) for place in starts] for line in lines]
        first = len(header)
    cases = [
        {name: line[place] for place, name in enumerate(header) if place not in starts and place < first}
        for line in lines
    ]
    return _Table(_systems([header[place] for place in starts]), cases, outputs)


def _output(output: Any) -> dict[str, Any]:
    """Return the scores of one output by metric; there are none where nothing graded it."""
    if isinstance(output, dict):
        failed = output.get("failureReason") == ERROR
        scores = {"score": output.get("score"), "success": output.get("pass"), **(output.get("namedScores") or {})}
        return dict.fromkeys(("score", "success")) if failed else scores
    match = _MARK.match(str(output))
    if match is None:
        return {}
    return _scores(match["status"], match["score"] or str(int(match["status"] == "PASS")))


def _cells(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the scores in the columns behind an output."""
    scores = _scores(cells[_STATUS], cells[_SCORE])
    named = {name.removeprefix(_METRIC): text for name, text in cells.items() if name.startswith(_METRIC)}
    if named:
        return scores | {name: float(text) for name, text in named.items() if text}
    return scores | (json.loads(cells[_NAMED]) if cells.get(_NAMED) else {})


def _scores(status: str, score: str) -> dict[str, Any]:
    if status == "ERROR":
        return {"score": None, "success": None}
    return {"score": float(score), "success": status == "PASS"}


def _systems(prompts: Sequence[Any]) -> list[str]:
    """Name columns by provider, with the prompt where there are several."""
    rows = []
    for place, prompt in enumerate(prompts):
        each = prompt if isinstance(prompt, dict) else _parsed(str(prompt))
        label = each.get("label") or each.get("display") or each.get("raw") or ""
        rows.append({"provider": each.get("provider") or "", "prompt": {"label": label}, "promptIdx": place})
    return [name.removeprefix(" · ") for name in system_names(rows)]


def _parsed(text: str) -> dict[str, str]:
    """Return provider and prompt of a heading: JSON, or [PROVIDER] PROMPT."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    match = _PROVIDER.fullmatch(text)
    return {"provider": match["provider"], "label": match["prompt"]} if match else {"label": text}


FORMAT = PromptfooTablesFormat()
