"""The common schema of the EvalEval coalition: samples of any harness, with the direction of every metric."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.data_hashes import data_differ
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_SAMPLE = frozenset({"schema_version", "evaluation_id", "model_id", "sample_id", "evaluation"})
_AGGREGATE = frozenset({"schema_version", "evaluation_id", "model_info", "evaluation_results"})
_UNKNOWN = -1


@dataclass(frozen=True)
class _Metric:
    """The aggregate values of one metric."""

    name: str
    lower: bool | None
    has_unknown: bool


@dataclass(frozen=True)
class _Run:
    """One evaluation of one model on one data set."""

    model: str
    identity: str
    dataset: str


@dataclass(frozen=True)
class _Sample:
    """The relevant values of a line: its run, metric and score, and a hash of the model's input."""

    run: _Run
    metric: _Metric
    item: str
    score: float
    content: str


class EveryEvalEverFormat(ToolFormat):
    """ID_samples.jsonl with a score per sample, next to ID.json, which describes the metrics."""

    name: ClassVar[str] = "every-eval-ever"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "every_eval_ever: ID_samples.jsonl with a score per sample, beside ID.json"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _SAMPLE

    def belongs(self, file: PlacedFile) -> bool:
        """Take aggregates for its own: they name metrics and their directions."""
        return file.keys >= _AGGREGATE

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the score of every sample; a score of −1 is unknown where the metric says so."""
        del options
        metrics = _metrics([file for file in places if self.belongs(file)])
        samples = [_sample(line, metrics, file.name) for file in files for line in file.lines()]
        runs = list(dict.fromkeys(sample.run for sample in samples))
        names = distinct_names(
            [run.model for run in runs], [run.dataset for run in runs], [run.identity for run in runs]
        )
        systems = dict(zip(runs, names, strict=True))
        again = Counter[tuple[str, ...]]()
        hashes = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
        rows = GrowingColumns()
        for sample in samples:
            dataset, metric, item = sample.run.dataset, sample.metric.name, sample.item
            again[systems[sample.run], dataset, metric, item] += 1
            rows.add(
                dataset=dataset,
                system=systems[sample.run],
                metric=metric,
                item=item,
                score=[sample.score],
                repeat=str(again[systems[sample.run], dataset, metric, item]),
            )
            hashes[dataset][item].add(sample.content)
        unknown = sum(math.isnan(sample.score) for sample in samples)
        lower = {
            (sample.run.dataset, sample.metric.name): sample.metric.lower
            for sample in samples
            if sample.metric.lower is not None
        }
        findings = data_differ(hashes, "sample_hash")
        if unknown:
            findings.append(kinds.reading.UNSCORED.found(number=unknown, why="the score is unknown"))
        used = {"dataset": "evaluation_name", "system": "model_id", "item": "sample_id", "score": "evaluation.score"}
        ignored = ("input", "output", "messages", "token_usage", "performance")
        return ToolEvidence(rows.columns(), lower, tuple(findings), used, ignored)

    def example(self, folder: Path) -> Any:
        """Write the samples of two models, with what describes their metric."""
        for model, scores in (("owl", (0.25, 0.5)), ("yak", (0.75, 0.5))):
            place = folder / "data" / "sums" / "org" / model
            place.mkdir(parents=True, exist_ok=True)
            about = {"schema_version": "0.3.0", "evaluation_id": f"sums/{model}"}
            described = {"evaluation_name": "sums", "metric_config": {"metric_id": "wer", "lower_is_better": True}}
            aggregate = {**about, "model_info": {"id": f"org/{model}"}, "evaluation_results": [described]}
            (place / "1.json").write_text(json.dumps(aggregate))
            lines = [
                {
                    **about,
                    "model_id": f"org/{model}",
                    "evaluation_name": "sums",
                    "sample_id": str(number),
                    "evaluation": {"score": score, "is_correct": score > 0.5},
                }
                for number, score in enumerate(scores)
            ]
            (place / "1_samples.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return folder / "data"


def _metrics(aggregates: Sequence[PlacedFile]) -> dict[tuple[str, str], _Metric]:
    """Return metrics by evaluation and result; also by name, where a name stands for one result."""
    found: dict[tuple[str, str], _Metric] = {}
    for file in aggregates:
        identity = str(file.document["evaluation_id"])
        results = [each for each in file.document["evaluation_results"] if isinstance(each, dict)]
        named = Counter(str(each.get("evaluation_name")) for each in results)
        for each in results:
            config = each.get("metric_config") or {}
            name = str(config.get("metric_id") or config.get("metric_name") or "score")
            metric = _Metric(name, config.get("lower_is_better"), bool(config.get("has_unknown_level")))
            if each.get("evaluation_result_id"):
                found[identity, str(each["evaluation_result_id"])] = metric
            if named[str(each.get("evaluation_name"))] == 1:
                found[identity, str(each.get("evaluation_name"))] = metric
    return found


def _sample(line: Mapping[str, Any], metrics: Mapping[tuple[str, str], _Metric], where: str) -> _Sample:
    """Return the relevant values of a line, or refuse an incomplete one."""
    keys = ("model_id", "evaluation_id", "evaluation_name", "sample_id", "evaluation")
    if lost := [key for key in keys if key not in line]:
        raise EvidenceError(f"a sample has no {lost[0]!r}", where=where, remedy="Check it against the schema.")
    run = _Run(str(line["model_id"]), str(line["evaluation_id"]), str(line["evaluation_name"]))
    result = line.get("evaluation_result_id")
    metric = metrics.get((run.identity, str(result))) or metrics.get((run.identity, run.dataset))
    metric = metric or _Metric(str(result or "score"), None, has_unknown=False)
    evaluation = line["evaluation"]
    score = number(evaluation.get("score") if isinstance(evaluation, dict) else None, "score", where)
    if metric.has_unknown and score == _UNKNOWN:
        score = math.nan
    return _Sample(run, metric, str(line["sample_id"]), score, str(line.get("sample_hash") or ""))


FORMAT = EveryEvalEverFormat()
