"""Decision values and texts, original and altered, to test the sensitivity of scores."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_lowercase
from typing import Any

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, silent
from betterthan.datasets import PairCounts, data_sets
from betterthan.evidence import Outputs, ReadOutputs
from betterthan.metrics import Metric, build_metric
from betterthan.options import ScoreOptions
from betterthan.readers import read_outputs, read_scores
from betterthan.uncertainty import ranks_and_clusters
from betterthan.verbs.score import measure
from betterthan.verbs.study.decision_columns import decision_columns

#: The ranking by comparisons of pairs.
BT = "bradley-terry"
#: The truth that systems vote for, where there is no column of truths.
MAJORITY = "majority"
#: Metrics of texts: the score of the whole test set, and of single items for comparisons.
TEXT_METRICS = ("chrf", "edit-distance", "wer")
#: Probabilities of some libraries exceed 1 by so much.
_ROUNDING = 1e-4


@dataclass(frozen=True)
class Predictions:
    """Predicted labels of every item with confidence: decision values between 0 and 1 for every label.

    `truth` and `said` are places of labels, `values` items × systems × labels. A system without decision values has a
    confidence of 1.
    """

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    truth: IntArray
    said: IntArray
    values: FloatArray

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.truth)

    def binarised(self) -> "Predictions":
        """Set every confidence to 1."""
        return replace(self, values=np.eye(len(self.labels))[self.said])

    def penalised(self) -> "Predictions":
        """Set the confidence of every wrong answer to 1."""
        wrong = (self.said != self.truth[:, None])[..., None]
        return replace(self, values=np.where(wrong, np.eye(len(self.labels))[self.said], self.values))

    def beside(self, other: "Predictions") -> "Predictions":
        """Return both as one, the systems of the other one after these."""
        return replace(
            self,
            systems=(*self.systems, *(f"{name} altered" for name in other.systems)),
            said=np.concatenate([self.said, other.said], axis=1),
            values=np.concatenate([self.values, other.values], axis=1),
        )

    def of_truth(self) -> FloatArray:
        """Return the decision value of the true label (items × systems), which says who is closer to the truth."""
        return np.take_along_axis(self.values, self.truth[:, None, None], axis=2)[..., 0]

    def scores(self, weights: FloatArray | None = None) -> dict[str, FloatArray]:
        """Return global scores, higher is better (systems × samples); the mean absolute error with its sign reversed.

        `weights` are how often every item is in every sample; without them there is one, of all items.
        """
        weights = np.ones((self.items, 1)) if weights is None else weights
        f1, auc = build_metric("f1"), build_metric("roc-auc")
        true = self.truth[:, None] == np.arange(len(self.labels))
        sought = range(1, 2) if len(self.labels) == 2 else range(len(self.labels))
        areas = [
            np.mean(
                [
                    auc.whole(np.stack([self.values[:, place, label], true[:, label]], axis=1), weights)
                    for label in sought
                    if 0 < true[:, label].sum() < self.items
                ],
                axis=0,
            )
            for place in range(len(self.systems))
        ]
        each = [np.stack([said, self.truth], axis=1).astype(float) for said in self.said.T]
        total = weights.sum(axis=0)
        return {
            "accuracy": (self.said == self.truth[:, None]).T @ weights / total,
            "f1": np.array([f1.whole(parts, weights) for parts in each]),
            "auc": np.array(areas),
            "mae": -((1 - self.of_truth()).T @ weights) / total,
        }

    def closeness(self) -> dict[str, FloatArray]:
        """Return who is closer to the truth on every item (items × systems), for comparisons of pairs."""
        return {BT: self.of_truth()}


@dataclass(frozen=True)
class Texts:
    """Outputs that are texts, with references."""

    outputs: Outputs

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.outputs.systems

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.outputs.items)

    def lengthened(self, share: float, length: int, rng: np.random.Generator) -> "Texts":
        """Append random letters and spaces to a share of every system's outputs."""
        number = max(1, round(share * self.items))
        chosen = [set(rng.choice(self.items, size=number, replace=False).tolist()) for _ in self.systems]
        letters = np.array([*ascii_lowercase, *"     "])  # words of about five letters

        def altered(item: int, system: int, samples: tuple[str, ...]) -> tuple[str, ...]:
            if item not in chosen[system]:
                return samples
            return tuple(f"{text} {''.join(rng.choice(letters, size=length))}" for text in samples)

        cells = [
            tuple(altered(item, system, samples) for system, samples in enumerate(row))
            for item, row in enumerate(self.outputs.cells)
        ]
        return Texts(replace(self.outputs, cells=cells))

    def beside(self, other: "Texts") -> "Texts":
        """Return both as one, the systems of the other one after these."""
        systems = (*self.systems, *(f"{name} altered" for name in other.systems))
        rows = zip(self.outputs.cells, other.outputs.cells, strict=True)
        return Texts(replace(self.outputs, systems=systems, cells=[(*one, *two) for one, two in rows]))

    def scores(self, weights: FloatArray | None = None) -> dict[str, FloatArray]:
        """Return the score of the whole test set by every metric, higher is better (systems × samples)."""
        weights = np.ones((self.items, 1)) if weights is None else weights
        return {
            name: sign * _whole(metric, scores, parts, weights)
            for name, (metric, sign, scores, parts) in self._measured.items()
        }

    def closeness(self) -> dict[str, FloatArray]:
        """Return the scores of single items by every metric, for comparisons of pairs."""
        return {f"{BT}, {name}": sign * scores for name, (_, sign, scores, _) in self._measured.items()}

    @cached_property
    def _measured(self) -> dict[str, tuple[Metric, float, FloatArray, FloatArray | None]]:
        found = {}
        for name in TEXT_METRICS:
            metric = build_metric(name)
            scores = measure(self.outputs, name, metric, lower=metric.lower_is_better, progress=silent)
            found[name] = (metric, -1.0 if metric.lower_is_better else 1.0, scores.scores, scores.parts)
        return found


