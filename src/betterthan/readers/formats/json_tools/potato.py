"""Annotations of Potato: labels of items by users; the systems are named in the file that was annotated."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding
from betterthan.options import ReadOptions
from betterthan.readers.columns.joined_columns import Joining
from betterthan.readers.tool_parts.compared_systems import Sides, item_of, question_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"instance_id", "user_id", "labels"})
_CHOSEN = (True, "true", "on", 1)


@dataclass(frozen=True)
class _Label:
    """One user's label of an item by one schema."""

    data: Mapping[str, Any]
    user: str
    schema: str
    value: str
    where: str


class PotatoFormat(ToolFormat):
    """annotations.jsonl: a line per item and user, with the labels of every schema."""

    name: ClassVar[str] = "potato"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "Potato's annotations.jsonl: who won, by item and user; join the file with the systems"

    @property
    def uses(self) -> frozenset[str]:
        """The file with the systems, the schema, and keys can be named."""
        return super().uses | {"left", "right", "item", "outcome", "join", "on"}

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _KEYS and isinstance(file.record["labels"], dict)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every label of the schema that says who won as a judgment."""
        del places
        labels = [label for file in files for label in _labels(file)]
        where = files[0].name
        if not labels:
            raise EvidenceError("holds no labels", where=where, remedy="Check whether anything was annotated.")
        schema = question_of([(label.schema, label.value) for label in labels], options, where)
        labels = [label for label in labels if label.schema == schema]
        findings: list[Finding] = []
        if (joining := Joining.of(options)) is not None:
            joined, findings = joining.tasks(
                [label.data for label in labels], [label.where for label in labels], options
            )
            labels = [replace(label, data=more) for label, more in zip(labels, joined, strict=True) if more]
        data = [label.data for label in labels]
        sides, item = Sides.of(data, where, options), item_of(data, options.item, where)
        rows = GrowingColumns()
        for label, known in zip(labels, data, strict=True):
            left, right = sides(known, label.where)
            rows.add(left=left, right=right, outcome=label.value, judge=label.user, item=str(known.get(item or "")))
        used = {**sides.used, "outcome": schema, "item": item or "", "judge": "user_id"}
        return ToolEvidence(
            rows.columns(),
            findings=tuple(findings),
            used=used,
            ignored=tuple(
                key for key in dict.fromkeys(key for known in data for key in known) if key not in {*sides.keys, item}
            ),
        )

    def example(self, folder: Path) -> Any:
        """Write three labels of two users, with the systems next to them."""
        said = [("p1", "ann", "A", "owl", "yak"), ("p2", "ann", "tie", "yak", "elk"), ("p1", "bob", "B", "owl", "yak")]
        lines = [
            {
                "instance_id": name,
                "user_id": user,
                "labels": {"preference": {"selection": value}},
                "spans": {},
                "links": {},
                "systems": [left, right],
            }
            for name, user, value, left, right in said
        ]
        (folder / "annotations.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return folder / "annotations.jsonl"


def _labels(file: PlacedFile) -> Iterator[_Label]:
    for number, line in enumerate(file.lines(), 1):
        where = f"{file.name}, line {number}"
        data = {key: value for key, value in line.items() if key not in {"user_id", "labels", "spans", "links"}}
        for schema, said in line["labels"].items():
            if (value := _value(said, where)) is not None:
                yield _Label(data, str(line["user_id"]), schema, value, where)


def _value(said: Any, where: str) -> str | None:
    """Return the chosen value: the only one, or the ticked key."""
    chosen = [(key, value) for key, value in said.items() if value not in (None, "", False)]
    if not chosen:
        return None
    if len(chosen) > 1:
        raise EvidenceError(
            f"several labels are chosen at once: {', '.join(key for key, _ in chosen)}",
            where=where,
            remedy="Who won is one label: correct the annotation.",
        )
    key, value = chosen[0]
    return key if value in _CHOSEN and key not in {"selection", "label"} else str(value)


FORMAT = PotatoFormat()
