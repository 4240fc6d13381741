"""Judges whose verdicts coincide too often."""

import numpy as np

from betterthan.base import IntArray
from betterthan.findings import kinds
from betterthan.inference import adjusted, rater_agreement, tails
from betterthan.verbs.diagnose.judges.judge_rates import divide
from betterthan.verbs.diagnose.judges.votes import Verdicts, Votes


def find_copies(votes: Votes, verdicts: Verdicts) -> tuple[IntArray, bool]:
    """Return pairs of judges whose verdicts are the same too often, and whether all pairs could be compared.

    They agree nearly always, and more than each of them agrees with anybody else makes likely. Judgments of one item
    are taken as one, to be on the safe side. Without items, judges of one pair judged different things.
    """
    limits = kinds.judges.JUDGE_COPIES.thresholds
    nobody = np.empty((0, 2), dtype=np.int64)
    if not votes.by_item:
        return nobody, True
    together = len(verdicts.judge) / len(votes.tasks)
    first, second, shared, equal, all_read = rater_agreement.judge_pairs(
        verdicts.judge, verdicts.comparison, verdicts.verdict, least=limits["judgments"] * together
    )
    met, same = verdicts.meetings(votes.size)
    usual = np.nan_to_num(divide(same.sum() / 2 - equal, met.sum() / 2 - shared))
    for one in (first, second):
        usual = np.fmax(usual, divide(same[one] - equal, met[one] - shared))
    p = tails.binomial_from(np.round(equal / together), np.round(shared / together), usual)
    found = (adjusted(p, "holm") < limits["p"]) & (equal >= limits["agreement"] * shared)
    return np.stack([first[found], second[found]], axis=1), all_read