def _whole(metric: Metric, scores: FloatArray, parts: FloatArray | None, weights: FloatArray) -> FloatArray:
    """Return the scores of all systems on samples of items (systems × samples)."""
    if metric.has_whole and parts is not None:
        return np.array([metric.whole(parts[:, system], weights) for system in range(scores.shape[1])])
    mean: FloatArray = scores.T @ weights / weights.sum(axis=0)
    return mean


def compared(closeness: FloatArray) -> PairCounts:
    """Compare all pairs on every item (items × systems): who is closer to the truth wins, equal ones tie."""
    columns = {f"s{place:04d}": closeness[:, place].tolist() for place in range(closeness.shape[1])}
    return data_sets(read_scores(columns)).only("a comparison").pairs(units=False)


def ranks_by_score(scores: FloatArray) -> IntArray:
    """Rank systems by a global score, 1 the best; what differs by rounding only is equal."""
    return ranks_and_clusters.ranks_of(scores, np.zeros(len(scores), dtype=bool), 1e-12)


def average_precision(relevant: BoolArray, ranks: IntArray) -> float:
    """Return the average precision of a ranking; systems of equal rank are retrieved together.

    >>> average_precision(np.array([True, False, True]), np.array([1, 2, 3]))
    0.8333333333333333
    """
    found = 0.0
    for rank in np.unique(ranks):
        gained = np.sum(relevant & (ranks == rank)) / np.sum(relevant)
        found += float(gained * np.mean(relevant[ranks <= rank]))
    return found


def expected_precision(relevant: int, size: int) -> float:
    """Return the expected average precision of a random order without ties.

    At rank k, (k − 1)(R − 1)/(N − 1) of the other relevant ones are expected above a relevant one.

    >>> round(expected_precision(5, 10), 3), round(expected_precision(9, 18), 3)
    (0.607, 0.573)
    """
    return sum((1 + (rank - 1) * (relevant - 1) / max(size - 1, 1)) / rank for rank in range(1, size + 1)) / size


@dataclass(frozen=True)
class Loaded:
    """The input of a study of outputs: predictions or texts, a digest, and the number of incomplete items."""

    evidence: Predictions | Texts
    digest: str
    incomplete: int


