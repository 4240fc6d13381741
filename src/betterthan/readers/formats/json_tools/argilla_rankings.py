"""Rankings collected in Argilla 2: ranking questions that order two or more responses."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import normal
from betterthan.readers.formats.json_tools.argilla import ArgillaAnswer, ArgillaRecords
from betterthan.readers.tool_parts.compared_systems import item_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence

_NAMING = ("model", "system")
#: What is ranked where it is no system's name: response_a, answer-2.
_TEXT = re.compile(r"(response|answer|output|completion|generation|text|option|candidate|reply)_?(.+)")


class ArgillaRankingsFormat(ArgillaRecords):
    """A ranking question: values in order, the best first; metadata such as model_a name the system of response_a."""

    name: ClassVar[str] = "argilla-rankings"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "Argilla's records with a ranking question: responses in order, the best first"

    @property
    def uses(self) -> frozenset[str]:
        """The question can be named."""
        return super().uses | {"rank"}

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every submitted answer as a ranking."""
        del places
        answers, findings = self.answers(files)
        question = _question(answers, options, files[0].name)
        answers = [answer for answer in answers if answer.question == question]
        item = item_of([answer.data for answer in answers], options.item, files[0].name)
        rows = GrowingColumns()
        for number, answer in enumerate(answers, 1):
            entries = [(_system(value, answer), rank) for value, rank in _ranked(answer)]
            rows.add(
                ranking=str(number),
                system=[system for system, _ in entries],
                rank=[rank for _, rank in entries],
                item=answer.record if item is None else answer.data.get(item),
                judge=answer.user,
            )
        used = {"rank": question, "system": "metadata, or the ranked value", "item": item or "id", "judge": "user_id"}
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=self.others(files, question))

    def example(self, folder: Path) -> Any:
        """Write two rankings of three responses, whose systems metadata name."""
        systems = [("owl", "yak", "elk"), ("yak", "elk", "owl")]
        records = [
            {
                "id": f"r{number}",
                "fields": {"prompt": f"question {number}"},
                "suggestions": {},
                "vectors": {},
                "metadata": dict(zip(("model_1", "model_2", "model_3"), order, strict=True)),
                "status": "completed",
                "responses": {"rank": [{"value": ["response_2", "response_1", "response_3"], "user_id": "ann"}]},
            }
            for number, order in enumerate(systems)
        ]
        (folder / "records.json").write_text(json.dumps(records))
        return folder / "records.json"


def _question(answers: Sequence[ArgillaAnswer], options: ReadOptions, where: str) -> str:
    asked = list(dict.fromkeys(answer.question for answer in answers))
    if options.rank:
        if options.rank not in asked:
            raise EvidenceError(f"there is no ranking question {options.rank!r}", where=where, allowed=", ".join(asked))
        return options.rank
    if len(asked) > 1:
        raise EvidenceError(
            f"there are several questions with lists of values: {', '.join(asked)}",
            where=where,
            remedy=f"Name the one that ranks systems with {spelling.option('rank', asked[0])}.",
        )
    return asked[0]


def _ranked(answer: ArgillaAnswer) -> list[tuple[str, float]]:
    """Return values with their ranks: the place in a list, or as the entry says."""
    entries = [
        (str(each["value"]), float(each["rank"])) if isinstance(each, Mapping) else (str(each), float(place))
        for place, each in enumerate(answer.value, 1)
    ]
    if len(entries) < 2 or len({value for value, _ in entries}) < len(entries):
        raise EvidenceError(
            f"the answer to {answer.question!r} ranks {', '.join(value for value, _ in entries) or 'nothing'}",
            where=answer.where,
            remedy="A ranking needs at least two values, each once.",
        )
    return entries


def _system(value: str, answer: ArgillaAnswer) -> str:
    """Return the system behind a ranked value: response_a is that of model_a; a value may be a name itself."""
    folded = {normal(key): key for key in answer.data}
    text = _TEXT.fullmatch(normal(value))
    parts = [normal(value), *([text[2]] if text else [])]
    for part in parts:
        for stem in _NAMING:
            for key in (f"{stem}_{part}", f"{part}_{stem}"):
                if (found := folded.get(normal(key))) is not None and answer.data[found]:
                    return str(answer.data[found])
    if text is not None or normal(value) in folded:
        raise EvidenceError(
            f"cannot tell which system {value!r} is of; the record has {', '.join(map(repr, answer.data))}",
            where=answer.where,
            remedy=f"Add metadata such as model_{parts[-1]} to the records.",
        )
    return value


FORMAT = ArgillaRankingsFormat()
