"""Corpus: the score of the whole test set."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.errors import ModelError
from betterthan.models.base import Fit, ModelBase, Refit, register
from betterthan.models.direct.scores import missing_scores
from betterthan.reduce.parts import ItemParts


@register
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
            scores.systems, strength, open_low=single, open_high=single, lower_is_better=scores.lower_is_better,
            findings=missing_scores(scores.parts[..., 0], scores.systems),
        )  # fmt: skip

    def refitter(self, fit: Fit, scores: ItemParts) -> Refit:
        """Compute the metric again over resampled items; a system for which it is not defined stays where it was."""

        def refit(times: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            del rng
            strength = _strengths(scores, times)
            lost = np.isnan(strength)
            return np.where(lost, fit.strength[:, None], strength), int(np.sum(np.any(lost, axis=0)))

        return refit


def _strengths(scores: ItemParts, times: FloatArray) -> FloatArray:
    return -scores.whole(times) if scores.lower_is_better else scores.whole(times)
