"""Intervals of agreement coefficients: a smoothed Bayesian bootstrap of units.

Every unit gets a random weight from the exponential distribution. A few pseudo-units that agree or disagree are drawn
too, with the total weight of one and a half units (Jeffreys' prior where there are two categories). So perfect
agreement and rare labels have honest intervals. Ends are taken on the scale log(1 − coefficient), and are moved away
from the median by Student's t for few units.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.inference.tests import tails

#: Weights of the pseudo-units: of all that agree, together, and of the one that disagrees.
_AGREEING, _DISAGREEING = 1.0, 0.5
_DRAWS, _FEWEST_DRAWS = 2000, 200
#: Weights drawn for one interval, multiplications for one interval, and numbers held at once.
_DRAWN, _WORK, _HELD = 20_000_000, 2_000_000_000, 4_000_000


@dataclass(frozen=True)
class Contributions:
    """What units and pseudo-units add to the sums that a coefficient is a function of.

    `agreeing` has a row per category that occurs, `disagreeing` is one row, both of the size of a mean unit.
    `coefficient` turns sums (draws × numbers) into values. No value is below `lowest`, none above 1. `effective` is the
    mean number of units by which one part of the coefficient is known, where that is not all of them.
    """

    units: FloatArray
    agreeing: FloatArray
    disagreeing: FloatArray
    coefficient: Callable[[FloatArray], FloatArray]
    lowest: float = -1.0
    effective: float | None = None

    def grouped(self, group: IntArray) -> "Contributions":
        """Return the contributions of groups of units."""
        groups, place = np.unique(group, return_inverse=True)
        sums = [np.bincount(place.ravel(), weights=column) for column in self.units.T]
        larger = len(self.units) / len(groups)
        return Contributions(
            np.stack(sums, axis=1),
            self.agreeing * larger,
            self.disagreeing * larger,
            self.coefficient,
            self.lowest,
        )


def disagreeing_pairs(margin: FloatArray) -> FloatArray:
    """Return how likely two ratings are if they are drawn by chance until they differ (categories × categories)."""
    share = margin / margin.sum()
    pairs: FloatArray = np.outer(share, share)
    np.fill_diagonal(pairs, 0.0)
    pairs /= pairs.sum()
    return pairs


def interval_of(given: Contributions, confidence: float, seed: int) -> tuple[float, float] | None:
    """Return the ends of a coefficient's interval, None with fewer than two units."""
    number = len(given.units)
    if number < 2:
        return None
    rows, times = _merged(given.units)
    rows = np.concatenate([rows, given.agreeing, given.disagreeing[None]])
    agreeing = np.full(len(given.agreeing), _AGREEING / len(given.agreeing))
    shape = np.concatenate([times, agreeing, [_DISAGREEING]])
    affordable = min(_DRAWN // len(rows), _WORK // rows.size)
    draws = int(np.clip(affordable, _FEWEST_DRAWS, _DRAWS))
    batch = max(_HELD // max(rows.shape), 1)
    rng = np.random.default_rng(seed)
    found = []
    for start in range(0, draws, batch):
        weights = rng.standard_gamma(shape, (min(batch, draws - start), len(shape)))
        weights *= number / weights.sum(axis=1, keepdims=True)
        found.append(given.coefficient(weights @ rows))
    # Rounding may put perfect agreement a little above 1.
    loss = np.log(np.maximum(1 - np.concatenate(found), 1e-12))
    loss = loss[np.isfinite(loss)]
    if len(loss) < draws / 2:
        return None
    tail = (1 - confidence) / 2
    least, middle, most = np.quantile(loss, [tail, 0.5, 1 - tail])
    size = max(number if given.effective is None else given.effective, 2.0)
    wider = tails.t_quantile(1 - tail, size - 1) / tails.t_quantile(1 - tail, np.inf) * np.sqrt(size / (size - 1))
    reach = np.log(1 - given.lowest)
    low = 1 - np.exp(min(middle + wider * (most - middle), reach))
    high = 1 - np.exp(middle - wider * (middle - least))
    return float(low), float(high)


def around(value: float | None, ends: tuple[float, float]) -> tuple[float, float] | None:
    """Return an interval that includes the estimate, None where there is no estimate."""
    return None if value is None else (min(ends[0], value), max(ends[1], value))


def _merged(parts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Merge equal rows in a deterministic order: rows, and their counts."""
    # One random number per row is as good as the row, and sorted much faster.
    mix: FloatArray = np.random.default_rng(0).random(size=(parts.shape[1],))
    key = np.zeros(len(parts))
    for column, factor in zip(
        parts.T, mix.tolist(), strict=True
    ):  # not a matrix product, whose rounding depends on the place
        key += factor * column
    _, place, times = np.unique(np.round(key, 9), return_inverse=True, return_counts=True)
    means = [np.bincount(place.ravel(), weights=column) / times for column in parts.T]
    return np.stack(means, axis=1), times.astype(np.float64)
