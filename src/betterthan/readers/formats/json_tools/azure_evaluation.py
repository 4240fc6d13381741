"""Results of Azure AI evaluation: rows of inputs and outputs of evaluators, a file per run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.cell_values import is_number
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_INPUT, _OUTPUT = "inputs.", "outputs."
#: Numbers of an evaluator that are no scores.
_BESIDE = ("_threshold", "_tokens", "_count")
#: Older names of the same scores.
_OLD = "gpt_"
_HARMS = ("violence", "sexual", "self_harm", "hate_unfairness")


class AzureEvaluationFormat(RecordFormat):
    """What `evaluate(output_path=…)` of azure-ai-evaluation writes: {rows, metrics}; harms are better the less.

    Its layout follows the package's tests and documentation, and was not tried on a real export.
    """

    name: ClassVar[str] = "azure-evaluation"
    about: ClassVar[str] = "Azure AI evaluation's JSON: rows with inputs.query … and outputs.EVALUATOR.METRIC"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "the file's name",
        "item": "inputs.query, or the row",
        "metric": "outputs.EVALUATOR.METRIC",
        "repeat": "rows of one query",
    }
    ignored: ClassVar = ("metrics", "studio_url", "reasons", "thresholds")
    missing: ClassVar[str] = "the evaluator gave none"
    lower: ClassVar = {f"{harm}.{harm}_score": True for harm in _HARMS}

    def claims(self, file: PlacedFile) -> bool:
        """Look for rows with outputs of evaluators."""
        rows = file.record["rows"] if file.keys >= {"rows", "metrics"} else None
        first = rows[0] if isinstance(rows, list) and rows else {}
        return any(key.startswith(_INPUT) for key in first) and any(map(_is_score, first))

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield the rows with every score that some row has."""
        rows = file.whole["rows"]
        metrics = [
            key
            for key in dict.fromkeys(key for row in rows for key in row)
            if _is_score(key) and any(is_number(row.get(key)) for row in rows)
        ]
        for place, row in enumerate(rows, 1):
            scores = {metric.removeprefix(_OUTPUT): row.get(metric) for metric in metrics}
            yield Record(str(row.get(f"{_INPUT}query") or f"row {place}"), scores)

    def example(self, folder: Path) -> Any:
        """Write the runs of two systems on two queries."""
        place = folder / "azure"
        place.mkdir(exist_ok=True)
        for system, scores in (("owl", (5.0, 4.0)), ("yak", (3.0, 2.0))):
            rows = [
                {
                    "inputs.query": f"question {number}",
                    "inputs.response": "…",
                    "outputs.relevance.relevance": score,
                    "outputs.relevance.gpt_relevance": score,
                    "outputs.relevance.relevance_result": "pass",
                    "outputs.relevance.relevance_threshold": 3,
                }
                for number, score in enumerate(scores)
            ]
            document = {"rows": rows, "metrics": {"relevance.relevance": sum(scores) / 2}, "studio_url": None}
            (place / f"{system}.json").write_text(json.dumps(document))
        return place


def _is_score(key: str) -> bool:
    evaluator, _, metric = key.removeprefix(_OUTPUT).partition(".")
    return (
        key.startswith(_OUTPUT)
        and bool(evaluator and metric)
        and not metric.endswith(_BESIDE)
        and not metric.startswith(_OLD)
    )


FORMAT = AzureEvaluationFormat()
