"""Mean differences of all pairs, each with the interval and the test that `compare` recommends for it."""

from itertools import combinations

import numpy as np

from betterthan.datasets import DataSet, ScoreMatrix
from betterthan.inference import Differences, questions, sign_flips
from betterthan.verbs.compare.all_pairs_result import AllPairs
from betterthan.verbs.compare.paired_evidence import differences_of

#: Numbers that all pairs may draw together, about a second's worth. More leave all pairs without interval and test.
_MOST = 60_000_000


def mean_differences(data: DataSet, pairs: AllPairs) -> tuple[questions.QuestionAnswer | None, ...] | None:
    """Return the results of `compare` for the mean of every pair, row by row of the upper triangle, each alone.

    None where the evidence has no scores, or where resampling would take too long; a pair is None where two systems
    have no item in common.

    >>> from betterthan.datasets.data_sets_of import data_sets
    >>> from betterthan.verbs.compare.compare_every_pair import compare_all
    >>> scores = {"owl": [3, 5, 4, 6.5, 4, 7], "yak": [2, 1, 4, 3, 3, 5.5]}
    >>> found = mean_differences(data_sets(scores).only("means"), compare_all(scores))
    >>> found[0].effect.value, found[0].test.name
    (1.8333333333333333, 't')
    """
    scores = data.statistic(ScoreMatrix)
    if scores is None:
        return None
    groups = None if data.groups is None else data.groups.codes
    found: list[Differences | None] = []
    for one, two in combinations(pairs.systems, 2):
        both = ~np.isnan(scores.values[:, [scores.systems.index(one), scores.systems.index(two)]]).any(axis=1)
        found.append(differences_of(data, scores, one, two, groups) if np.any(both) else None)
    named = [None if each is None else questions.recommended_for_mean(each) for each in found]
    chosen = list(zip(found, named, strict=True))
    if sum(_cost(each, name[0]) for each, name in chosen if each is not None and name is not None) > _MOST:
        return None
    level, seed = pairs.level, pairs.settings.seed
    return tuple(
        None if each is None or name is None else questions.mean_answer(each, level, seed, name)
        for each, name in chosen
    )


def _cost(differences: Differences, name: str) -> int:
    """Return how many numbers the test and the interval of a pair draw, about."""
    units = len(differences.sums)
    if name == "t" or name.startswith("mcnemar"):
        return units
    exact = name.startswith("permutation") and units <= sign_flips.EXACT
    return 20 * 2**units if exact else (units if units > sign_flips.NORMAL else units * sign_flips.FLIPS)
