"""How much residuals of pairs vary by chance where items or judges are too many to be drawn one by one.

Units that share a bucket are drawn together. A sign for every bucket (the wild bootstrap) leaves the size of what it
says as it is, so that sums of squares over many pairs vary as they do with units one by one.
"""

from typing import TYPE_CHECKING

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.buckets import BITS, MIX
from betterthan.reduce.buckets import BUCKETS
from betterthan.reduce.matrices import dense
from betterthan.reduce.units import shrunk

if TYPE_CHECKING:
    from betterthan.diagnosis.case import Case

#: Numbers held at once: buckets × pairs, of which there are fewer buckets where pairs are many.
_NUMBERS, _FEWEST = 8_000_000, 256
#: The step from residuals to strengths takes the inverse of a matrix of all systems.
_MOST_SOLVED = 1_000


def can_be_hashed(case: "Case") -> bool:
    """Is one step of Newton's method near to a refit: are all systems placed, and few enough to solve for?"""
    return case.counts.size <= _MOST_SOLVED and not np.any(case.fit.apart)


def hashed_noise(case: "Case", resamples: int) -> FloatArray:
    """Return what residuals vary by (pairs × resamples)."""
    rng = np.random.default_rng(case.seed)
    buckets = int(np.clip(_NUMBERS // len(case.met), _FEWEST, BUCKETS))
    drawn = [_refitted(case, _drawn(case, place, buckets, resamples, rng)) for place in _places(case, buckets, rng)]
    if len(drawn) == 1:
        return drawn[0]
    one, two, both = drawn  # both factors, less what they have in common
    return (one + two) * shrunk([float(np.sum(part**2)) for part in (one, two)], float(np.sum(both**2)))


def _places(case: "Case", buckets: int, rng: np.random.Generator) -> list[IntArray]:
    """Return every judgment's bucket: by its unit, or by each of two units and by both."""
    units = case.data.tally().units
    codes = [units[unit].compact for unit in case.data.by]
    hashes = [rng.integers(2**BITS, size=number)[code] for code, number in codes]
    if len(hashes) == 2:
        hashes.append((hashes[0] * MIX + hashes[1]) % 2**BITS)
    return [hashed * buckets >> BITS for hashed in hashes]


def _drawn(case: "Case", place: IntArray, buckets: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Add up residuals by bucket and pair, and give every bucket a random sign."""
    pair, residual = case.rows
    pairs = len(case.met)
    sums = np.bincount(place * pairs + pair, residual, buckets * pairs).reshape(buckets, pairs)
    sums -= sums.mean(axis=0)
    signs = rng.integers(2, size=(buckets, resamples)) * 2.0 - 1.0
    drawn: FloatArray = sums.T @ signs
    return drawn


def _refitted(case: "Case", drawn: FloatArray) -> FloatArray:
    """Take off what strengths would explain, fitted again."""
    spread = case.met * case.expected * (1 - case.expected)
    incidence = case.counts.incidence
    information = dense((incidence * spread) @ incidence.T)
    moved = np.linalg.pinv(information, hermitian=True) @ (incidence @ drawn)
    left: FloatArray = drawn - spread[:, None] * (moved[case.counts.first] - moved[case.counts.second])
    return left
