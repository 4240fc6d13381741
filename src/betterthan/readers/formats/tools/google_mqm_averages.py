"""Segment averages published with Google's MQM annotations."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.format import Recognition
from betterthan.readers.formats.tools.google_mqm import AVERAGES
from betterthan.readers.formats.tools.google_mqm import FORMAT as ANNOTATIONS
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat


class GoogleMqmAveragesFormat(ToolFormat):
    """system, score and seg_id per line; segments that nobody rated are None."""

    name: ClassVar[str] = "google-mqm-averages"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Google's MQM averages: system mqm_avg_score seg_id per line"

    def claims(self, file: PlacedFile) -> bool:
        """Check the header."""
        return file.head.startswith(AVERAGES)

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Leave the averages where the annotations themselves are there."""
        return None if any(ANNOTATIONS.claims(file) for file in found) else super().recognise(found, options)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every line as a score; more is better."""
        del places, options
        rows = GrowingColumns()
        for file in files:
            lines = [line.split() for line in file.plain.read_text("utf-8").splitlines()[1:] if line.strip()]
            if odd := next((number for number, line in enumerate(lines, 2) if len(line) != 3), None):
                raise EvidenceError("is no line of system, score and segment", where=f"{file.name}, line {odd}")
            scores = [math.nan if score == "None" else float(score) for _, score, _ in lines]
            rows.add(metric="MQM", system=[line[0] for line in lines], item=[line[2] for line in lines], score=scores)
        used = {"system": "system", "item": "seg_id", "score": "mqm_avg_score"}
        return ToolEvidence(rows.columns(), {("", "MQM"): False}, used=used)

    def example(self, folder: Path) -> Any:
        """Write the averages of two systems in two segments."""
        lines = ["system mqm_avg_score seg_id", "owl\t-0.5 1", "owl\t-1.0 2", "yak\t-6.0 1", "yak\tNone 2"]
        (folder / "mqm.avg_seg_scores.tsv").write_text("\n".join(lines))
        return folder / "mqm.avg_seg_scores.tsv"


FORMAT = GoogleMqmAveragesFormat()
