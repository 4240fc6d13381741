"""Judgments collected in Argilla 2: label questions that say which of two responses is better."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.joined_columns import Joining
from betterthan.readers.format import Recognition
from betterthan.readers.tool_parts.compared_systems import Sides, item_of, question_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_WHOLE = frozenset({"id", "fields", "metadata", "responses", "suggestions"})
_RESPONSES, _USERS, _STATUS = ".responses", ".responses.users", ".responses.status"
#: Keys of flat records in addition to fields and metadata.
_STATE = frozenset({"id", "status", "_server_id", "vectors"})
#: The only status of a response that counts; drafts and discarded ones do not.
_SUBMITTED = "submitted"


@dataclass(frozen=True)
class ArgillaAnswer:
    """One user's answer to one question about one record."""

    record: str
    data: Mapping[str, Any]  # fields and metadata
    question: str
    value: Any
    user: str
    status: str | None
    where: str

    @property
    def key(self) -> tuple[str, ...]:
        """The key that identifies it in every export; data sets may share record numbers."""
        about = {key: value for key, value in self.data.items() if key not in _STATE}
        return self.record, self.question, self.user, json.dumps(about, sort_keys=True, default=str)

    @property
    def kind(self) -> Kind | None:
        """The kind of evidence from the question: a winner, a ranking, or a score; None for free text."""
        if isinstance(self.value, str):
            return "judgments"
        if isinstance(self.value, list):
            return "rankings"
        return "scores" if isinstance(self.value, int | float) else None


class ArgillaRecords(ToolFormat):
    """Records as to_json writes them, or flattened; one format for each kind of question."""

    @property
    def uses(self) -> frozenset[str]:
        """The question and the keys of item and systems can be named."""
        return super().uses | {"item"}

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first record, and for a question of this kind."""
        return _is_argilla(file) and self.kind in _kinds(file)

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Where questions of several kinds were asked and none is wanted, take who won before rankings and ratings."""
        asked = {kind for file in found if _is_argilla(file) for kind in _kinds(file)}
        first = next((kind for kind in ("judgments", "rankings", "scores") if kind in asked), None)
        return super().recognise(found, options) if self.kind in {first, options.kind} else None

    def answers(self, files: Sequence[PlacedFile]) -> tuple[list[ArgillaAnswer], list[Finding]]:
        """Return the submitted answers to questions of this kind, and report those left out."""
        said = [answer for file in files for answer in _answers(file) if answer.kind == self.kind]
        # Several exports may hold the same answer: the one that knows its status counts.
        once = {answer.key: answer for answer in sorted(said, key=lambda answer: answer.status is not None)}
        every = list(once.values())
        kept = [answer for answer in every if answer.status in {None, _SUBMITTED}]
        left_out = Counter(answer.status for answer in every if answer.status not in {None, _SUBMITTED})
        findings = [
            kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=number, why=f"their status is '{status}'")
            for status, number in left_out.items()
        ]
        if len(said) > len(every):
            findings.append(
                kinds.reading.REPLACED_ROWS.found(number=len(said) - len(every), key="record, question and user")
            )
        if unknown := sum(answer.status is None for answer in kept):
            findings.append(kinds.reading.STATUS_UNKNOWN.found(number=unknown))
        if not kept:
            raise EvidenceError(
                "no response was submitted", where=files[0].name, remedy="Submit responses in Argilla and export again."
            )
        return kept, findings

    def others(self, files: Sequence[PlacedFile], used: str) -> tuple[str, ...]:
        """Return the questions that were not read."""
        asked = dict.fromkeys(answer.question for file in files for answer in _answers(file))
        return tuple(question for question in asked if question != used)


