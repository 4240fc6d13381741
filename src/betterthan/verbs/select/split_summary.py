"""Summaries over splits: every model at every training size, and pairwise differences."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from betterthan.base import FloatArray
from betterthan.inference import Estimate, adjusted
from betterthan.verbs.select.baselines import BOUND, CONSTANT, FREQUENCIES
from betterthan.verbs.select.corrected_intervals import difference, estimate
from betterthan.verbs.select.prediction_scores import BINS, MEASURES, WITHIN
from betterthan.verbs.select.selection_result import COMPARED, Bin, Row, Versus
from betterthan.verbs.select.trial import Trial

_ROLES = {CONSTANT: "baseline", FREQUENCIES: "baseline", BOUND: "bound"}


@dataclass(frozen=True)
class Summary:
    """All splits, their models, and the level of intervals."""

    trials: tuple[Trial, ...]
    models: tuple[str, ...]
    level: float

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of judgments trained on, means over splits."""
        means = np.mean([trial.training for trial in self.trials], axis=0)
        return tuple(round(mean) for mean in means.tolist())

    @property
    def tested(self) -> float:
        """Number of judgments tested on, the mean over splits."""
        return float(np.mean([trial.tested for trial in self.trials]))

    @property
    def ratio(self) -> float:
        """Judgments tested on to judgments left for training.

        To those left, not to those taken: what splits have in common does not grow when less of the rest is used.
        """
        return self.tested / float(np.mean([trial.pool for trial in self.trials]))

    def rows(self) -> tuple[Row, ...]:
        """Return models, then references, at every training size."""
        names = (*self.models, *_ROLES)
        return tuple(self._row(name, place) for place in range(len(self.sizes)) for name in names)

    def _row(self, name: str, place: int) -> Row:
        scores = [trial.scores[place][name] for trial in self.trials]
        taken = Counter(score.alternative for score in scores if score.alternative)
        return Row(
            model=name,
            role=_ROLES.get(name, "model"),
            size=self.sizes[place],
            measures={
                each: estimate(self._values(name, each, place), self.ratio, self.level, WITHIN[each])
                for each in MEASURES
            },
            radius=_median([score.radius for score in scores]),
            accuracy_radius=_median([score.accuracy_radius for score in scores]),
            taken=dict(taken.most_common()),
            bins=_bins(np.sum([score.bins for score in scores], axis=0)),
        )

    def versus(self) -> tuple[Versus, ...]:
        """Compare any two models at the largest size, p corrected over the pairs of models."""
        found: list[Versus] = []
        pairs = list(combinations(self.models, 2))
        for measure in COMPARED:
            tests = [self.difference(a, b, measure) for a, b in pairs]
            corrected = adjusted(np.array([p for _, p in tests]), "holm").tolist()
            found += [
                Versus(a, b, measure, gap, p, p_adjusted)
                for (a, b), (gap, p), p_adjusted in zip(pairs, tests, corrected, strict=True)
            ]
        return tuple(found)

    def difference(self, a: str, b: str, measure: str) -> tuple[Estimate, float]:
        """Return how much the measure of `a` exceeds that of `b` at the largest size, and the p of no difference."""
        return difference(self._values(a, measure), self._values(b, measure), self.ratio, self.level)

    def _values(self, name: str, measure: str, place: int = -1) -> FloatArray:
        return np.array([trial.scores[place][name].measures[measure] for trial in self.trials])


def _bins(sums: FloatArray) -> tuple[Bin, ...]:
    return tuple(
        Bin(place / BINS, promised / number, came_true / number, number)
        for place, (promised, came_true, number) in enumerate(sums.T.tolist())
        if number > 0
    )


def _median(found: list[float | None]) -> float | None:
    given = [value for value in found if value is not None]
    return float(np.median(given)) if given else None
