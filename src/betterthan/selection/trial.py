"""One split: every model is fitted to training, tuned on development, and measured on judgments it never saw."""

from dataclasses import dataclass, replace

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.models.base import Model
from betterthan.models.ordered.order import InOrder
from betterthan.options.select import TuneBy
from betterthan.parallel import one_blas_thread
from betterthan.selection import prediction
from betterthan.selection.candidates import Candidate
from betterthan.selection.measures import FLOOR, measure, most_probable, reliability
from betterthan.selection.pieces import Part, Pieces
from betterthan.selection.references import references
from betterthan.selection.splits import Split


@dataclass(frozen=True)
class Score:
    """The measures of one model or reference in one split, and what was tuned for them.

    `radius` is None where the model has chances of its own; `surprised` is the share of judgments whose chance was
    below the floor.
    """

    measures: dict[str, float]
    bins: FloatArray
    surprised: float
    alternative: str = ""
    radius: float | None = None
    accuracy_radius: float | None = None
    converged: bool = True


@dataclass(frozen=True)
class Trial:
    """The scores of one split by training size and name; numbers of judgments, and systems that training lacked."""

    scores: tuple[dict[str, Score], ...]
    training: tuple[float, ...]
    pool: float
    tested: float
    absent: tuple[int, ...]


@dataclass(frozen=True)
class Contest:
    """Everything that splits share: `Contest(...)(split)` is one piece of work."""

    pieces: Pieces
    candidates: tuple[Candidate, ...]
    sizes: tuple[int | None, ...]
    tune_by: TuneBy

    def __call__(self, split: Split) -> Trial:
        """Carry out one split."""
        dev, test = (self.pieces.counts(self.pieces.part(units)) for units in (split.dev, split.test))
        parts = [self.pieces.part(split.train, size) for size in self.sizes]
        with one_blas_thread():
            scores = tuple(self._scores(part, dev, test) for part in parts)
        judgments = self.pieces.per_unit
        return Trial(
            scores,
            tuple(float(part.times.sum()) for part in parts),
            float(judgments[split.train].sum()),
            float(judgments[split.test].sum()),
            tuple(self._absent(part, split) for part in parts),
        )

    def _scores(self, part: Part, dev: FloatArray, test: FloatArray) -> dict[str, Score]:
        """Score all models, then the references, after training on a part."""
        found = {}
        for candidate in self.candidates:
            tuned = [self._predict(text, model, part, dev) for text, model in candidate.alternatives]
            best = min(tuned, key=lambda each: each.loss(dev, self.tune_by))
            found[candidate.text] = best.score(test)
        for name, chances in references(self.pieces.counts(part), test).items():
            found[name] = _score(test, chances, most_probable(chances))
        return found

    def _predict(self, text: str, model: Model, part: Part, dev: FloatArray) -> "Forecast":
        """Fit a model, and tune what turns its strengths into predictions."""
        if isinstance(model, InOrder) and model.order != "average":
            model = replace(model, shuffles=2)  # type: ignore[type-var]  # more of them only report on the order
        fit = prediction.for_all(model.fit(self.pieces.statistic(model, part)), self.pieces.systems)
        first, second = self.pieces.pairs
        gap = prediction.gaps(fit.strength, first, second)
        chances, radius = prediction.own_chances(model, fit, first, second), None
        if chances is None:
            cut = prediction.tune(gap, dev)
            chances, radius = cut.chances(gap), cut.radius
        within = prediction.tune_accuracy(gap, dev)
        return Forecast(text, chances, prediction.outcomes(gap, within), radius, within, converged=fit.converged)

    def _absent(self, part: Part, split: Split) -> int:
        """Count systems that are to be predicted and were not seen in training."""
        tally = self.pieces.tally
        seen, wanted = (
            np.union1d(tally.left[rows], tally.right[rows]) for rows in (part.rows, self.pieces.part(split.test).rows)
        )
        return len(np.setdiff1d(wanted, seen))


@dataclass(frozen=True)
class Forecast:
    """What a tuned model predicts of every pair (3 × pairs): chances, and one outcome."""

    text: str
    chances: FloatArray
    outcomes: FloatArray
    radius: float | None
    accuracy_radius: float
    converged: bool

    def loss(self, dev: FloatArray, tune_by: TuneBy) -> float:
        """Return what is to be as little as possible on development judgments."""
        measured = measure(dev, self.chances, self.outcomes)
        return -measured["accuracy"] if tune_by == "accuracy" else measured["log_loss"]

    def score(self, test: FloatArray) -> Score:
        """Measure it on what it never saw."""
        score = _score(test, self.chances, self.outcomes)
        return replace(
            score, alternative=self.text, radius=self.radius, accuracy_radius=self.accuracy_radius,
            converged=self.converged,
        )  # fmt: skip


def _score(test: FloatArray, chances: FloatArray, outcomes: FloatArray) -> Score:
    surprised = float(np.sum(test[chances < FLOOR]) / np.sum(test))
    return Score(measure(test, chances, outcomes), reliability(test, chances), surprised)
