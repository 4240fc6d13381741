"""Shrinkage of strengths toward their mean: where they may lie if judgments decided which pairs came next.

A policy that asks about pairs that look close stops asking about systems that were lucky or unlucky at first, so that
estimates are too far apart. The likelihood does not depend on how pairs were chosen, and neither does a posterior.
"""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray
from betterthan.models import Fit
from betterthan.uncertainty.draws import Draws, covariance

#: Standard deviations between systems that are considered, and the largest in units of what the strengths show.
_GRID, _LARGEST = 200, 3.0
#: The spread of fewer systems says nothing about the spread of systems.
_FEWEST = 3


@dataclass(frozen=True)
class Shrinkage:
    """Strengths drawn from the posterior (draws × systems), and the share of the spread that shrinkage takes away."""

    strength: FloatArray
    share: float


def shrunk(fit: Fit, draws: Draws, level: float) -> Shrinkage | None:
    """Draw strengths from their posterior if systems are normal around their mean, None with too few systems.

    The standard deviation between systems has a flat prior (Gelman 2006, Bayesian Analysis 1). Take a direction in
    which errors are uncorrelated, an estimate z with variance v, and systems with variance t. With f = t / (t + v) the
    posterior has mean f·z and variance f·v, so that deviations of draws are scaled by √f.
    """
    placed = fit.placed
    size = int(placed.sum())
    if size < _FEWEST:
        return None
    drawn = draws.for_intervals(fit.strength, level)
    centre = fit.strength[placed]
    away = drawn[:, placed] - centre
    variance, axes = _uncorrelated(covariance((away / draws.stretch[:, None]).T))
    estimate = centre @ axes
    between, weight = _posterior_of_spread(estimate, variance)
    factor = between[:, None] / (between[:, None] + variance)
    # Draws are in random order: the first get the smallest spread between systems.
    place = np.searchsorted(np.cumsum(weight[:-1]), (np.arange(len(away)) + 0.5) / len(away))
    strength = drawn.copy()
    strength[:, placed] = centre.mean() + (factor[place] * estimate + np.sqrt(factor[place]) * (away @ axes)) @ axes.T
    mean, spread = np.linalg.norm(estimate * (weight @ factor)), np.linalg.norm(estimate)
    return Shrinkage(strength, 1 - float(mean / spread) if spread > 0 else 0.0)


def _uncorrelated(errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return directions of differences between systems in which errors are uncorrelated, and their variances."""
    size = len(errors)
    mean = np.full((size, size), 1 / size)
    contrasts = np.eye(size) - mean
    # The mean of all strengths says nothing: it gets the smallest value, and is left out.
    variance, axes = np.linalg.eigh(contrasts @ errors @ contrasts - mean)
    return np.maximum(variance[1:], 1e-12), axes[:, 1:]


def _posterior_of_spread(estimate: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return variances between systems, and the posterior probability of each."""
    largest = _LARGEST * np.sqrt(max(np.mean(estimate**2), np.mean(variance)))
    between = (largest * np.arange(1, _GRID + 1) / _GRID) ** 2
    total = between[:, None] + variance
    likelihood = -0.5 * np.sum(np.log(total) + estimate**2 / total, axis=1)
    weight = np.exp(likelihood - likelihood.max())
    return between, weight / weight.sum()
