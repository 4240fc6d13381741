"""Aggregates of the EvalEval coalition's schema, without samples: evaluations are the items."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.formats.json_tools.every_eval_ever import FORMAT as SAMPLES
from betterthan.readers.tool_parts.aggregate_format import AggregateFormat
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import last_runs
from betterthan.readers.tool_parts.tool_format import ToolEvidence


@dataclass(frozen=True)
class _Result:
    """One score of one model, and the range and direction of its metric."""

    model: str
    evaluation: str
    metric: str
    score: float
    least: float | None
    most: float | None
    lower: bool
    date: str


class EveryEvalEverResultsFormat(AggregateFormat):
    """ID.json of every model; where there are samples, those are read. Ranges are never mixed."""

    name: ClassVar[str] = "every-eval-ever-results"
    kind: ClassVar[Kind] = "scores"
    samples = SAMPLES
    about: ClassVar[str] = "every_eval_ever without samples: ID.json, in which evaluations are the items"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys."""
        return SAMPLES.belongs(file)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every score; a metric with several ranges or directions is several metrics."""
        del places, options
        results = [result for file in files for result in _results(file)]
        if not results:
            raise EvidenceError("the files hold no scores", where=files[0].name)
        kept, findings = last_runs(
            [each.model for each in results],
            [(each.evaluation, each.metric) for each in results],
            [each.date for each in results],
        )
        kinds_of = defaultdict[str, set[tuple[Any, ...]]](set)
        for each in results:
            kinds_of[each.metric].add((each.least, each.most, each.lower))
        rows, lower = GrowingColumns(), dict[tuple[str, str], bool]()
        for each in (results[place] for place in kept):
            several = len(kinds_of[each.metric]) > 1
            metric = f"{each.metric} ({_range(each)})" if several else each.metric
            lower["", metric] = each.lower
            rows.add(metric=metric, system=each.model, item=each.evaluation, score=[each.score])
        used = {"system": "model_info.id", "item": "evaluation_name", "metric": "metric_id", "score": "score_details"}
        ignored = ("source_metadata", "uncertainty", "generation_config")
        return ToolEvidence(rows.columns(), lower, tuple(findings), used, ignored)

    def example(self, folder: Path) -> Any:
        """Write the aggregates of two models in two evaluations."""
        for model, scores in (("owl", (0.75, 0.5)), ("yak", (0.5, 0.25))):
            place = folder / "aggregates" / model
            place.mkdir(parents=True, exist_ok=True)
            results = [
                {
                    "evaluation_name": name,
                    "metric_config": {"lower_is_better": False, "min_score": 0.0, "max_score": 1.0},
                    "score_details": {"score": score},
                }
                for name, score in zip(("sums", "words"), scores, strict=True)
            ]
            document = {
                "schema_version": "0.2.0",
                "evaluation_id": f"board/{model}",
                "retrieved_timestamp": "1",
                "model_info": {"id": model},
                "evaluation_results": results,
            }
            (place / "1.json").write_text(json.dumps(document))
        return folder / "aggregates"


def _results(file: PlacedFile) -> Iterator[_Result]:
    document: Mapping[str, Any] = file.whole
    for each in document["evaluation_results"]:
        config = each["metric_config"]
        yield _Result(
            str(document["model_info"]["id"]),
            str(each["evaluation_name"]),
            str(config.get("metric_id") or config.get("metric_name") or "score"),
            number(each["score_details"]["score"], "score", file.name),
            config.get("min_score"),
            config.get("max_score"),
            bool(config.get("lower_is_better")),
            str(document.get("evaluation_timestamp") or document.get("retrieved_timestamp") or ""),
        )


def _range(result: _Result) -> str:
    least, most = ("?" if end is None else f"{end:g}" for end in (result.least, result.most))
    return f"{least} to {most}{', less is better' if result.lower else ''}"


FORMAT = EveryEvalEverResultsFormat()
