"""Judges whose verdicts are the same too often."""

import numpy as np

from betterthan.arrays import IntArray
from betterthan.diagnosis.judges.shares import ALPHA, divide
from betterthan.diagnosis.judges.votes import ENOUGH, Verdicts, Votes
from betterthan.infer.agreement import pairs_of_raters
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.tails import binomial_from

#: Agreement that copies show and honest judges do not.
_COPY = 0.95


def find_copies(votes: Votes, verdicts: Verdicts) -> tuple[IntArray, bool]:
    """Return pairs of judges whose verdicts are the same too often, and whether all pairs could be compared.

    They agree nearly always, and more than each of them agrees with anybody else makes likely. Judgments of one item
    are taken as one, to be on the safe side. Without items, judges of one pair judged different things.
    """
    nobody = np.empty((0, 2), dtype=np.int64)
    if not votes.by_item:
        return nobody, True
    together = len(verdicts.judge) / len(votes.tasks)
    first, second, shared, equal, all_read = pairs_of_raters(
        verdicts.judge, verdicts.comparison, verdicts.verdict, least=ENOUGH * together
    )
    met, same = verdicts.meetings(votes.size)
    usual = np.nan_to_num(divide(same.sum() / 2 - equal, met.sum() / 2 - shared))
    for one in (first, second):
        usual = np.fmax(usual, divide(same[one] - equal, met[one] - shared))
    p = binomial_from(np.round(equal / together), np.round(shared / together), usual)
    found = (adjusted(p, "holm") < ALPHA) & (equal >= _COPY * shared)
    return np.stack([first[found], second[found]], axis=1), all_read
