"""Which resamples keep every component strongly connected, checked for all resamples at once.

Sparse evidence has resamples in which a system only won, or only lost. Checking each of a thousand resamples separately
takes as long as refitting them. Here a resample is one bit, and 64 of them are processed by one operation.
"""

import numpy as np
from numpy.typing import NDArray

from betterthan.base import BoolArray, IntArray

_Bits = NDArray[np.uint64]  # words of 64 resamples × anything


def still_linked(label: IntArray, first: IntArray, second: IntArray, won: BoolArray, lost: BoolArray) -> BoolArray:
    """Mark the resamples (wins: pairs × resamples) in which every component is still strongly connected.

    Pairs are those inside components, whose systems have the same `label`.

    >>> won, lost = np.array([[True, True], [True, False]]), np.array([[True, True], [True, True]])
    >>> still_linked(np.zeros(3, dtype=int), np.array([0, 1]), np.array([1, 2]), won, lost).tolist()
    [True, False]
    """
    winner, loser = np.concatenate([first, second]), np.concatenate([second, first])
    beaten = np.concatenate([_packed(won), _packed(lost)], axis=1)
    both = _reached(label, winner, loser, beaten) & _reached(label, loser, winner, beaten)
    linked: BoolArray = np.unpackbits(both.view(np.uint8))[: won.shape[1]].astype(bool)
    return linked


def _packed(marks: BoolArray) -> _Bits:
    """Make every resample (pairs × resamples) one bit (words × pairs)."""
    bits = np.packbits(marks, axis=1)
    filled = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(filled.view(np.uint64).T)


def _reached(label: IntArray, start: IntArray, end: IntArray, there: _Bits) -> _Bits:
    """Mark the resamples in which ways lead from one system of every component to all others of it."""
    order = np.argsort(end, kind="stable")
    ends, begins = np.unique(end[order], return_index=True)
    start, there = start[order], there[:, order]
    reached = np.zeros((len(there), len(label)), dtype=np.uint64)
    reached[:, np.unique(label, return_index=True)[1]] = ~np.uint64(0)
    while len(ends):
        new = reached[:, ends] | np.bitwise_or.reduceat(reached[:, start] & there, begins, axis=1)
        if np.array_equal(new, reached[:, ends]):
            break
        reached[:, ends] = new
    every: _Bits = np.bitwise_and.reduce(reached, axis=1)
    return every
