"""Tables of MLflow's evaluations: a row per input with the scores of metrics, a file per run."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_SCORE = re.compile(r"(?P<metric>.+)/v\d+/score")
_INPUTS = ("inputs", "request", "question")
#: Grades of readability, of which neither more nor less is better.
_NO_QUALITY = frozenset({"flesch_kincaid_grade_level", "ari_grade_level"})


class MlflowTablesFormat(RecordFormat):
    """RUN/artifacts/eval_results_table.json of `mlflow.evaluate`: columns and data, with METRIC/v1/score."""

    name: ClassVar[str] = "mlflow-tables"
    about: ClassVar[str] = (
        "MLflow's eval_results_table.json: columns inputs, outputs, METRIC/v1/score …, a file per run"
    )
    used: ClassVar = {"system": "the run's folder, or the file's name", "item": "inputs", "metric": "METRIC/v1/score"}
    ignored: ClassVar = ("outputs", "latency", "token_count", "justifications", *sorted(_NO_QUALITY))
    missing: ClassVar[str] = "the judge gave none"
    lower: ClassVar = {"toxicity": True}

    def claims(self, file: PlacedFile) -> bool:
        """Look for a table with scores."""
        return file.keys >= {"columns", "data"} and any(map(_SCORE.fullmatch, file.record["columns"]))

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every row."""
        columns = file.whole["columns"]
        found = {column: match["metric"] for column in columns if (match := _SCORE.fullmatch(column))}
        metrics = {column: metric for column, metric in found.items() if metric not in _NO_QUALITY}
        item = next((name for name in _INPUTS if name in columns), None)
        system = file.path.resolve().parents[1].name if file.folder == "artifacts" else ""
        for place, cells in enumerate(file.whole["data"], 1):
            row = dict(zip(columns, cells, strict=True))
            named = row[item] if item else f"row {place}"
            text = named if isinstance(named, str) else json.dumps(named, sort_keys=True)
            yield Record(text, {metric: row[column] for column, metric in metrics.items()}, system)

    def example(self, folder: Path) -> Any:
        """Write the tables of two runs on two inputs."""
        columns = ["inputs", "outputs", "latency", "answer_correctness/v1/score", "answer_correctness/v1/justification"]
        for run, scores in (("owl", (5.0, 4.0)), ("yak", (3.0, 2.0))):
            place = folder / "mlruns" / "1" / run / "artifacts"
            place.mkdir(parents=True, exist_ok=True)
            data = [[f"question {number}", "…", 0.5, score, "…"] for number, score in enumerate(scores)]
            (place / "eval_results_table.json").write_text(json.dumps({"columns": columns, "data": data}))
        return folder / "mlruns"


FORMAT = MlflowTablesFormat()
