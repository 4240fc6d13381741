"""Confidence intervals of every pair's own win rate, ties half: those that `compare` gives for one pair."""

from functools import cache

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import DataSet, PairCounts, RowUnits, ScoredUnits, ScoreMatrix
from betterthan.inference import Differences, pair_shares, questions
from betterthan.verbs.compare.all_pairs_result import AllPairs
from betterthan.verbs.compare.paired_evidence import differences_of

#: Items in groups are flipped together pair by pair, which takes long: more pairs than this have no interval.
_FLIPPED = 100


def win_rate_intervals(data: DataSet, pairs: AllPairs) -> tuple[FloatArray, FloatArray]:
    """Return the low and the high end of row's win rate against column, NaN where they never met.

    >>> from betterthan.datasets.data_sets_of import data_sets
    >>> from betterthan.verbs.compare.compare_every_pair import compare_all
    >>> votes = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    >>> low, high = win_rate_intervals(data_sets(votes).only("pairs"), compare_all(votes))
    >>> round(float(low[0, 1]), 3), round(float(high[0, 1]), 3)
    (0.291, 0.858)
    """
    data = data.by_items_alone(None, "win rates")
    counts, seed = data.pairs(), pairs.settings.seed
    by_group = data.groups is not None
    ends = _by_group(data, counts, pairs.level, seed) if by_group else _by_counts(counts, pairs.level, seed)
    low, high = np.full((2, counts.size, counts.size), np.nan)
    low[counts.first, counts.second], high[counts.first, counts.second] = ends
    low[counts.second, counts.first], high[counts.second, counts.first] = 1 - ends[1], 1 - ends[0]
    order = [counts.systems.index(name) for name in pairs.systems]
    square = np.ix_(order, order)
    return low[square], high[square]


def _by_counts(counts: PairCounts, level: float, seed: int) -> FloatArray:
    """Go by the numbers won, tied and lost where every judgment is a unit, else by robust errors."""
    decided, half = pair_shares.shares(counts, "drop"), pair_shares.shares(counts, "half")
    ends = np.stack(half.intervals(level))
    single = isinstance(counts.units, RowUnits | ScoredUnits)
    tied = half.units - decided.units if single else counts.outcomes[1]
    exact = decided.alike & (single | (decided.units == counts.outcomes[0] + counts.outcomes[2]))
    for place in np.flatnonzero(exact & (half.units > 0)):
        numbers = (decided.won_units[place], tied[place], decided.units[place] - decided.won_units[place])
        whole = [round(float(number)) for number in numbers]
        if sum(whole):  # weights may add up to less than one judgment
            ends[:, place] = _of_numbers(*whole, level, seed)
    ends[:, half.units == 0] = np.nan
    return ends


@cache
def _of_numbers(wins: int, ties: int, losses: int, level: float, seed: int) -> tuple[float, float]:
    """Return the interval for numbers of wins, ties and losses; many pairs have the same ones."""
    points = np.repeat([1.0, 0.5, 0.0], [wins, ties, losses])
    effect = questions.won(Differences(points, 1 - points, np.arange(len(points))), level, seed)
    return (np.nan if effect.low is None else effect.low), (np.nan if effect.high is None else effect.high)


def _by_group(data: DataSet, counts: PairCounts, level: float, seed: int) -> FloatArray:
    """Flip the signs of whole groups of items, pair by pair."""
    ends = np.full((2, len(counts.first)), np.nan)
    if len(counts.first) > _FLIPPED:
        return ends
    scores, groups = data.statistic(ScoreMatrix), data.groups
    assert scores is not None
    assert groups is not None
    for place, (one, two) in enumerate(zip(counts.first, counts.second, strict=True)):
        differences = differences_of(data, scores, counts.systems[one], counts.systems[two], groups.codes, judges=False)
        effect = questions.won(differences, level, seed)
        ends[:, place] = [np.nan if end is None else end for end in (effect.low, effect.high)]
    return ends
