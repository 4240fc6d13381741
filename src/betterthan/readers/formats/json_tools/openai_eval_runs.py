"""Output items of OpenAI's Evals API: the results of graders per item and run."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_ITEM = "eval.run.output_item"
#: What the service appends to the names of graders.
_IDENTITY = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


class OpenAiEvalRunsFormat(RecordFormat):
    """Pages of `evals.runs.output_items.list`, or their items as JSON lines; the model of the sample is the system.

    Its layout follows the reference of the API, and was not tried on a real export.
    """

    name: ClassVar[str] = "openai-eval-runs"
    about: ClassVar[str] = "output items of OpenAI's Evals API: datasource_item_id, results of graders, sample.model"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {
        "system": "sample.model",
        "dataset": "eval_id",
        "item": "datasource_item_id",
        "metric": "name of the grader",
        "score": "score, or passed",
    }
    ignored: ClassVar = ("datasource_item", "sample", "status")
    missing: ClassVar[str] = "the grader gave none"

    def claims(self, file: PlacedFile) -> bool:
        """Look for items, or for a page of them."""
        first = file.record if file.keys else {}
        if first.get("object") == "list":
            first = (first.get("data") or [{}])[0]
        return bool(first.get("object") == _ITEM)

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every item; runs of one model are distinguished by their ids."""
        items = _items(file)
        runs = defaultdict[str, set[str]](set)
        for item in items:
            runs[_model(item)].add(str(item.get("run_id")))
        for item in items:
            model = _model(item)
            yield Record(
                str(item["datasource_item_id"]),
                {_IDENTITY.sub("", str(each["name"])): _score(each) for each in item["results"]},
                f"{model} ({item.get('run_id')})" if len(runs[model]) > 1 else model,
                str(item.get("eval_id") or ""),
            )

    def example(self, folder: Path) -> Any:
        """Write the runs of two models on two items."""
        place = folder / "output_items"
        place.mkdir(exist_ok=True)
        for model, scores in (("owl", (1.0, 0.5)), ("yak", (0.5, 0.0))):
            lines = [
                {
                    "object": _ITEM,
                    "eval_id": "eval_1",
                    "run_id": f"run_{model}",
                    "datasource_item_id": number,
                    "results": [{"name": "match", "passed": score > 0, "score": score}],
                    "sample": {"model": model},
                }
                for number, score in enumerate(scores)
            ]
            (place / f"{model}.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return place


def _items(file: PlacedFile) -> list[Mapping[str, Any]]:
    if file.record.get("object") == "list":
        return list(file.whole["data"])
    return list(file.whole) if isinstance(file.document, list) else list(file.lines())


def _score(result: Mapping[str, Any]) -> Any:
    """Return the score, or whether it passed where a grader gives no number."""
    score = result.get("score")
    return result.get("passed") if score is None else score


def _model(item: Mapping[str, Any]) -> str:
    return str((item.get("sample") or {}).get("model") or item.get("run_id"))


FORMAT = OpenAiEvalRunsFormat()
