"""The base class of metrics, and their registry."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, Registry


@dataclass(frozen=True)
class Measured:
    """One score per output, and the contributions of outputs to a corpus-level score where it is not the mean."""

    scores: FloatArray
    parts: FloatArray | None = None  # outputs × numbers


@dataclass(frozen=True)
class Influence:
    """How far each item moves the score of a whole test set: the squares of `items` add up to its variance.

    Items come in kinds, such as positive and negative ones: `kind` says which of `kinds` an item is. Few items of a
    kind may vary less than others would, so one item of every kind is added: half right, half wrong. `smoothed` is
    the score with these, `added` is how far each of them moves it, and `chance` the standard deviation it adds to a
    difference of two systems.
    """

    smoothed: float
    items: FloatArray
    kind: IntArray
    kinds: FloatArray
    added: FloatArray
    chance: FloatArray


class WrongOutputError(ValueError):
    """An output or a reference that a metric cannot measure, with the reason."""

    def __init__(self, place: int, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.place = place
        self.what = what
        self.remedy = remedy


class Metric(ABC):
    """A metric with its options, frozen in the constructor.

    `per_second` says how many outputs one core measures in a second, roughly, so that slow ones are shared out; those
    that must see all outputs at once take no time. `samples` says that it takes all samples of a system on an item
    together, as a JSON list. `references` says that it compares with any; `nested` that one of these may be a JSON
    list itself. `bounds` are those of the score of a whole test set. If that score is not the mean over items,
    `item_score` says what the score of a single item is, and `by_item` that it is a score of the same metric. Without
    such scores, items cannot be averaged or compared one by one; `instead` names a metric that can. `swappable` says
    that outputs of two systems are on one scale, so that they can be swapped.
    """

    name: ClassVar[str]
    per_second: ClassVar[float] = 200_000
    samples: ClassVar[bool] = False
    references: ClassVar[bool] = True
    nested: ClassVar[bool] = False
    item_score: ClassVar[str] = ""
    by_item: ClassVar[bool] = True
    instead: ClassVar[str] = ""
    swappable: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = None
    lower_is_better: bool = False

    @abstractmethod
    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Measure outputs, each against its references."""

    def of_system(self, measured: Measured) -> Measured:
        """Finish the scores of one system, where those of single items depend on all of them."""
        return measured

    def whole(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the score of a whole test set from parts (items × numbers), one for every column of weights.

        A weight says how often an item occurs. The score is NaN where it is not defined.
        """
        raise PlanError(f"the {self.name} of a whole test set is the mean of its scores", remedy="Use the model mean.")

    def influence(self, parts: FloatArray) -> Influence | None:
        """Return how far items move the score of a whole test set, None where resamples say it well enough."""
        del parts
        return None

    @property
    def has_whole(self) -> bool:
        """Whether the corpus-level score differs from the mean of the scores."""
        return type(self).whole is not Metric.whole

    def signature(self, references: str) -> str:
        """Return the version and settings beyond name and options; `references` is their number, or var."""
        del references
        return ""


#: `per_second` of metrics that must see all outputs at once.
TOGETHER = inf


class ByItem(Metric):
    """A metric that is computed output by output."""

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Measure one by one."""
        scores = np.empty(len(outputs))
        for place, (output, against) in enumerate(zip(outputs, references, strict=True)):
            try:
                scores[place] = self.score(output, against)
            except WrongOutputError as error:
                raise WrongOutputError(place, error.what, error.remedy) from None
        return Measured(scores)

    @abstractmethod
    def score(self, output: str, references: Sequence[str]) -> float:
        """Measure one output."""


class FromSums(Metric):
    """A corpus-level metric that is a function of sums over items."""

    def whole(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        """Add up what the items have, and compute the score from it."""
        return self.statistic(parts.T @ weights)

    @abstractmethod
    def statistic(self, sums: FloatArray) -> FloatArray:
        """Return the score from sums, one for every column."""


_METRICS = Registry("metric", "betterthan.metrics", "betterthan.metrics")
register_metric = _METRICS.register

#: Names that the literature writes differently from `name(option=value)`.
_SHORT: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"rouge-?([12lL])"), lambda found: f"rouge(of={found[1].lower()})"),
    (re.compile(r"chrf\+\+", re.IGNORECASE), lambda found: "chrf(words=2)"),
    (re.compile(r"pass@(\d+)"), lambda found: f"pass-at(k={found[1]})"),
    (re.compile(r"pass\^(\d+)"), lambda found: f"pass-all(k={found[1]})"),
    (re.compile(r"(ndcg|recall|ap)@(\d+)", re.IGNORECASE), lambda found: f"{found[1].lower()}(k={found[2]})"),
)
#: What people may call a metric that has another name here.
_CALLED = {
    "em": "exact-match",
    "mae": "absolute-error",
    "mse": "squared-error",
    "auc": "roc-auc",
    "map": "ap",
    "mrr": "rr",
    "levenshtein": "edit-distance",
    "rouge": "rouge-l",
    "chrf2": "chrf",
    "sacrebleu": "bleu",
    "macro-f1": "f1",
}


def known_metrics() -> tuple[str, ...]:
    """Return the names of all metrics."""
    return _METRICS.names()


def build_metric(text: str) -> Metric:
    """Make a metric from `name`, `name(option=value, …)`, `module:function` or the path of a program.

    >>> build_metric("rouge-l").lower_is_better, build_metric("wer").lower_is_better
    (False, True)
    """
    text = text.strip()
    if re.fullmatch(r"[\w.]+:[\w.]+", text):
        return import_module("betterthan.metrics.own.function").FunctionMetric(text)  # type: ignore[no-any-return]
    if "/" in text.partition("(")[0]:
        return import_module("betterthan.metrics.own.program").ProgramMetric(text)  # type: ignore[no-any-return]
    name = text.partition("(")[0].strip().lower()
    if name in _CALLED and name not in known_metrics():
        raise PlanError(f"unknown metric {text!r}", remedy=f"Did you mean {_CALLED[name]!r}?")
    for pattern, full in _SHORT:
        if found := pattern.fullmatch(text):
            text = full(found)
    try:
        made: Metric = _METRICS.make(text)
    except ValueError as error:
        raise PlanError(str(error)) from None
    return made
