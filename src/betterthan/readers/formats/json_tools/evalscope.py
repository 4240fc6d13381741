"""Reviews of EvalScope: the scores of every sample, a folder per model and a file per subset."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_KEYS = frozenset({"index", "input", "target", "sample_score"})


class EvalScopeFormat(RecordFormat):
    """reviews/MODEL/DATASET_SUBSET.jsonl; the reports show where the name of the data set ends."""

    name: ClassVar[str] = "evalscope"
    # words: a path as EvalScope writes it
    about: ClassVar[str] = "EvalScope's reviews/MODEL/DATASET_SUBSET.jsonl: sample_score with values by metric"
    used: ClassVar = {
        "system": "folder",
        "dataset": "the file's name",
        "item": "subset and group_id",
        "metric": "keys of value",
        "repeat": "samples of one group",
    }
    ignored: ClassVar = ("input", "target", "prediction", "explanation")
    missing: ClassVar[str] = "the sample has none"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS and "score" in file.record["sample_score"]

    def belongs(self, file: PlacedFile) -> bool:
        """Take everything else of a run for its own."""
        return bool({*file.path.parts[:-1]} & {"reports", "predictions", "configs", "logs", "progress"})

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every sample."""
        dataset = _data_set(file)
        subset = file.path.name.split(".jsonl")[0].removeprefix(dataset).strip("_")
        for line in file.lines():
            sample = line["sample_score"]
            named = sample.get("group_id", sample.get("sample_id", line["index"]))
            item = f"{subset} {named}" if subset else str(named)
            yield Record(item, sample["score"]["value"], file.folder, dataset)

    def example(self, folder: Path) -> Any:
        """Write the reviews of two models on two samples."""
        for model, scores in (("owl", (1.0, 1.0)), ("yak", (1.0, 0.0))):
            reviews, reports = (folder / "outputs" / name / model for name in ("reviews", "reports"))
            reviews.mkdir(parents=True, exist_ok=True)
            reports.mkdir(parents=True, exist_ok=True)
            lines = [
                {
                    "index": number,
                    "input": "?",
                    "target": "1",
                    "sample_score": {"score": {"value": {"acc": score}}, "sample_id": number, "group_id": number},
                }
                for number, score in enumerate(scores)
            ]
            (reviews / "sums_easy.jsonl").write_text("\n".join(map(json.dumps, lines)))
            (reports / "sums.json").write_text(json.dumps({"dataset_name": "sums", "score": 0.5, "metrics": []}))
        return folder / "outputs"


def _data_set(file: PlacedFile) -> str:
    """Return the data set that has a report, whose name the file's begins with, or the whole name."""
    name = file.path.name.split(".jsonl")[0]
    reports = file.path.resolve().parents[2] / "reports" / file.folder
    known = [path.stem for path in reports.glob("*.json") if name.startswith(path.stem)]
    return max(known, key=len, default=name)


FORMAT = EvalScopeFormat()
