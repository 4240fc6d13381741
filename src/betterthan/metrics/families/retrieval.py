"""Metrics of ranked documents, by trec_eval."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from betterthan.base import optional_library
from betterthan.metrics.base import Measured, Metric, WrongOutputError

_RANKED = 'Give documents in order, ["d7", "d2"], or their scores, {"d7": 12.5, "d2": 9.1}.'
_RELEVANT = 'Give the relevant documents, ["d2"], or grades, {"d2": 2, "d9": 1}.'


class OfRankedDocuments(Metric):
    """A measure of trec_eval: outputs are ranked documents of a query, references say which are relevant."""

    per_second: ClassVar[float] = 20_000
    nested: ClassVar[bool] = True

    @property
    def measured(self) -> str:
        """The name in trec_eval."""
        raise NotImplementedError

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Score every query with trec_eval."""
        evaluator = optional_library("pytrec_eval", "retrieval", f"the metric {self.name}").RelevanceEvaluator
        runs, relevant = {}, {}
        for place, (output, given) in enumerate(zip(outputs, references, strict=True)):
            try:
                runs[str(place)] = _scored(output)
                relevant[str(place)] = _grades(given)
            except WrongOutputError as error:
                raise WrongOutputError(place, error.what, error.remedy) from None
        found = evaluator(relevant, {self.measured}).evaluate({query: run for query, run in runs.items() if run})
        key = self.measured.replace(".", "_")
        # A system that returns nothing for a query has found nothing.
        return Measured(np.array([found[query][key] if query in found else 0.0 for query in runs]))


def _scored(output: str) -> dict[str, float]:
    """Read ranked documents as scores, more is earlier."""
    given = _read(output, "output", _RANKED)
    if isinstance(given, Mapping):
        scores = {str(name): _number(score) for name, score in given.items()}
        if not all(map(isfinite, scores.values())):
            raise WrongOutputError(0, "the score of a document is not a finite number", _RANKED)
        return scores
    names = [str(name) for name in given]
    if len(set(names)) < len(names):
        raise WrongOutputError(0, "a document is ranked twice", _RANKED)
    return {name: float(len(names) - place) for place, name in enumerate(names)}


def _grades(references: Sequence[str]) -> dict[str, int]:
    """Read which documents are relevant, and how much."""
    grades: dict[str, int] = {}
    for text in references:
        given = _read(text, "reference", _RELEVANT)
        found = given if isinstance(given, Mapping) else dict.fromkeys(map(str, given), 1)
        for name, grade in found.items():
            if _number(grade) != round(_number(grade)):
                raise WrongOutputError(0, f"the grade {grade!r} of a document is not a whole number", _RELEVANT)
            grades[str(name)] = int(grade)
    if not any(grade > 0 for grade in grades.values()):
        raise WrongOutputError(0, "no document is relevant", "Leave such queries out.")
    return grades


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("inf")


def _read(text: str, what: str, remedy: str) -> Any:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, (list, Mapping)):
        raise WrongOutputError(0, f"the {what} is no list or object of documents", remedy)
    return given
