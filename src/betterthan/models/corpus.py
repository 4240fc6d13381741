"""Corpus: the score of the whole test set by a corpus-level metric."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, ModelError
from betterthan.datasets import ItemParts
from betterthan.models.base import Fit, ModelBase, register_model
from betterthan.models.direct.scores import missing_scores
from betterthan.models.refitting import Refitting


@register_model
@dataclass(frozen=True, kw_only=True)
class Corpus(ModelBase):
    """The metric of the whole test set: corpus BLEU, chrF, WER, F1, ROC AUC.

    Assumes nothing beyond the metric. Consumes scores that `betterthan score` made, which say what each item adds to
    the score of the whole test set; the score is in the metric's unit. It has no likelihood.

    Koehn (2004), Statistical significance tests for machine translation evaluation, EMNLP.
    """

    name: ClassVar[str] = "corpus"
    score: ClassVar[str] = "corpus"

    accepts = ("scores",)
    consumes = (ItemParts,)

    def fit(self, scores: ItemParts) -> Fit:
        """Compute the metric of every system."""
        strength = _strengths(scores, np.ones((len(scores.parts), 1)))[:, 0]
        lacking = [name for name, value in zip(scores.systems, strength, strict=True) if np.isnan(value)]
        if lacking:
            raise ModelError(
                f"the {scores.metric.name} of {lacking[0]!r} is not defined on these items",
                remedy="Check its outputs, or leave the system out.",
            )
        single = scores.there.sum(axis=0) < 2
        return Fit.plain(
            scores.systems,
            strength,
            open_low=single,
            open_high=single,
            lower_is_better=scores.lower_is_better,
            findings=missing_scores(scores.parts[..., 0], scores.systems),
        )

    def refitter(self, fit: Fit, scores: ItemParts) -> Refitting:
        """Compute the metric again over resampled items."""
        return _CorpusRefitting(fit, scores)


class _CorpusRefitting(Refitting):
    """Computes the metric over resampled items; a system for which it is not defined stays where it was."""

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Compute the metric of items that occur so often (items × resamples)."""
        del rng
        strength = _strengths(self.statistic, resampled)
        lost = np.isnan(strength)
        return np.where(lost, self.fit.strength[:, None], strength), int(np.sum(np.any(lost, axis=0)))


def _strengths(scores: ItemParts, times: FloatArray) -> FloatArray:
    return -scores.whole(times) if scores.lower_is_better else scores.whole(times)
