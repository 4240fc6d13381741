"""Automatic scores of WMT25's systems: a document per line with a list of segment scores per metric."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"language_pair", "domain", "document_id", "metric_scores"})


class Wmt25ScoresFormat(ToolFormat):
    """automatic_scores/SYSTEM.jsonl: segments of a document are one group; errors are negated, so more is better."""

    name: ClassVar[str] = "wmt25-scores"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "WMT25's automatic_scores/SYSTEM.jsonl: language_pair, document_id, metric_scores"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS and isinstance(file.record["metric_scores"], dict)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every segment of every document."""
        del places, options
        rows, higher = GrowingColumns(), dict[tuple[str, str], bool]()
        for file in files:
            for line in file.lines():
                dataset, document = str(line["language_pair"]), str(line["document_id"])
                sizes = {len(scores) for scores in line["metric_scores"].values()}
                if len(sizes) > 1:
                    raise EvidenceError(f"the metrics of {document} have {sorted(sizes)} segments", where=file.name)
                for metric, scores in line["metric_scores"].items():
                    higher[dataset, metric] = False
                    rows.add(
                        dataset=dataset,
                        metric=metric,
                        system=file.path.name.split(".jsonl")[0],
                        item=[f"{document} {number}" for number in range(1, len(scores) + 1)],
                        group=document,
                        domain=str(line["domain"]),
                        score=scores,
                    )
        used = {
            "dataset": "language_pair",
            "metric": "keys of metric_scores",
            "system": "the file's name",
            "item": "document_id and place",
            "group": "document_id",
        }
        return ToolEvidence(rows.columns(), higher, used=used)

    def example(self, folder: Path) -> Any:
        """Write the scores of two systems on two documents."""
        place = folder / "automatic_scores"
        place.mkdir(exist_ok=True)
        for system, scores in (("owl", (-1.0, -2.0, -0.5)), ("yak", (-3.0, -2.5, -1.5))):
            lines = [
                {"language_pair": "en-is", "domain": "news", "document_id": name, "metric_scores": {"MetricX": found}}
                for name, found in (("one", scores[:2]), ("two", scores[2:]))
            ]
            (place / f"{system}.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return place


FORMAT = Wmt25ScoresFormat()
