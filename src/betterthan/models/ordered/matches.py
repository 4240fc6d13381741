"""Matches of several systems: a ranking as one match, or all its subsets of a given size."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Self

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError
from betterthan.datasets import Orders, Places

#: More matches than this would take hours.
_MOST = 5_000_000


@dataclass(frozen=True)
class RankedMatches:
    """Matches one after the other, those of a ranking together; entries of a match are from best to worst."""

    first: IntArray  # where the matches of every ranking begin, and the end
    start: IntArray  # where the entries of every match begin, and the end
    system: IntArray
    rank: FloatArray
    weight: FloatArray  # per ranking

    @classmethod
    def of(cls, orders: Orders, players: int | None) -> Self:
        """Take all sets of that many systems of each ranking; shorter rankings, and all where None, are one match."""
        entry = np.lexsort((orders.rank, orders.ranking))
        size = np.bincount(orders.ranking, minlength=len(orders.weight))
        begin = _from_zero(size)
        taken = size if players is None else np.minimum(size, players)
        sizes = np.unique(size).tolist()
        sets = {each: comb(each, players) if players is not None and players < each else 1 for each in sizes}
        number = np.array([sets[each] for each in size.tolist()], dtype=object)
        if number.sum() > _MOST:
            raise ModelError(
                f"the rankings hold {int(number.sum()):,} matches of {players} systems, and {_MOST:,} can be played",
                remedy="Use players=all, which takes each ranking as one match, or players=two.",
            )
        number = number.astype(np.int64)
        ends = _from_zero(number * taken)
        place = np.empty(ends[-1], dtype=np.int64)
        for each in sizes:
            rankings = np.flatnonzero(size == each)
            chosen = np.array(list(combinations(range(each), int(taken[rankings[0]])))).ravel()
            place[ends[rankings][:, None] + np.arange(len(chosen))] = begin[rankings][:, None] + chosen
        start = _from_zero(np.repeat(taken, number))
        return cls(_from_zero(number), start, orders.system[entry][place], orders.rank[entry][place], orders.weight)

    def at(self, places: Places) -> tuple[Any, ...]:
        """Return the start, systems, ranks and weight of every match, for some rankings in a given order."""
        if places is None:
            return self.start, self.system, self.rank, np.repeat(self.weight, np.diff(self.first))
        if isinstance(places, np.random.Generator):
            places = places.permutation(len(self.weight))
        number = np.diff(self.first)[places]
        match = _ranges(self.first[:-1][places], number)
        size = np.diff(self.start)[match]
        entry = _ranges(self.start[:-1][match], size)
        return _from_zero(size), self.system[entry], self.rank[entry], np.repeat(self.weight[places], number)


def _from_zero(lengths: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _ranges(begin: IntArray, length: IntArray) -> IntArray:
    """Return the numbers from every beginning on, that many of each, one after the other."""
    ends = _from_zero(length)
    return np.repeat(begin - ends[:-1], length) + np.arange(ends[-1])
