"""Results of promptfoo: providers and prompts on test cases, scored by assertions."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.format import Recognition
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_OWN = frozenset({"promptIdx", "testIdx", "provider"})
_ROW = _OWN | {"vars"}
#: Why a row failed: an assertion, or an error of the provider, which says nothing about its quality.
ERROR = 2
_LONG = 80
#: The assertion by which a grader chooses one of all outputs of a test case.
_BEST = "select-best"


class PromptfooRows(ToolFormat):
    """Files with a row per test case, provider and prompt."""

    def claims(self, file: PlacedFile) -> bool:
        """Look for rows with provider and prompt."""
        if "results" in file.keys and file.keys & {"evalId", "config"}:
            return bool(_rows(file))
        return file.keys >= {*_ROW, "gradingResult"}

    def belongs(self, file: PlacedFile) -> bool:
        """Take configurations and other exports for its own."""
        return file.path.name.startswith("promptfooconfig.") or is_promptfoo_csv(file)

    def graded(self, found: Places) -> set[str]:
        """Return how outputs are graded, by file: only by comparison with each other (best), or otherwise."""
        return {"best" if _only_best(file) else "other" for file in found if file.record and self.claims(file)}


class PromptfooFormat(PromptfooRows):
    """A row per test case, provider and prompt; test cases that occur again are repeats."""

    name: ClassVar[str] = "promptfoo"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "promptfoo's results (.json, .jsonl): score, success and named scores per test case"

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Leave files that hold nothing but comparisons to the format of these."""
        recognition = super().recognise(found, options)
        return recognition if recognition is not None and "other" in self.graded(found) else None

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every row once, though several files may hold it."""
        del places, options
        rows, errors, seen = GrowingColumns(), 0, set[str]()
        for file in files:
            found = [row for row in entries(file) if row.get("id") is None or str(row["id"]) not in seen]
            seen |= {str(row.get("id")) for row in found}
            systems, items = system_names(found), item_names(found)
            again = Counter[tuple[str, str]]()
            for row, system, item in zip(found, systems, items, strict=True):
                again[system, item] += 1
                failed = row.get("failureReason") == ERROR
                errors += failed
                for metric, value in _scores(row, failed=failed):
                    rows.add(
                        dataset=file.path.stem if len(files) > 1 else None,
                        system=system,
                        item=item,
                        metric=metric,
                        repeat=str(again[system, item]),
                        score=[number(value, metric, file.name)],
                    )
        findings = (
            (kinds.reading.UNSCORED.found(number=errors, why="the provider returned an error"),) if errors else ()
        )
        used = {
            "system": "provider and prompt",
            "item": "vars",
            "metric": "score, success, namedScores",
            "repeat": "testIdx",
        }
        columns = rows.columns()
        if len(set(columns.get("dataset", ()))) == 1:  # files of the same rows
            del columns["dataset"]
        ignored = ("response", "gradingResult", "latencyMs", "cost")
        return ToolEvidence(columns, findings=findings, used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write two providers on two test cases."""
        rows = [
            {
                "id": f"{place}-{case}",
                "promptIdx": place,
                "testIdx": case,
                "provider": {"id": provider, "label": ""},
                "prompt": {"raw": "Add.", "label": "Add."},
                "vars": {"a": case},
                "testCase": {"vars": {"a": case}},
                "success": score > 0.5,
                "score": score,
                "namedScores": {},
                "gradingResult": None,
                "failureReason": 0,
            }
            for place, (provider, scores) in enumerate((("owl", (1.0, 0.75)), ("yak", (0.5, 0.25))))
            for case, score in enumerate(scores)
        ]
        path = folder / "promptfoo.json"
        path.write_text(json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": rows}, "config": {}}))
        return path


def _rows(file: PlacedFile) -> list[dict[str, Any]] | None:
    """Return the rows of a whole export; None where it is another file."""
    results = file.record.get("results")
    # Evaluations that are shared hold their rows directly.
    rows = results.get("results") if isinstance(results, dict) else results
    is_own = isinstance(rows, list) and rows and isinstance(rows[0], dict) and rows[0].keys() >= _OWN
    return rows if is_own else None


def _whole(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its variables, which shared evaluations have in the test case only."""
    return row if "vars" in row else {**row, "vars": (row.get("testCase") or {}).get("vars") or {}}


def entries(file: PlacedFile) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, and refuse those that lack what a row must have."""
    for place, row in enumerate(map(_whole, _rows(file) or file.lines()), 1):
        if lost := [key for key in ("provider", "vars", "score", "success") if key not in row]:
            raise EvidenceError(
                f"the row has no {lost[0]!r}",
                where=f"{file.name}, result {place}",
                remedy="Export it with promptfoo 0.100 or later.",
            )
        yield row


def _only_best(file: PlacedFile) -> bool:
    try:
        return {kind for row in entries(file) for kind, _ in _graded(row)} == {_BEST}
    except (EvidenceError, AttributeError, LookupError, TypeError):  # damaged: reading it says where
        return False


def _graded(row: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the type of every assertion about an output, and whether it holds."""
    result = row.get("gradingResult") or {}
    parts = result.get("componentResults") or ([result] if result.get("assertion") else [])
    return [(str((part.get("assertion") or {}).get("type")), bool(part.get("pass"))) for part in parts]


def best_of(row: Mapping[str, Any]) -> list[bool]:
    """Return for every comparison whether the output was chosen."""
    return [passed for kind, passed in _graded(row) if kind == _BEST]


def _scores(row: Mapping[str, Any], *, failed: bool) -> Iterable[tuple[str, Any]]:
    if failed:
        return (("score", None), ("success", None))
    return (("score", row["score"]), ("success", row["success"]), *(row.get("namedScores") or {}).items())


def system_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The provider, with its prompt where there are several, and its place where both are equal."""
    prompts = [str((row.get("prompt") or {}).get("label") or row.get("promptId") or "") for row in rows]
    several = len(set(prompts)) > 1
    named = [
        f"{_provider(row)} · {prompt}" if several else _provider(row) for row, prompt in zip(rows, prompts, strict=True)
    ]
    places = defaultdict[str, set[Any]](set)
    for row, name in zip(rows, named, strict=True):
        places[name].add(row.get("promptIdx"))
    return [
        f"{name} #{row.get('promptIdx')}" if len(places[name]) > 1 else name
        for row, name in zip(rows, named, strict=True)
    ]


def _provider(row: Mapping[str, Any]) -> str:
    provider = row["provider"]
    return str(provider.get("label") or provider.get("id")) if isinstance(provider, dict) else str(provider)


def item_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name test cases by their variables; those with equal variables but other assertions are other items."""
    cases: dict[str, dict[str, int]] = defaultdict(dict)
    named = []
    for row in rows:
        case = row.get("testCase") or {}
        text = ", ".join(f"{key}={_text(value)}" for key, value in row["vars"].items()) or "no variables"
        if len(text) > _LONG:
            text = f"{text[:_LONG]}… {sha256(text.encode()).hexdigest()[:8]}"
        identity = json.dumps([case.get("description"), case.get("assert")], sort_keys=True, default=str)
        place = cases[text].setdefault(identity, len(cases[text]))
        named.append(f"{text} ({place + 1})" if place else text)
    return named


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def is_promptfoo_csv(file: PlacedFile) -> bool:
    """Whether this is a CSV export with a column for the status of every output."""
    header = file.first_row() if file.path.suffix.lower() == ".csv" else []
    return header.count("Status") == header.count("Grader Reason") > 0 and "Named Scores" in header


FORMAT = PromptfooFormat()
