"""Random variation of pair residuals where items or judges are too many to be resampled one by one.

Units that share a bucket are drawn together. A random sign for every bucket (the wild bootstrap) preserves its
magnitude, so that sums of squares over many pairs vary as with single units.
"""

from typing import TYPE_CHECKING

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import crossed_variance, sparse_matrices
from betterthan.engine import bucket_sums

if TYPE_CHECKING:
    from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Numbers held at once: buckets × pairs, of which there are fewer buckets where pairs are many.
_NUMBERS, _FEWEST, _MOST = 8_000_000, 256, 4096
#: The step from residuals to strengths takes the inverse of a matrix of all systems.
_MOST_SOLVED = 1_000


def can_be_hashed(case: "ExaminedData") -> bool:
    """Whether one Newton step approximates a refit: all systems are placed, and few enough to solve for."""
    return case.counts.size <= _MOST_SOLVED and not np.any(case.fit.apart)


def hashed_noise(case: "ExaminedData", resamples: int) -> FloatArray:
    """Return the random variation of residuals (pairs × resamples)."""
    rng = np.random.default_rng(case.seed)
    buckets = int(np.clip(_NUMBERS // len(case.met), _FEWEST, _MOST))
    drawn = [_refitted(case, _drawn(case, place, buckets, resamples, rng)) for place in _places(case, buckets, rng)]
    if len(drawn) == 1:
        return drawn[0]
    # Both factors, less what they have in common.
    return (drawn[0] + drawn[1]) * crossed_variance.shrinkage(*(float(np.sum(part**2)) for part in drawn))


def _places(case: "ExaminedData", buckets: int, rng: np.random.Generator) -> list[IntArray]:
    """Return every judgment's bucket: by its unit, or by each of two units and by both."""
    units = case.data.tally().units
    codes = [units[unit].compact for unit in case.data.by]
    hashes = [rng.integers(2**bucket_sums.BITS, size=number)[code] for code, number in codes]
    if len(hashes) == 2:
        hashes.append((hashes[0] * bucket_sums.MIX + hashes[1]) % 2**bucket_sums.BITS)
    return [hashed * buckets >> bucket_sums.BITS for hashed in hashes]


def _drawn(case: "ExaminedData", place: IntArray, buckets: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Add up residuals by bucket and pair, and give every bucket a random sign."""
    pair, residual = case.rows
    pairs = len(case.met)
    sums = np.bincount(place * pairs + pair, residual, buckets * pairs).reshape(buckets, pairs)
    sums -= sums.mean(axis=0)
    signs = rng.integers(2, size=(buckets, resamples)) * 2.0 - 1.0
    drawn: FloatArray = sums.T @ signs
    return drawn


def _refitted(case: "ExaminedData", drawn: FloatArray) -> FloatArray:
    """Take off what strengths would explain, fitted again."""
    spread = case.met * case.expected * (1 - case.expected)
    incidence = case.counts.incidence
    information = sparse_matrices.dense((incidence * spread) @ incidence.T)
    moved = np.linalg.pinv(information, hermitian=True) @ (incidence @ drawn)
    left: FloatArray = drawn - spread[:, None] * (moved[case.counts.first] - moved[case.counts.second])
    return left
