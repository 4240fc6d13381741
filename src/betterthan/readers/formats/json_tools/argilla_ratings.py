"""Ratings collected in Argilla 2: rating questions about records of known systems."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.formats.json_tools.argilla import ArgillaRecords
from betterthan.readers.tool_parts.compared_systems import item_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence


class ArgillaRatingsFormat(ArgillaRecords):
    """A record per output: metadata name its system, every rating question is a metric."""

    name: ClassVar[str] = "argilla-ratings"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Argilla's records with rating questions, where metadata name the system of each record"

    @property
    def uses(self) -> frozenset[str]:
        """The key of the system can be named."""
        return super().uses | {"system"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every submitted answer as a score."""
        del places
        answers, findings = self.answers(files)
        where = files[0].name
        names = list(dict.fromkeys(key for answer in answers for key in answer.data))
        columns = Columns(names, where, [name for name in (options.system, options.item) if name])
        system = columns.role("system", options.system)
        item = item_of([answer.data for answer in answers], options.item, where)
        if system is None or item is None:
            lacking = "system" if system is None else "item"
            raise EvidenceError(
                f"cannot tell which {lacking} was rated; the records have {columns.listed()}",
                where=where,
                remedy=f"Name the key with {spelling.option(lacking)}.",
            )
        rows = GrowingColumns()
        rows.add(
            metric=[answer.question for answer in answers],
            system=[answer.data.get(system) for answer in answers],
            item=[answer.data.get(item) for answer in answers],
            judge=[answer.user for answer in answers],
            score=[answer.value for answer in answers],
        )
        used = {"metric": "the question", "system": system, "item": item, "judge": "user_id"}
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used)

    def example(self, folder: Path) -> Any:
        """Write ratings of two systems on two items by two users."""
        records = [
            {
                "id": f"{system}{item}",
                "status": "completed",
                "prompt": f"question {item}",
                "model": system,
                "quality.responses": [rating, rating - item],
                "quality.responses.users": ["ann", "bob"],
                "quality.responses.status": ["submitted", "submitted"],
            }
            for system, rating in (("owl", 5), ("yak", 3))
            for item in (1, 2)
        ]
        (folder / "records.json").write_text(json.dumps(records))
        return folder / "records.json"


FORMAT = ArgillaRatingsFormat()
