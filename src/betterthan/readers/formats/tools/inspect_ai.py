"""Logs of Inspect AI: .eval archives and .json files, one per task and model."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

#: What letters and words of scorers count, as Inspect's own value_to_float does.
_WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
_DONE = "success"


@dataclass(frozen=True)
class _Log:
    """One log: what was evaluated, how it ended, and its samples."""

    file: PlacedFile
    about: Mapping[str, Any]  # `eval` of the header
    status: str
    samples: Sequence[Mapping[str, Any]]

    @property
    def task(self) -> str:
        return str(self.about["task"])

    @property
    def model(self) -> str:
        return str(self.about["model"])


class InspectFormat(ToolFormat):
    """Samples with scores by scorer; epochs are repeats."""

    name: ClassVar[str] = "inspect"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Inspect AI logs (.eval, .json), one per task and model"

    def claims(self, file: PlacedFile) -> bool:
        """Look for a header with task and model."""
        if file.head.startswith(b"PK"):
            return _start(file) is not None
        document = file.record if {"eval", "status", "version"} <= file.keys else None
        return isinstance(document, dict) and _is_header(document)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every sample's scores; a model that occurs twice on a task is distinguished by what differs."""
        del places, options
        logs, findings = _last([_log(file) for file in files])
        unscored = Counter[str]()
        rows = GrowingColumns()
        names = _names(logs)
        for place, log in enumerate(logs):
            for sample in log.samples:
                scores = list(_scores(sample, log.file.name))
                if not scores:
                    unscored["the sample ended with an error" if sample.get("error") else "no scorer scored it"] += 1
                for metric, value in scores:
                    unscored["the scorer gave no value"] += math.isnan(value)
                    rows.add(
                        dataset=names[place][0],
                        system=names[place][1],
                        metric=metric,
                        item=str(sample["id"]),
                        repeat=str(sample.get("epoch", 1)),
                        score=[value],
                    )
        if not len(rows):
            raise EvidenceError(
                "the log holds no scored samples", where=files[0].name, remedy="Log samples, and score them."
            )
        findings += [kinds.reading.UNSCORED.found(number=number, why=why) for why, number in unscored.items() if number]
        used = {"dataset": "eval.task", "system": "eval.model", "metric": "scorer", "item": "id", "repeat": "epoch"}
        return ToolEvidence(
            rows.columns(), findings=tuple(findings), used=used, ignored=("input", "target", "output", "events")
        )

    def example(self, folder: Path) -> Any:
        """Write a log of two models each."""
        place = folder / "logs"
        place.mkdir(exist_ok=True)
        for model, letters in (("org/owl", "CCI"), ("org/yak", "CIP")):
            samples = [
                {"id": number, "epoch": 1, "input": "?", "target": "!", "scores": {"match": {"value": letter}}}
                for number, letter in enumerate(letters)
            ]
            log = {
                "version": 2,
                "status": _DONE,
                "eval": {"task": "sums", "model": model, "created": "2026-01-02"},
                "plan": {},
                "samples": samples,
            }
            (place / f"{model.replace('/', '-')}.json").write_text(json.dumps(log))
        return place


def _is_header(document: Mapping[str, Any]) -> bool:
    about = document.get("eval")
    return isinstance(about, dict) and {"task", "model"} <= about.keys()


def _start(file: PlacedFile) -> dict[str, Any] | None:
    """Return the header of an archive, or how a run that did not finish began; None where it is another archive."""
    known = file.members
    for name in ("header.json", "_journal/start.json"):
        if name in known:
            found = _json(file, name)
            return found if isinstance(found, dict) and _is_header(found) else None
    return None


def _json(file: PlacedFile, name: str) -> Any:
    try:
        return json.loads(file.member(name))
    except (ValueError, RecursionError):
        raise EvidenceError(f"its member {name} is no JSON", where=file.name, remedy="Write the log again.") from None


