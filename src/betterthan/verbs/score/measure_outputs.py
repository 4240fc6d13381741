"""Apply metrics to outputs, slow ones in parallel."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, Progress, parallel
from betterthan.evidence import Outputs
from betterthan.metrics import FromSums, Measured, Metric, WrongOutputError, build_metric

#: Seconds of work that one core is given at a time; less than twice that is not worth starting others.
_SECONDS = 2.0


@dataclass(frozen=True)
class ItemScores:
    """Scores of one metric on one data set: items × systems, NaN where there is none.

    `parts` (items × systems × numbers) are what items add to the score of the whole test set, where that is not their
    mean; `whole` are those scores, else the means.
    """

    title: str
    metric: str
    lower_is_better: bool
    items: tuple[str, ...]
    systems: tuple[str, ...]
    scores: FloatArray
    whole: FloatArray
    parts: FloatArray | None
    groups: tuple[str, ...] | None
    computed: str  # the metric's own signature


@dataclass(frozen=True)
class _Task:
    metric: str
    outputs: Sequence[str]
    references: Sequence[tuple[str, ...]]


def measure(outputs: Outputs, text: str, metric: Metric, *, lower: bool, progress: Progress) -> ItemScores:
    """Measure all outputs of a data set by one metric."""
    against = [_references(metric, given) for given in outputs.references]
    row, column, texts = _flat(outputs, metric)
    found = _measured(text, metric, texts, [against[place] for place in row], (outputs, row, column), progress)
    shape = (len(outputs.items), len(outputs.systems))
    cell = np.array(row) * shape[1] + np.array(column)
    times = np.bincount(cell, minlength=shape[0] * shape[1])
    keep_parts = found.parts is not None and (times.max() == 1 or isinstance(metric, FromSums))
    parts = _arranged(found.parts, cell, times, shape) if keep_parts and found.parts is not None else None
    scores = np.empty(shape)
    wholes = np.empty(shape[1])
    arranged = _arranged(found.scores[:, None], cell, times, shape)[..., 0]
    for system in range(shape[1]):
        there = times.reshape(shape)[:, system] > 0
        own = metric.of_system(Measured(arranged[there, system], None if parts is None else parts[there, system]))
        scores[:, system] = np.nan
        scores[there, system] = own.scores
        known = own.scores[~np.isnan(own.scores)]
        wholes[system] = known.mean() if len(known) else np.nan
        if own.parts is not None and metric.has_whole:
            wholes[system] = metric.whole(own.parts, np.ones((len(own.parts), 1)))[0]
    numbers = {len(given) for given in against}
    computed = metric.signature(str(numbers.pop()) if len(numbers) == 1 else "var")
    return ItemScores(
        outputs.title, text, lower, outputs.items, outputs.systems, scores, wholes, parts, outputs.groups, computed
    )


def _flat(outputs: Outputs, metric: Metric) -> tuple[list[int], list[int], list[str]]:
    """Return every output to be measured with the places of its item and system, item by item."""
    flat = [
        (place, system, text)
        for place, cells in enumerate(outputs.cells)
        for system, samples in enumerate(cells)
        for text in ([_together(samples)] if metric.samples and samples else samples)
    ]
    row, column, texts = (list(part) for part in zip(*flat, strict=True))
    return row, column, texts


def _together(samples: tuple[str, ...]) -> str:
    """Return all samples of a system on an item as a JSON list, which a single cell may be already."""
    return samples[0] if len(samples) == 1 and _listed(samples[0]) is not None else json.dumps(samples)


def _references(metric: Metric, given: tuple[str, ...]) -> tuple[str, ...]:
    """Take a reference that is a JSON list for several references."""
    if metric.nested:
        return given
    return tuple(text for each in given for text in (_listed(each) or [each]))


def _listed(text: str) -> list[str] | None:
    """Return the texts or numbers of a JSON list, None for what is none."""
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    plain = isinstance(found, list) and found and all(isinstance(each, (str, int, float)) for each in found)
    return [each if isinstance(each, str) else json.dumps(each) for each in found] if plain else None


def _measured(  # noqa: PLR0917 (what is measured, and where it stands)
    text: str,
    metric: Metric,
    texts: Sequence[str],
    against: Sequence[tuple[str, ...]],
    where: tuple[Outputs, Sequence[int], Sequence[int]],
    progress: Progress,
) -> Measured:
    """Measure in one go, or in pieces on all cores where it takes long."""
    size = int(min(metric.per_second * _SECONDS, len(texts)))
    pieces = range(0, len(texts), size) if len(texts) > 2 * size else [0]
    size = size if len(pieces) > 1 else len(texts)
    tasks = [_Task(text, texts[start : start + size], against[start : start + size]) for start in pieces]
    try:
        found = parallel.each(_work, tasks, progress) if len(tasks) > 1 else [metric.measure(texts, against)]
    except _PieceError as error:
        raise _refusal(text, error.first, error.error, size, tasks, where) from None
    except WrongOutputError as error:
        raise _refusal(text, tasks[0], error, size, tasks, where) from None
    parts = [piece.parts for piece in found if piece.parts is not None]
    scores = np.concatenate([piece.scores for piece in found])
    return Measured(scores, np.concatenate(parts) if parts else None)


class _PieceError(Exception):
    """A wrong output in one piece of the work."""

    def __init__(self, first: _Task, error: WrongOutputError) -> None:
        super().__init__(first, error)
        self.first = first
        self.error = error


def _work(task: _Task) -> Measured:
    try:
        return build_metric(task.metric).measure(task.outputs, task.references)
    except WrongOutputError as error:
        raise _PieceError(task, error) from None


def _refusal(  # noqa: PLR0917
    text: str, task: _Task, error: WrongOutputError, size: int, tasks: Sequence[_Task], where: Any
) -> EvidenceError:
    outputs, row, column = where
    piece = next(place for place, each in enumerate(tasks) if each.outputs == task.outputs)
    place = piece * size + error.place
    item, system = outputs.items[row[place]], outputs.systems[column[place]]
    return EvidenceError(error.what, where=f"{text} of {system!r} on item {item!r}", remedy=error.remedy)


def _arranged(values: FloatArray, cell: Any, times: Any, shape: tuple[int, int]) -> FloatArray:
    """Arrange what was measured as items × systems × numbers; of several samples, the mean of those that are known."""
    known = ~np.isnan(values)
    total = np.zeros((len(times), values.shape[1]))
    number = np.zeros_like(total)
    np.add.at(total, cell, np.where(known, values, 0.0))
    np.add.at(number, cell, known)
    mean = np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0)
    return mean.reshape(*shape, -1)
