"""Amounts that rows add to sums by system, one for every distinct row of a table."""

from collections.abc import Callable

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine import bucket_sums
from betterthan.evidence.rows.tally import Tally

#: What every judgment of a tally adds, if it occurs once.
Adding = Callable[[Tally], bucket_sums.Amounts]


def by_row(tally: Tally, rows: IntArray | slice, times: IntArray, adding: Adding, spare: int) -> bucket_sums.Amounts:
    """Return the amounts of distinct rows, each once: judgments come from `rows`, which occur that many `times`.

    A row may be several judgments (counts, shares for both sides), or none where it was refused or weighs nothing; of
    these there may be `spare` at most.
    """
    each = adding(tally)
    if isinstance(rows, slice) and np.array_equal(tally.times, times):
        return each
    of = np.arange(len(times))[rows]
    found = each.onto(of, whole(tally.times / times[of]), len(times))
    if int(times.sum()) - found.rows_kept(times) > spare:
        raise bucket_sums.NoBucketsError
    return found


def whole(times: FloatArray) -> IntArray:
    """Return numbers of judgments as whole numbers; fractions of judgments cannot be drawn as such."""
    rounded: IntArray = np.rint(times).astype(np.int64)
    if np.any(rounded != times):
        raise bucket_sums.NoBucketsError
    return rounded
