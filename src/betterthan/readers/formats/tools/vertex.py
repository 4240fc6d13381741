"""Tables of Vertex AI's evaluations: a row per prompt with METRIC/score and METRIC/explanation, a file per system."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import PlacedFile
from betterthan.readers.tool_parts.csv_rows import csv_rows, scores_in
from betterthan.readers.tool_parts.record_format import Record, RecordFormat

_SCORE = re.compile(r"(?P<metric>[^/]+)/score")


class VertexFormat(RecordFormat):
    """The metrics_table of an EvalTask's result, written as CSV.

    Its layout follows the documentation of the SDK, and was not tried on a real table.
    """

    name: ClassVar[str] = "vertex"
    about: ClassVar[str] = "Vertex AI's metrics_table (.csv): prompt, response, METRIC/score, a file per system"
    surest: ClassVar[float] = 0.9
    used: ClassVar = {"system": "the file's name", "item": "prompt, or the row", "metric": "METRIC/score"}
    ignored: ClassVar = ("response", "reference", "explanations")
    missing: ClassVar[str] = "the judge gave none"

    def claims(self, file: PlacedFile) -> bool:
        """Check the header for scores and explanations."""
        header = file.first_row() if file.path.suffix.lower() == ".csv" else []
        return "response" in header and any(
            (match := _SCORE.fullmatch(name)) is not None and f"{match['metric']}/explanation" in header
            for name in header
        )

    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield every row."""
        for place, row in enumerate(csv_rows(file), 1):
            yield Record(row.get("prompt") or f"row {place}", scores_in(row, _SCORE))

    def example(self, folder: Path) -> Any:
        """Write the tables of two systems on two prompts."""
        place = folder / "vertex"
        place.mkdir(exist_ok=True)
        for system, scores in (("owl", (5.0, 4.0)), ("yak", (3.0, 2.0))):
            rows = [[f"prompt {number}", "…", score, "…"] for number, score in enumerate(scores)]
            with (place / f"{system}.csv").open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream).writerows(
                    [["prompt", "response", "coherence/score", "coherence/explanation"], *rows]
                )
        return place


FORMAT = VertexFormat()
