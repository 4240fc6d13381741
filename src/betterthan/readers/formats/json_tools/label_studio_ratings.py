"""Ratings annotated in Label Studio: its JSON export, one task per output of a system."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.formats.tools.label_studio import LabelStudioResults
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.compared_systems import item_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence


class LabelStudioRatingsFormat(LabelStudioResults):
    """Tasks with Rating controls, each of which is a metric; the task's own data name the system."""

    name: ClassVar[str] = "label-studio-ratings"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "Label Studio's ratings: JSON; task data name the system, every control is a metric"
    result: ClassVar[str] = "rating"

    @property
    def uses(self) -> frozenset[str]:
        """The keys of system and item can be named."""
        return super().uses | {"system", "item"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every rating that was submitted as a score."""
        del places
        results, findings = self.results(files)
        where, data = files[0].name, [each.data for each in results]
        names = list(dict.fromkeys(str(key) for each in data for key in each))
        columns = Columns(names, where, [name for name in (options.system, options.item) if name])
        system, item = columns.role("system", options.system), item_of(data, options.item, where)
        if system is None or item is None:
            lacking = "system" if system is None else "item"
            raise EvidenceError(
                f"cannot tell which {lacking} was rated; the tasks have {columns.listed() or 'no data'}",
                where=where,
                remedy=f"Name the key with {spelling.option(lacking)}.",
            )
        rows = GrowingColumns()
        for each in results:
            rows.add(
                metric=each.control,
                system=each.data.get(system),
                item=each.data.get(item),
                judge=each.judge,
                score=[number(each.value["rating"], each.control, each.where)],
            )
        used = {"metric": "from_name", "system": system, "item": item, "judge": "completed_by", "score": "rating"}
        ignored = (*(name for name in names if name not in {system, item}), *self.others(files))
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write ratings of two systems on two items by two judges."""
        tasks = [
            {
                "id": 2 * place + item,
                "data": {"prompt": f"question {item}", "model": system, "text": "An answer."},
                "annotations": [
                    {
                        "id": 10 * (2 * place + item) + judge,
                        "completed_by": judge,
                        "was_cancelled": False,
                        "created_at": f"2026-05-0{judge}T12:00:00Z",
                        "result": [
                            {
                                "type": "rating",
                                "from_name": "quality",
                                "to_name": "text",
                                "value": {"rating": 4 - place + (item == judge)},
                            }
                        ],
                    }
                    for judge in (1, 2)
                ],
            }
            for place, system in enumerate(("owl", "yak"))
            for item in (1, 2)
        ]
        (folder / "ratings.json").write_text(json.dumps(tasks))
        return folder / "ratings.json"


FORMAT = LabelStudioRatingsFormat()
