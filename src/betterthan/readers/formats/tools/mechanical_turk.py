"""Results of Mechanical Turk: a row per assignment, with the columns of the requester as Input and Answer."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.compared_systems import Sides, item_of, question_of
from betterthan.readers.tool_parts.csv_rows import csv_rows
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"HITId", "AssignmentId", "WorkerId", "AssignmentStatus"})
_INPUT, _ANSWER = "Input.", "Answer."


class MechanicalTurkFormat(ToolFormat):
    """Batch_…_batch_results.csv of comparisons: inputs name both systems, and one answer says who won.

    The fixed columns are those of real headers; what requesters put into Input and Answer was not tried on a real file.
    """

    name: ClassVar[str] = "mechanical-turk"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "Mechanical Turk's batch results (.csv): HITId, WorkerId, Input.model_a …, Answer.choice"
    surest: ClassVar[float] = 0.9

    @property
    def uses(self) -> frozenset[str]:
        """The inputs with both systems and the item, and the answer, can be named."""
        return super().uses | {"left", "right", "item", "outcome"}

    def claims(self, file: PlacedFile) -> bool:
        """Check the header for the columns of every batch."""
        return file.path.suffix.lower() == ".csv" and {*file.first_row()} >= _KEYS

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every assignment that was not rejected as one judgment."""
        del places
        where = files[0].name
        every = [row for file in files for row in csv_rows(file)]
        kept = [row for row in every if row["AssignmentStatus"] != "Rejected"]
        answers = [dict(_answers(row)) for row in kept]
        if not any(answers):
            raise EvidenceError("holds no answers", where=where, remedy="Check whether anything was annotated.")
        inputs = [
            {name.removeprefix(_INPUT): text for name, text in row.items() if name.startswith(_INPUT)} for row in kept
        ]
        try:
            question = question_of([pair for row in answers for pair in row.items()], options, where)
            sides, item = Sides.of(inputs, where, options), item_of(inputs, options.item, where)
        except EvidenceError as error:
            # Where columns are named, a table of judgments is read, unless the format is named too.
            remedy = f"{error.remedy} Add {spelling.option('format', self.name)}.".lstrip()
            raise EvidenceError(error.what, where=error.where, allowed=error.allowed, remedy=remedy) from None
        rows, silent = GrowingColumns(), 0
        for row, known, said in zip(kept, inputs, answers, strict=True):
            if question not in said:
                silent += 1
                continue
            left, right = sides(known, f"{where}, assignment {row['AssignmentId']}")
            name = known[item] if item else row["HITId"]
            rows.add(left=left, right=right, outcome=said[question], judge=row["WorkerId"], item=name)
        reasons = {"the assignment was rejected": len(every) - len(kept), "the question was not answered": silent}
        findings = [
            kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=number, why=why)
            for why, number in reasons.items()
            if number
        ]
        used = {**sides.used, "outcome": question, "item": item or "HITId", "judge": "WorkerId"}
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=("further columns",))

    def example(self, folder: Path) -> Any:
        """Write three assignments of two workers."""
        said = [("1", "ann", "A", "owl", "yak"), ("2", "ann", "tie", "yak", "elk"), ("1", "bob", "B", "owl", "yak")]
        head = [
            "HITId",
            "AssignmentId",
            "WorkerId",
            "AssignmentStatus",
            "Input.model_a",
            "Input.model_b",
            "Answer.choice",
        ]
        lines = [[hit, f"{hit}{worker}", worker, "Approved", a, b, choice] for hit, worker, choice, a, b in said]
        with (folder / "Batch_1_batch_results.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([head, *lines])
        return folder / "Batch_1_batch_results.csv"


def _answers(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield questions and answers of a row; radio buttons are a column each, of which one is true."""
    for name, text in row.items():
        question, dot, choice = name.removeprefix(_ANSWER).rpartition(".")
        if not name.startswith(_ANSWER) or not text.strip():
            continue
        if dot and text.lower() in {"true", "false"}:
            if text.lower() == "true":
                yield question, choice
        else:
            yield name.removeprefix(_ANSWER), text


FORMAT = MechanicalTurkFormat()
