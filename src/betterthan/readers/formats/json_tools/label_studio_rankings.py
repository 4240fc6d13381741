"""Rankings annotated in Label Studio: its JSON export, a list of outputs in order."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.formats.tools.label_studio import AnnotationResult, LabelStudioResults
from betterthan.readers.tool_parts.compared_systems import item_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence


class LabelStudioRankingsFormat(LabelStudioResults):
    """Tasks with a Ranker without buckets: entries of a list in order, the best first; entries name their system."""

    name: ClassVar[str] = "label-studio-rankings"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "Label Studio's Ranker: JSON; entries of the list name systems by model, system or id"
    result: ClassVar[str] = "ranker"

    @property
    def uses(self) -> frozenset[str]:
        """The key of the item can be named."""
        return super().uses | {"item"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every order that was submitted as a ranking."""
        del places
        results, findings = self.results(files)
        item = item_of([each.data for each in results], options.item, files[0].name)
        orders = [[_system(entry, each) for entry in _order(each)] for each in results]
        _refuse_numbered(orders, results)
        rows = GrowingColumns()
        for place, (each, order) in enumerate(zip(results, orders, strict=True), 1):
            if len(order) < 2 or len({*order}) < len(order):
                raise EvidenceError(
                    f"ranks {', '.join(order) or 'nothing'}",
                    where=each.where,
                    remedy="A ranking needs at least two systems, each once.",
                )
            rows.add(
                ranking=str(place),
                system=order,
                rank=[float(rank) for rank in range(1, len(order) + 1)],
                item=each.task if item is None else str(each.data.get(item)),
                judge=each.judge,
            )
        used = {
            "rank": "ranker",
            "system": "model, system or id of list entries",
            "item": item or "id",
            "judge": "completed_by",
        }
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=self.others(files))

    def example(self, folder: Path) -> Any:
        """Write the orders of three systems by two judges."""
        systems = ["owl", "yak", "elk"]
        tasks = [
            {
                "id": number,
                "data": {
                    "prompt": f"question {number}",
                    "items": [
                        {"id": f"{number}-{place}", "body": "An answer.", "model": system}
                        for place, system in enumerate(systems)
                    ],
                },
                "annotations": [
                    {
                        "id": 10 * number + judge,
                        "completed_by": judge,
                        "was_cancelled": False,
                        "created_at": f"2026-05-0{judge}T12:00:00Z",
                        "result": [
                            {
                                "type": "ranker",
                                "from_name": "rank",
                                "to_name": "results",
                                "value": {
                                    "ranker": {
                                        "rank": [f"{number}-{(place + judge * number) % 3}" for place in range(3)]
                                    }
                                },
                            }
                        ],
                    }
                    for judge in (1, 2)
                ],
            }
            for number in (1, 2)
        ]
        (folder / "rankings.json").write_text(json.dumps(tasks))
        return folder / "rankings.json"


def _order(result: AnnotationResult) -> list[str]:
    """Return the ids in order; buckets have none between them."""
    found = result.value["ranker"]
    if isinstance(found, Mapping):
        if len(found) != 1:
            raise EvidenceError(
                f"the Ranker has buckets ({', '.join(map(repr, found))}), which are in no order",
                where=result.where,
                remedy="Rank with a Ranker without buckets, or convert buckets to a table with the columns ranking, "
                "system and rank.",
            )
        found = next(iter(found.values()))
    return [str(entry) for entry in found]


def _system(entry: str, result: AnnotationResult) -> str:
    """Return the system of a list entry: as the entry says, else its id."""
    for listed in result.data.values():
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, Mapping) and str(each.get("id")) == entry:
                named = Columns([str(key) for key in each if key != "name"], result.where).role("system")
                return str(each[named]) if named else entry
    return entry


def _refuse_numbered(orders: Sequence[Sequence[str]], results: Sequence[AnnotationResult]) -> None:
    """Refuse ids that are those of outputs: every task has its own."""
    tasks: dict[str, set[str]] = {}
    for order, each in zip(orders, results, strict=True):
        for system in order:
            tasks.setdefault(system, set()).add(each.task)
    if len({each.task for each in results}) > 1 and all(len(seen) == 1 for seen in tasks.values()):
        raise EvidenceError(
            f"cannot tell which systems were ranked: no entry such as {next(iter(tasks))!r} is in two tasks",
            where=results[0].where,
            remedy="Add a key model to the entries of the list, and export again.",
        )


FORMAT = LabelStudioRankingsFormat()