def _log(file: PlacedFile) -> _Log:
    if not file.head.startswith(b"PK"):
        document = file.document
        return _Log(file, document["eval"], str(document.get("status")), document.get("samples") or ())
    start, known = _start(file) or {}, file.members
    if "summaries.json" in known:
        return _Log(file, start["eval"], str(start.get("status", "started")), _json(file, "summaries.json"))
    parts = sorted(name for name in known if name.startswith("_journal/summaries/"))
    return _Log(file, start["eval"], "started", [sample for name in parts for sample in _json(file, name)])


def _last(logs: Sequence[_Log]) -> tuple[list[_Log], list[Finding]]:
    """Keep the last log of every retried run, and report those that did not finish."""
    by_run = defaultdict[tuple[str, str, str], list[_Log]](list)
    for log in logs:
        retried = str(log.about.get("task_id") or log.file.name)
        by_run[retried, log.task, log.model].append(log)
    kept, findings = [], []
    for (_, _, model), tries in by_run.items():
        finished = [log for log in tries if log.status == _DONE] or tries
        chosen = max(finished, key=lambda log: str(log.about.get("created", "")))
        kept.append(chosen)
        if len(tries) > 1:
            findings.append(
                kinds.reading.RUNS_OF_ONE_SYSTEM.found(systems=model, chosen="the last one that finished was read")
            )
        if chosen.status != _DONE:
            findings.append(kinds.reading.INCOMPLETE_RUNS.found(runs=chosen.file.name, why=f"status {chosen.status}"))
    return kept, findings


def _names(logs: Sequence[_Log]) -> list[tuple[str, str]]:
    """Return data set and system of every log, with the settings that differ where a model occurs twice on a task."""
    named = [(log.task, log.model) for log in logs]
    again = Counter(named)
    found = []
    for log, (task, model) in zip(logs, named, strict=True):
        alike = [other for other, name in zip(logs, named, strict=True) if name == (task, model)]
        if again[task, model] == 1:
            found.append((task, model))
            continue
        arguments = _differing(log, alike, "task_args")
        settings = [_differing(log, alike, key) for key in ("model_generate_config", "model_args", "solver")]
        told = ", ".join(part for part in settings if part)
        dataset = f"{task} ({arguments})" if arguments else task
        found.append((dataset, f"{model} ({told})" if told else model))
    # Runs with identical settings are distinguished by their files.
    return [
        name if found.count(name) == 1 else (name[0], f"{logs[place].model} ({logs[place].file.name})")
        for place, name in enumerate(found)
    ]


def _differing(log: _Log, alike: Sequence[_Log], key: str) -> str:
    """Return the settings of a log that are not those of the others."""
    values = [each.about.get(key) for each in alike]
    own = log.about.get(key)
    if not isinstance(own, dict):
        return str(own) if own is not None and any(value != own for value in values) else ""
    others = [value for value in values if isinstance(value, dict)]
    odd = [name for name in own if any(other.get(name) != own[name] for other in others)]
    return ", ".join(f"{name}={own[name]}" for name in odd if not isinstance(own[name], dict | list))


def _scores(sample: Mapping[str, Any], where: str) -> Iterator[tuple[str, float]]:
    """Return metric and value of every score of a sample; one scorer may give several by name."""
    scores = sample.get("scores")
    if scores is None and (only := sample.get("score")) is not None:  # logs of version 1
        scores = {"score": only}
    for scorer, score in (scores or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{scorer}.{key}", _number(each, scorer, where)) for key, each in value.items())
        elif not isinstance(value, list):
            yield scorer, _number(value, scorer, where)


def _number(value: Any, scorer: str, where: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool | int | float):
        return float(value)
    text = str(value).strip().lower()
    if text in _WORDS:
        return _WORDS[text]
    try:
        return float(text)
    except ValueError:
        raise EvidenceError(
            f"the scorer {scorer} gave {str(value)!r}, which is no number",
            where=where,
            allowed="numbers, C, I, P, N, true, false, yes, no",
            remedy="Convert its values to numbers in Inspect.",
        ) from None


FORMAT = InspectFormat()