class ArgillaFormat(ArgillaRecords):
    """A label question whose answers are words for the two sides; metadata name the systems."""

    name: ClassVar[str] = "argilla"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "Argilla's records with a label question that says which of two responses is better"

    @property
    def uses(self) -> frozenset[str]:
        """The question and the keys of both systems can be named."""
        return super().uses | {"left", "right", "outcome", "join", "on"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every submitted answer as a judgment."""
        del places
        answers, findings = self.answers(files)
        question = question_of([(answer.question, answer.value) for answer in answers], options, files[0].name)
        answers = [answer for answer in answers if answer.question == question]
        if (joining := Joining.of(options)) is not None:
            joined, unmatched = joining.tasks(
                [{"id": answer.record, **answer.data} for answer in answers],
                [answer.where for answer in answers],
                options,
            )
            answers = [replace(answer, data=more) for answer, more in zip(answers, joined, strict=True) if more]
            findings += unmatched
        data = [answer.data for answer in answers]
        sides = Sides.of(data, files[0].name, options)
        item = item_of(data, options.item, files[0].name)
        rows = GrowingColumns()
        for answer in answers:
            left, right = sides(answer.data, answer.where)
            rows.add(
                left=left,
                right=right,
                outcome=answer.value,
                judge=answer.user,
                item=answer.record if item is None else answer.data.get(item),
            )
        used = {**sides.used, "outcome": question, "item": item or "id", "judge": "user_id"}
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=self.others(files, question))

    def example(self, folder: Path) -> Any:
        """Write three comparisons, one of them a draft, as flat records."""
        records = [
            {
                "id": f"r{number}",
                "status": "pending",
                "prompt": f"question {number}",
                "model_a": left,
                "model_b": right,
                "preference.responses": [value],
                "preference.responses.users": ["ann"],
                "preference.responses.status": [status],
            }
            for number, (left, right, value, status) in enumerate(
                [("owl", "yak", "A", "submitted"), ("yak", "elk", "tie", "submitted"), ("elk", "owl", "A", "draft")]
            )
        ]
        (folder / "records.json").write_text(json.dumps(records))
        return folder / "records.json"


def _is_argilla(file: PlacedFile) -> bool:
    if file.keys >= _WHOLE:
        return isinstance(file.record["responses"], dict)
    return any(key.endswith(_USERS) and key.removesuffix(".users") in file.keys for key in file.keys)


def _kinds(file: PlacedFile) -> set[Kind]:
    """Return the kinds of questions that were answered; a file without any, or a damaged one, is still Argilla's."""
    try:
        found: set[Kind] = {kind for answer in _answers(file) if (kind := answer.kind)}
    except (EvidenceError, LookupError, TypeError, AttributeError):
        found = set()
    return found or {"judgments"}


def _answers(file: PlacedFile) -> Iterator[ArgillaAnswer]:
    """Yield every answer to every question."""
    records = file.document if isinstance(file.document, list) else file.lines()
    for number, record in enumerate(records, 1):
        where = f"{file.name}, record {number}"
        if not isinstance(record, dict):
            raise EvidenceError("is no record of Argilla", where=where, remedy="Check whether the file is whole.")
        yield from _of_whole(record, where) if "fields" in record else _of_flat(record, where)


def _of_whole(record: Mapping[str, Any], where: str) -> Iterator[ArgillaAnswer]:
    data = {**record["fields"], **(record.get("metadata") or {})}
    for question, responses in (record["responses"] or {}).items():
        for each in responses:
            yield ArgillaAnswer(
                str(record["id"]), data, question, each["value"], str(each["user_id"]), each.get("status"), where
            )


def _of_flat(record: Mapping[str, Any], where: str) -> Iterator[ArgillaAnswer]:
    questions = [key.removesuffix(_USERS) for key in record if key.endswith(_USERS)]
    own = (".responses", ".suggestion", ".users", ".status", ".score", ".agent")
    data = {key: value for key, value in record.items() if not key.endswith(own)}
    for question in questions:
        values, users = record.get(question + _RESPONSES), record[question + _USERS]
        if values is None:
            continue
        status = record.get(question + _STATUS) or [None] * len(values)
        if not len(values) == len(users) == len(status):
            raise EvidenceError(
                f"the responses to {question!r} have {len(values)} values, {len(users)} users and {len(status)} "
                "statuses",
                where=where,
                remedy="Export the records again.",
            )
        for value, user, state in zip(values, users, status, strict=True):
            yield ArgillaAnswer(str(record["id"]), data, question, value, str(user), state, where)


FORMAT = ArgillaFormat()
