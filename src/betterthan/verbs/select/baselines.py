"""Baselines for model selection: no information, observed frequencies, and the best possible prediction."""

import numpy as np

from betterthan.base import FloatArray

CONSTANT, FREQUENCIES, BOUND = "constant", "pair frequencies", "upper bound"
#: One half for each of the three outcomes, spread over them as the constant has them.
_SMOOTHING = 1.5


def references(training: FloatArray, held_out: FloatArray) -> dict[str, FloatArray]:
    """Return the chances of every reference (3 × pairs), from counts of training and of what is predicted."""
    constant = _constant(training)
    return {
        CONSTANT: constant,
        FREQUENCIES: (training + _SMOOTHING * constant) / (training.sum(axis=0) + _SMOOTHING),
        BOUND: held_out / np.maximum(held_out.sum(axis=0), np.finfo(float).tiny),
    }


def _constant(training: FloatArray) -> FloatArray:
    """Return the same chances for all pairs: ties as often as in training, and both sides alike."""
    tie = float(training[1].sum() / training.sum())
    chances = np.array([(1 - tie) / 2, tie, (1 - tie) / 2])
    return np.repeat(chances[:, None], training.shape[1], axis=1)
