"""Scores of predicted outcome probabilities."""

import numpy as np
from scipy import special

from betterthan.base import FloatArray
from betterthan.findings import kinds

#: Chances below this count as this in the log loss: one surprise must not decide about a model.
FLOOR = kinds.selecting.SURPRISED.thresholds["floor"]
#: Equal-width bins of chances for calibration.
BINS = 10
#: Names of the measures, and whether more is better.
WITHIN = {
    "accuracy": (0.0, 1.0),
    "perplexity": (1.0, np.inf),
    "log_loss": (0.0, np.inf),
    "brier": (0.0, 2.0),
    "calibration_error": (0.0, 1.0),
}
MEASURES = {"accuracy": True, "perplexity": False, "log_loss": False, "brier": False, "calibration_error": False}


def measure(counts: FloatArray, chances: FloatArray, predicted: FloatArray) -> dict[str, float]:
    """Measure chances and predicted outcomes on what came about (each 3 × pairs)."""
    total = float(counts.sum())
    log_loss = -float(np.sum(special.xlogy(counts, np.maximum(chances, FLOOR)))) / total
    others = counts.sum(axis=0) - counts
    return {
        "accuracy": float(np.sum(counts * predicted)) / total,
        "perplexity": float(np.exp(log_loss)),  # 2 to the mean of −log2 is e to the mean of −log
        "log_loss": log_loss,
        "brier": float(np.sum(counts * (1 - chances) ** 2 + others * chances**2)) / total,
        "calibration_error": calibration_error(reliability(counts, chances)),
    }


def reliability(counts: FloatArray, chances: FloatArray) -> FloatArray:
    """Return per bin the sum of chances, how often they came true, and their number (3 × bins).

    Every judgment has three chances, one for each outcome.
    """
    number = np.broadcast_to(counts.sum(axis=0), counts.shape).ravel()
    place = np.minimum((BINS * chances).astype(int), BINS - 1).ravel()
    rows = (number * chances.ravel(), counts.ravel(), number)
    return np.stack([np.bincount(place, row, BINS) for row in rows])


def calibration_error(bins: FloatArray) -> float:
    """Return the expected calibration error: how far bins are from what they promise, on average over chances."""
    promised, came_true, number = bins
    return float(np.sum(np.abs(promised - came_true)) / np.sum(number))


def most_probable(chances: FloatArray) -> FloatArray:
    """Return the most probable outcome as a one among zeros (3 × pairs); outcomes equally probable share it."""
    best = (chances == chances.max(axis=0)).astype(float)
    shared: FloatArray = best / best.sum(axis=0)
    return shared
