"""One split: models are fitted on training, tuned on development, and evaluated on test judgments."""

from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import FloatArray, parallel
from betterthan.models import InOrder, Model
from betterthan.verbs.select import tuned_predictions as prediction
from betterthan.verbs.select.baselines import references
from betterthan.verbs.select.candidates import CandidateModel
from betterthan.verbs.select.divisible_evidence import EvidencePart, Pieces
from betterthan.verbs.select.prediction_scores import FLOOR, measure, most_probable, reliability
from betterthan.verbs.select.unit_splits import Split


@dataclass(frozen=True)
class Score:
    """The measures of one model or reference in one split, and its tuned parameters.

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
    """The scores of one split by training size and name, counts of judgments, and systems absent from training."""

    scores: tuple[dict[str, Score], ...]
    training: tuple[float, ...]
    pool: float
    tested: float
    absent: tuple[int, ...]


@dataclass(frozen=True)
class Contest:
    """The data shared by all splits: `Contest(...)(split)` is one piece of work."""

    pieces: Pieces
    candidates: tuple[CandidateModel, ...]
    sizes: tuple[int | None, ...]
    tune_by: str

    def __call__(self, split: Split) -> Trial:
        """Carry out one split."""
        dev, test = (self.pieces.counts(self.pieces.part(units)) for units in (split.dev, split.test))
        parts = [self.pieces.part(split.train, size) for size in self.sizes]
        with parallel.one_blas_thread():
            scores = tuple(self._scores(part, dev, test) for part in parts)
        judgments = self.pieces.per_unit
        return Trial(
            scores,
            tuple(float(part.times.sum()) for part in parts),
            float(judgments[split.train].sum()),
            float(judgments[split.test].sum()),
            tuple(self._absent(part, split) for part in parts),
        )

    def _scores(self, part: EvidencePart, dev: FloatArray, test: FloatArray) -> dict[str, Score]:
        """Score all models, then the references, after training on a part."""
        found = {}
        for candidate in self.candidates:
            tuned = [self._predict(text, model, part, dev) for text, model in candidate.alternatives]
            best = min(tuned, key=lambda each: each.loss(dev, self.tune_by))
            found[candidate.text] = best.score(test)
        for name, chances in references(self.pieces.counts(part), test).items():
            found[name] = _score(test, chances, most_probable(chances))
        return found

    def _predict(self, text: str, model: Model, part: EvidencePart, dev: FloatArray) -> "ModelForecast":
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
        return ModelForecast(text, chances, prediction.outcomes(gap, within), radius, within, converged=fit.converged)

    def _absent(self, part: EvidencePart, split: Split) -> int:
        """Count systems that are to be predicted and were not seen in training."""
        tally = self.pieces.tally
        seen, wanted = (
            np.union1d(tally.left[rows], tally.right[rows]) for rows in (part.rows, self.pieces.part(split.test).rows)
        )
        return len(np.setdiff1d(wanted, seen))


@dataclass(frozen=True)
class ModelForecast:
    """The predictions of a tuned model for every pair (3 × pairs): probabilities, and one outcome."""

    text: str
    chances: FloatArray
    outcomes: FloatArray
    radius: float | None
    accuracy_radius: float
    converged: bool

    def loss(self, dev: FloatArray, tune_by: str) -> float:
        """Return the loss on development judgments."""
        measured = measure(dev, self.chances, self.outcomes)
        return -measured["accuracy"] if tune_by == "accuracy" else measured["log_loss"]

    def score(self, test: FloatArray) -> Score:
        """Measure it on what it never saw."""
        score = _score(test, self.chances, self.outcomes)
        return replace(
            score,
            alternative=self.text,
            radius=self.radius,
            accuracy_radius=self.accuracy_radius,
            converged=self.converged,
        )


def _score(test: FloatArray, chances: FloatArray, outcomes: FloatArray) -> Score:
    surprised = float(np.sum(test[chances < FLOOR]) / np.sum(test))
    return Score(measure(test, chances, outcomes), reliability(test, chances), surprised)
