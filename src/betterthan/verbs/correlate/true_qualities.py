"""Correlations between the true qualities of systems: what mean scores over ever more items would give.

Mean scores are qualities with noise, so their correlation is too low (attenuation, Spearman 1904). The noise is known
from how scores vary over items: it is subtracted from the variances and the covariance of the means. That corrects
Pearson's correlation. For measures of ranks, qualities are drawn given the means and these moments, as if they were
normal (empirical Bayes).

Intervals join two bootstraps over items: of the corrected measure, and of the observed one. The first alone relies on
normal qualities, and the second alone is biased by noise; in simulations with either fault both together hold.
"""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.findings import kinds
from betterthan.inference import Estimate, tails
from betterthan.verbs.correlate.metric_correlation import OF_SYSTEMS, TwoMetrics, of_means

#: The share of resamples that may leave systems indistinguishable.
_INDISTINGUISHABLE = kinds.scores.INDISTINGUISHABLE.thresholds["share"]
#: Numbers held at once.
_HELD = 4_000_000


@dataclass(frozen=True)
class NoisyMeans:
    """Scores by two metrics, and what every item adds to the noise of the systems' mean scores.

    `errors` are those contributions by both metrics, centred over systems as the means are (items × systems, twice).
    """

    two: TwoMetrics
    errors: tuple[FloatArray, FloatArray]

    @classmethod
    def of(cls, two: TwoMetrics) -> "NoisyMeans":
        """Measure noise by how far scores are from their system's mean."""
        items, number = len(two.one), two.there.sum(axis=0)
        errors = []
        for values in (two.one, two.other):
            residual = np.nan_to_num(values - np.nansum(values, axis=0) / number) / number
            errors.append((residual - residual.mean(axis=1, keepdims=True)) * np.sqrt(items / (items - 1)))
        return cls(two, (errors[0], errors[1]))

    def resampled(self, weights: FloatArray) -> FloatArray:
        """Return both metrics' means of every system, and their three moments without noise, by resample."""
        systems = self.two.one.shape[1]
        means = self.two.means(weights)
        moments = []
        for first, second in ((0, 0), (1, 1), (0, 1)):
            one, other = (means[metric] - means[metric].mean(axis=0) for metric in (first, second))
            # An item that is drawn twice has the same noise twice.
            noise = np.sum(self.errors[first] * self.errors[second], axis=1) @ weights**2
            moments.append((np.sum(one * other, axis=0) - noise) / (systems - 1))
        return np.concatenate([*means, moments])

    def qualities(self, resampled: FloatArray) -> "TrueQualities":
        """Return the qualities from resamples, of which the first has all items once."""
        systems = self.two.one.shape[1]
        both = np.concatenate(self.errors, axis=1)
        one, other, moments = np.split(resampled, [systems, 2 * systems])
        return TrueQualities(one, other, moments, both.T @ both, len(self.two.one))


@dataclass(frozen=True)
class TrueQualities:
    """Moments of systems' true qualities by two metrics, of the scores and of every resample of items.

    `one` and `other` are the systems' mean scores in every resample (systems × resamples). `moments` are the variances
    by both metrics and the covariance, without noise (3 × resamples). Their first columns are of the scores themselves.
    `noise` is the covariance of both metrics' means, which are centred over systems.
    """

    one: FloatArray
    other: FloatArray
    moments: FloatArray
    noise: FloatArray
    items: int

    def determined(self, metric: int) -> bool:
        """Whether the systems differ by the first (0) or second (1) metric in nearly all resamples."""
        spread = self.moments[metric]
        least = 1e-12 * float(np.mean((self.one, self.other)[metric][:, 0] ** 2))
        return bool(spread[0] > least and np.mean(~(spread[1:] > least)) <= _INDISTINGUISHABLE)

    def estimates(self, level: float, rng: np.random.Generator) -> dict[str, Estimate]:
        """Return every measure of systems with its interval; empty where the systems are indistinguishable."""
        if not (self.determined(0) and self.determined(1)):
            return dict.fromkeys(OF_SYSTEMS, Estimate(None, None, None))
        known = np.flatnonzero((self.moments[0, 1:] > 0) & (self.moments[1, 1:] > 0)) + 1
        pearson = self._pearson()
        drawn = self._drawn(known, pearson, rng)
        found = {}
        for measure in OF_SYSTEMS:
            corrected = pearson[known] if measure == "pearson" else of_means(measure, *drawn)
            value = pearson[0] if measure == "pearson" else np.quantile(corrected, 0.5, method="nearest")
            observed = of_means(measure, self.one[:, 1:], self.other[:, 1:])
            found[measure] = self._estimate(float(value), [corrected, observed], level)
        return found

    def _pearson(self) -> FloatArray:
        """Return the corrected correlation of every resample; noise may take it beyond what is possible."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found: FloatArray = self.moments[2] / np.sqrt(self.moments[0] * self.moments[1])
        return np.clip(found, -1.0, 1.0)

    def _estimate(self, value: float, draws: list[FloatArray], level: float) -> Estimate:
        """Join percentile intervals, whose tails are those of Student's t for few items."""
        reach = tails.t_quantile((1 + level) / 2, self.items - 1) * np.sqrt(self.items / (self.items - 1))
        tail = float(scipy.special.ndtr(-reach))
        ends = [np.quantile(each[~np.isnan(each)], [tail, 1 - tail], method="nearest") for each in draws]
        low, high = min(float(each[0]) for each in ends), max(float(each[1]) for each in ends)
        return Estimate(value, min(low, value), max(high, value))

    def _drawn(self, known: IntArray, pearson: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw qualities given the mean scores, one time for the moments of each resample (systems × resamples)."""
        systems = len(self.one)
        # An orthonormal basis of what differs between systems.
        basis = scipy.linalg.null_space(np.ones((1, systems)))
        size = systems - 1
        both = scipy.linalg.block_diag(basis, basis)
        noise = both.T @ self.noise @ both
        # Scores that do not vary over items have no noise, which no matrix can be divided by.
        noise += 1e-9 * (np.trace(noise) / len(noise) + float(np.mean(self.moments[:2, 0]))) * np.eye(len(noise))
        root = np.linalg.cholesky(noise)
        means = both.T @ np.concatenate([self.one[:, 0], self.other[:, 0]])
        drawn = []
        step = max(1, _HELD // (2 * size) ** 2)
        for start in range(0, len(known), step):
            some = known[start : start + step]
            one, other = np.sqrt(self.moments[:2, some])
            r = pearson[some]
            first, second = rng.normal(size=(2, len(some), size))
            prior = np.concatenate(
                [one[:, None] * first, other[:, None] * (r[:, None] * first + np.sqrt(1 - r**2)[:, None] * second)],
                axis=1,
            )
            spread = np.stack([np.stack([one**2, r * one * other]), np.stack([r * one * other, other**2])])
            covariance = np.einsum("abn,ij->naibj", spread, np.eye(size)).reshape(len(some), 2 * size, 2 * size)
            # A draw of qualities and of means is moved by what the means are in fact (Matheron's rule).
            apart = means - prior - rng.normal(size=prior.shape) @ root.T
            moved = np.linalg.solve(covariance + noise, apart[:, :, None])
            drawn.append(prior + (covariance @ moved)[:, :, 0])
        qualities = np.concatenate(drawn) @ both.T
        return qualities[:, :systems].T, qualities[:, systems:].T