def load_predictions(source: Any, truth: str, labels: str, named: str) -> Loaded:
    """Read predictions: a column of truths, one of labels, and one of decision values per label.

    Of two labels one decision value is enough, that of the second one. Where there is no column of labels, systems say
    the label with the highest decision value. By majority the truth of an item is the label that most systems say;
    items without a single one are left out.
    """
    said, values = decision_columns(source, labels, named)
    if said is None:
        return _load_values(source, truth, values)
    read = _column(source, said, truth)
    columns = [_column(source, name, truth) for name in values]
    systems, given = read.sets[0].systems, read.sets[0]
    kept = [place for place, row in enumerate(given.cells) if all(len(samples) == 1 for samples in row)]
    _refuse_too_few(systems, kept)
    if truth == MAJORITY:
        voted = {place: _majority([samples[0] for samples in given.cells[place]]) for place in kept}
        kept = [place for place in kept if voted[place] is not None]
        _refuse_too_few(systems, kept)
    else:
        voted = {place: given.references[place][0] for place in kept}
    names = _in_order({str(voted[place]) for place in kept} | {one[0] for p in kept for one in given.cells[p]})
    if len(names) < 2:
        raise EvidenceError(
            f"all items have the label {names[0]!r}, and all systems say it", remedy="Give items of two labels or more."
        )
    _refuse_other_number(names, values)
    code = {name: place for place, name in enumerate(names)}
    answers = np.array([[code[samples[0]] for samples in given.cells[place]] for place in kept])
    decided = np.eye(len(names))[answers]
    for place, column in enumerate(columns):
        _fill(decided, column.sets[0], [given.items[at] for at in kept], systems, place + len(names) - len(columns))
    if len(columns) == 1:
        decided[..., 0] = 1 - decided[..., 1]
    true = np.array([code[str(voted[place])] for place in kept])
    predictions = Predictions(systems, names, true, answers, decided)
    return Loaded(predictions, _digest([read, *columns]), len(given.cells) - len(kept))


def _load_values(source: Any, truth: str, values: Sequence[str]) -> Loaded:
    """Read predictions without labels: systems say what has the highest value, the second of two labels from 0.5 on."""
    if truth == MAJORITY:
        raise EvidenceError(
            "systems vote for the truth by their labels, and there is no column of them",
            remedy="Name it in the study: labels=pred.",
        )
    columns = [_column(source, name, truth) for name in values]
    given, systems = columns[0].sets[0], columns[0].sets[0].systems
    kept = [place for place, row in enumerate(given.cells) if all(len(samples) == 1 for samples in row)]
    _refuse_too_few(systems, kept)
    names = _in_order({given.references[place][0] for place in kept})
    if len(names) < 2:
        raise EvidenceError(f"all items have the label {names[0]!r}", remedy="Give items of two labels or more.")
    _refuse_other_number(names, values)
    decided = np.zeros((len(kept), len(systems), len(names)))
    for place, column in enumerate(columns):
        _fill(decided, column.sets[0], [given.items[at] for at in kept], systems, place + len(names) - len(columns))
    if len(columns) == 1:
        decided[..., 0] = 1 - decided[..., 1]
    # Of equal values the last counts: a chance of one half says the second of two labels.
    answers = len(names) - 1 - np.argmax(decided[..., ::-1], axis=2)
    true = np.array([names.index(given.references[place][0]) for place in kept])
    predictions = Predictions(systems, names, true, answers, decided)
    return Loaded(predictions, _digest(columns), len(given.cells) - len(kept))


def _refuse_other_number(names: Sequence[str], values: Sequence[str]) -> None:
    if values and len(values) not in {len(names), *({1} if len(names) == 2 else ())}:
        raise EvidenceError(
            f"there are {len(names)} labels ({', '.join(names[:10])}) and {len(values)} columns of decision values",
            remedy="Name one column per label, in the order of labels; of two labels the second one's is enough.",
        )


def _digest(read: Sequence[ReadOutputs]) -> str:
    every = "+".join(each.digest for each in read)
    return hashlib.sha256(every.encode()).hexdigest()[: len(read[0].digest)]


def _refuse_too_few(systems: Sequence[Any], items: Sequence[int]) -> None:
    if len(systems) < 2 or len(items) < 2:
        raise EvidenceError(
            f"there are {len(systems)} systems to compare, and {len(items)} items with one answer of each",
            remedy="Two systems and two such items are the least.",
        )


