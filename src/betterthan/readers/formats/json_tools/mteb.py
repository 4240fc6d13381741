"""Results of MTEB: a file per model, revision and task, with scores by split and subset."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_MAIN = "main_score"
_META = "model_meta.json"
#: Folders of results whose revision is not known: reported by others, or by old versions.
_UNKNOWN = ("no_revision_available", "external")
_REVISION = re.compile(rf"[0-9a-f]{{40}}|{'|'.join(_UNKNOWN)}")
_CHOSEN = "every task was read from one revision: a known one before external results, then the newest version of MTEB"


@dataclass(frozen=True)
class _Result:
    """One task of one model and revision."""

    file: PlacedFile
    model: str
    revision: str

    @property
    def task(self) -> str:
        return str(self.file.record["task_name"])

    @property
    def preferred(self) -> tuple[bool, tuple[int, ...], str]:
        """Sort by known revisions, then by version."""
        version = re.findall(r"\d+", str(self.file.record["mteb_version"] or ""))
        return self.revision not in _UNKNOWN, tuple(map(int, version)), self.revision

    @property
    def splits(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        found: Mapping[str, Sequence[Mapping[str, Any]]] = self.file.record["scores"]
        return found


class MtebFormat(ToolFormat):
    """MODEL/REVISION/TASK.json; the item is the task, whose score is the mean over its subsets."""

    name: ClassVar[str] = "mteb"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "MTEB's results: MODEL/REVISION/TASK.json, a main score per task and subset"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys."""
        return file.keys >= {"task_name", "mteb_version", "scores"} and isinstance(file.record["scores"], dict)

    def belongs(self, file: PlacedFile) -> bool:
        """Take descriptions of models for its own."""
        return file.path.name == _META

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the main score of every task, or the metrics that were requested."""
        names = {file.path.parent: _name(file) for file in places if self.belongs(file)}
        results, findings = _one_revision([_result(file, names) for file in files])
        by_task = defaultdict[str, list[_Result]](list)
        for result in results:
            by_task[result.task].append(result)
        rows, differing = GrowingColumns(), list[str]()
        left_out = [] if options.score else _other_ranges(by_task)
        for task, runs in by_task.items():
            if task in left_out:
                continue
            split = _split(runs)
            for metric in options.score or [_MAIN]:
                subsets = [_subsets(run, split, metric) for run in runs]
                chosen = _shared(subsets)
                if metric == _MAIN and any(set(each) != chosen for each in subsets):
                    differing.append(task)
                for run, scores in zip(runs, subsets, strict=True):
                    if chosen and chosen <= scores.keys():
                        mean = sum(scores[name] for name in chosen) / len(chosen)
                        rows.add(item=task, system=run.model, metric=metric, split=split, score=[mean])
        if not len(rows):
            raise EvidenceError(
                f"there is no {(options.score or [_MAIN])[0]!r} in these results",
                where=places.title,
                remedy=f"Leave out {spelling.option('score')}.",
            )
        if left_out:
            findings.append(kinds.reading.OTHER_RANGES.found(number=len(left_out), tasks=", ".join(left_out[:5])))
        if differing:
            findings.append(kinds.reading.SUBSETS_DIFFER.found(number=len(differing), tasks=", ".join(differing[:5])))
        findings += _different(by_task)
        used = {"item": "task_name", "system": "model", "metric": "main_score, mean over subsets"}
        ignored = ("other splits than test", "other metrics", "scores_per_experiment", "evaluation_time")
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write two models on two tasks, one of them with two subsets."""
        for model, scores in (("org__owl", (0.75, 0.5)), ("org__yak", (0.625, 0.25))):
            place = folder / "results" / model / "no_revision_available"
            place.mkdir(parents=True, exist_ok=True)
            (place / _META).write_text(json.dumps({"name": model.replace("__", "/"), "revision": None}))
            for task, subsets in (("Topics", ["default"]), ("Pairs", ["de", "en"])):
                entries = [
                    {"hf_subset": subset, "languages": [], _MAIN: score}
                    for subset, score in zip(subsets, scores, strict=False)
                ]
                told = {"task_name": task, "mteb_version": "1.18.0", "dataset_revision": "1"}
                (place / f"{task}.json").write_text(json.dumps({**told, "scores": {"test": entries}}))
        return folder / "results"


def _name(meta: PlacedFile) -> str | None:
    name = meta.document.get("name") if isinstance(meta.document, dict) else None
    return str(name) if name else None


def _result(file: PlacedFile, names: Mapping[Path, str | None]) -> _Result:
    """Take the model's name from its description, else from its folder."""
    folder = file.path.parent.resolve()
    of_revision = _REVISION.fullmatch(folder.name) is not None
    model = names.get(file.path.parent) or (folder.parent if of_revision else folder).name.replace("__", "/", 1)
    return _Result(file, model, folder.name if of_revision else _UNKNOWN[0])


def _one_revision(results: Sequence[_Result]) -> tuple[list[_Result], list[Finding]]:
    """Keep one revision of every model and task, and report if there are several."""
    found = defaultdict[tuple[str, str], list[_Result]](list)
    for result in results:
        found[result.model, result.task].append(result)
    revisions = defaultdict[str, set[str]](set)
    for result in results:
        revisions[result.model].add(result.revision)
    several = sorted(model for model, known in revisions.items() if len(known) > 1)
    findings = [kinds.reading.RUNS_OF_ONE_SYSTEM.found(systems=", ".join(several), chosen=_CHOSEN)] if several else []
    return [max(each, key=lambda result: result.preferred) for each in found.values()], findings


def _split(runs: Sequence[_Result]) -> str:
    """Choose the split of a task: one that all systems have, test before others, training data last."""
    have = Counter(split for run in runs for split in run.splits)
    return min(have, key=lambda split: (have[split] < len(runs), split != "test", split == "train", split))


def _subsets(run: _Result, split: str, metric: str) -> dict[str, float]:
    entries = run.splits.get(split) or ()
    where = f"{run.file.name}, split {split}"
    return {
        str(entry.get("hf_subset", "default")): number(entry[metric], metric, where)
        for entry in entries
        if entry.get(metric) is not None
    }


def _shared(subsets: Sequence[Mapping[str, float]]) -> frozenset[str]:
    """Return the subsets that all systems have, else those that most have together."""
    present = [frozenset(each) for each in subsets if each]
    if not present:
        return frozenset()
    return frozenset.intersection(*present) or Counter(present).most_common(1)[0][0]


def _other_ranges(by_task: Mapping[str, Sequence[_Result]]) -> list[str]:
    """Return tasks whose main scores exceed 1 while most tasks are shares, such as speeds in words per second."""
    largest = {
        task: max((abs(each) for run in runs for each in _all_scores(run)), default=0.0)
        for task, runs in by_task.items()
    }
    other = sorted(task for task, score in largest.items() if score > 1)
    return other if 2 * len(other) < len(largest) else []


def _all_scores(run: _Result) -> list[float]:
    return [score for split in run.splits for score in _subsets(run, split, _MAIN).values()]


def _different(by_task: Mapping[str, Sequence[_Result]]) -> list[Finding]:
    """Report tasks whose data have another revision for some systems."""
    unknown = {None, "None", *_UNKNOWN}
    different = [
        task
        for task, runs in by_task.items()
        if len({run.file.record.get("dataset_revision") for run in runs} - unknown) > 1
    ]
    if not different:
        return []
    return [kinds.reading.DATA_DIFFER.found(items=len(different), dataset="MTEB", by="dataset_revision")]


FORMAT = MtebFormat()
