"""Decisions about all pairs that hold however often results are read while judgments come in."""

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import PairCounts
from betterthan.inference import adjusted, sequential
from betterthan.models import Fit
from betterthan.uncertainty.decisions import Decisions, decisions_from


def decide_anytime(fit: Fit, counts: PairCounts, level: float) -> Decisions:
    """Compare all pairs of systems by their own judgments, at any number of looks and for any choice of pairs.

    Each pair is decided by the bets of `inference/tests/sequential.py`, by each of two crossed units where both are
    counted, with Holm's correction for all pairs of systems. Pairs that never met stay open. So do pairs whose own
    judgments contradict the order of the strengths: a board cannot show a system below another that it is better than.
    """
    first, second = np.triu_indices(counts.size, 1)
    place = np.zeros((counts.size, counts.size), dtype=np.int64)
    place[first, second] = np.arange(len(first))
    met = place[counts.first, counts.second]
    gap = np.sign(fit.strength[first] - fit.strength[second])
    p, corrected = np.zeros(len(first)), np.zeros(len(first))
    for record in sequential.Record.each(counts):
        alone = np.ones(len(first))
        agrees: FloatArray = np.sign(record.share - 0.5) == gap[met]
        alone[met] = np.where(agrees, sequential.p_equal(record), 1.0)
        p, corrected = np.maximum(p, alone), np.maximum(corrected, adjusted(alone, "holm"))
    return decisions_from(level, gap, p, corrected, fit.apart, anytime=True)