def _majority(labels: Sequence[str]) -> str | None:
    """Return the label that most systems say, None where two are equally frequent."""
    (first, most), *others = Counter(labels).most_common(2)
    return None if others and others[0][1] == most else first


def _column(source: Any, name: str, truth: str) -> ReadOutputs:
    voted = truth == MAJORITY
    options = ScoreOptions(metric=("accuracy",), reference=None if voted else truth, outputs=name)
    read = read_outputs(source, options, compared=not voted)
    if len(read.sets) > 1:
        raise EvidenceError("there are several data sets", remedy="Give one of them.")
    return read


def _in_order(labels: set[str]) -> tuple[str, ...]:
    """Return labels by number where they are numbers, else by name."""
    try:
        return tuple(sorted(labels, key=float))
    except ValueError:
        return tuple(sorted(labels))


def _fill(decided: FloatArray, given: Outputs, items: Sequence[str], systems: Sequence[str], label: int) -> None:
    """Enter the decision values of one label, for the systems that have any."""
    row = {item: place for place, item in enumerate(given.items)}
    for place, system in enumerate(systems):
        if system not in given.systems:
            continue
        at = given.systems.index(system)
        for number, item in enumerate(items):
            samples = given.cells[row[item]][at] if item in row else ()
            decided[number, place, label] = _value(samples, system, item)


def _value(samples: tuple[str, ...], system: str, item: str) -> float:
    where, remedy = f"{system!r} on item {item!r}", "Decision values are numbers between 0 and 1."
    if len(samples) != 1:
        raise EvidenceError("a decision value is missing, though this system has others", where=where, remedy=remedy)
    try:
        value = float(samples[0])
    except ValueError:
        value = np.nan
    if not -_ROUNDING <= value <= 1 + _ROUNDING:
        raise EvidenceError(f"a decision value is {samples[0]!r}", where=where, remedy=remedy)
    return min(max(value, 0.0), 1.0)


def load_texts(source: Any, outputs: str, reference: str, expert: str) -> Loaded:
    """Read texts; references are a column, or the outputs of one of the systems."""
    options = ScoreOptions(metric=("chrf",), reference=reference or None, outputs=outputs)
    read = read_outputs(source, options, compared=not expert)
    given = read.sets[0]
    if len(read.sets) > 1:
        raise EvidenceError("there are several data sets", remedy="Give one of them.")
    kept = [place for place, row in enumerate(given.cells) if all(len(samples) == 1 for samples in row)]
    references = [given.references[place] for place in kept]
    systems = list(range(len(given.systems)))
    if expert:
        if expert not in given.systems:
            raise EvidenceError(f"there is no system {expert!r}", remedy=f"There are: {', '.join(given.systems[:20])}.")
        at = given.systems.index(expert)
        references = [given.cells[place][at] for place in kept]
        systems.remove(at)
    _refuse_too_few(systems, kept)
    cells = [tuple(given.cells[place][system] for system in systems) for place in kept]
    part = Outputs(
        given.title,
        tuple(given.items[place] for place in kept),
        tuple(given.systems[place] for place in systems),
        cells,
        references,
    )
    return Loaded(Texts(part), read.digest, len(given.cells) - len(kept))


def simulated(models: int, items: int, rng: np.random.Generator) -> Predictions:
    """Simulate a task of two labels: systems differ in skill and in confidence, and every third says 0 or 1 only."""
    truth = rng.integers(2, size=items)
    skill, sharp = np.linspace(1.6, 0.8, models), np.exp(rng.normal(0.3, 0.6, models))
    hard = rng.normal(size=(items, 1))
    seen = skill * (2 * truth[:, None] - 1) + hard + rng.normal(size=(items, models))
    positive = 1 / (1 + np.exp(-sharp * seen))
    positive[:, 2::3] = np.round(positive[:, 2::3])
    values = np.stack([1 - positive, positive], axis=2)
    names = tuple(f"model {place + 1}" for place in range(models))
    return Predictions(names, ("0", "1"), truth, (positive > 0.5).astype(np.int64), values)
