"""Corrected mean: the average of people's labels, with a judge's scores of all items."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, ModelError, spelling
from betterthan.datasets import GoldMatrix
from betterthan.findings import Finding, kinds, marked
from betterthan.models.base import Fit, ModelBase, register_model
from betterthan.models.direct.counts import share
from betterthan.models.direct.gold_regression import GoldRegression
from betterthan.models.refitting import Refitting


@register_model
@dataclass(frozen=True, kw_only=True)
class CorrectedMean(ModelBase):
    """The mean of people's labels over all items, of which a judge has scored all and people have labelled some.

    Assumes that the labelled items are a random sample of all, or that their probabilities are known; nothing about the
    judge. Consumes scores with labels (`gold`); the score is in the labels' unit. It has no likelihood.

    Angelopoulos, Duchi & Zrnic (2023), PPI++: efficient prediction-powered inference.
    """

    name: ClassVar[str] = "corrected-mean"
    score: ClassVar[str] = "mean"

    accepts = ("scores",)
    consumes = (GoldMatrix,)

    def fit(self, scores: GoldMatrix) -> Fit:
        """Predict the labels of all items, and correct the means of predictions by the labels."""
        lacking = marked(scores.systems, scores.labels < kinds.gold.FEW_LABELS.thresholds["least"])
        if lacking:
            raise ModelError(
                f"{lacking[0]!r} has {scores.labels[scores.systems.index(lacking[0])]} labels by people, too few to "
                "correct its scores",
                remedy=f"Label more items, or leave it out with {spelling.option('exclude', lacking[0])}.",
            )
        found = GoldRegression.of(scores)
        return Fit.plain(
            scores.systems,
            found.mean,
            lower_is_better=scores.lower_is_better,
            findings=_findings(scores, found),
        )

    def refitter(self, fit: Fit, scores: GoldMatrix) -> "GoldRefitting":
        """Move the means by the influences of resampled items."""
        return GoldRefitting(fit, scores)


@dataclass(frozen=True, eq=False)
class GoldRefitting(Refitting):
    """Moves the means by what resampled items add to them, to first order."""

    statistic: GoldMatrix

    @cached_property
    def found(self) -> GoldRegression:
        """The regression of the labels."""
        return GoldRegression.of(self.statistic)

    def prepare(self) -> None:
        """Fit the regression."""
        _ = self.found.influences

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Add up what items add that occur so often (items × resamples)."""
        del rng
        influences = self.found.influences
        moved = share(influences.parts.T @ resampled, influences.sizes.T @ resampled)
        return influences.mean[:, None] + moved, 0


def _findings(scores: GoldMatrix, found: GoldRegression) -> tuple[Finding, ...]:
    """Say how many labels there are and what they change, and warn where they are few or not a random sample."""
    findings = [
        kinds.gold.CORRECTED.found(
            labels=int(scores.labels.sum()), scores=int(np.sum(~np.isnan(scores.judged))), items=_items(scores)
        )
    ]
    if scores.unused:
        findings.append(kinds.gold.LABELS_UNMATCHED.found(unused=scores.unused))
    few = scores.labels < kinds.gold.FEW_LABELS.thresholds["enough"]
    if np.any(few):
        findings.append(
            kinds.gold.FEW_LABELS.found(systems=marked(scores.systems, few), labels=int(scores.labels.min()))
        )
    place = int(np.argmax(found.mean))
    best, usual = scores.systems[place], scores.systems[int(np.argmax(found.by_judge))]
    if found.by_judge[place] < np.max(found.by_judge) - 1e-12:
        findings.append(kinds.gold.OTHER_LEADER.found(judge=usual, corrected=best))
    if (gap := _selection(scores)) is not None:
        findings.append(kinds.gold.LABELS_SELECTED.found(gap=gap))
    return tuple(findings)


def _items(scores: GoldMatrix) -> int:
    """Return how many items have a label."""
    return int(np.sum(np.any(scores.labelled, axis=1)))


def _selection(scores: GoldMatrix) -> float | None:
    """Return by how many standard deviations the judge scored labelled items higher, None where chance explains it.

    Weighted labels make up for it, and are compared with their weights.
    """
    labelled = np.any(scores.labelled, axis=1)
    weight = np.where(scores.labelled, scores.weight, 0.0).max(axis=1)
    there = ~np.isnan(scores.judged)
    item = np.where(there, scores.judged, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    known = there.any(axis=1)
    number = len(np.unique(scores.units.factors[0][labelled])) if scores.units.factors else int(labelled.sum())
    spread = float(np.std(item[known]))
    if spread == 0.0 or np.all(labelled[known]) or number < 2:
        return None
    gap = (float(np.average(item[labelled], weights=weight[labelled])) - float(item[known].mean())) / spread
    left = 1 - labelled[known].mean()
    error = np.sqrt(left / number)
    return gap if abs(gap) > kinds.gold.LABELS_SELECTED.thresholds["errors"] * error else None
