"""Plackett–Luce with covariates: rankings as successive choices of the next best, one system or several tied ones.

From the remaining systems, a set of d is chosen with a chance ∝ δ_d · e^(their mean log-strength), as in the ranking
model (Davidson–Luce; δ_1 = 1). The remaining systems are always the end of a ranking, so one pass from the last place
to the first covers every choice. Adding a place makes each sum over sets a mixture of the sums without and with it.
Only positive terms are added, and means and covariances move by shares of differences, so no digits cancel for any
strengths.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.evidence import Rankings

#: Numbers that the walk over some rankings may keep at once.
_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Stages:
    """Rankings aligned at the last place (rankings × places), with padding before the first.

    `tied` says how many are chosen together where a choice begins, and is 0 elsewhere; `share` is what each place has
    in its choice (1/d). `design` maps coefficients to the strength at each place (entries × coefficients).
    """

    entry: IntArray  # rankings × places: the row of the design, −1 for nothing
    tied: IntArray
    share: FloatArray
    weight: FloatArray  # per ranking
    design: FloatArray

    @classmethod
    def of(cls, evidence: Rankings, design: FloatArray) -> "Stages":
        """Sort entries by ranking and rank; the design has a row for each entry of the evidence.

        What is at infinity could be chosen, and never was.
        """
        order = np.lexsort((evidence.system, evidence.rank, evidence.ranking))
        ranking, rank = evidence.ranking[order], evidence.rank[order]
        chosen = np.isfinite(rank)
        rank = np.where(chosen, rank, 0.0)
        ends = np.searchsorted(ranking, ranking, side="right")
        begins = (
            (np.diff(ranking, prepend=-1) != 0) | (np.diff(rank, prepend=np.nan) != 0) | (np.diff(chosen, prepend=True))
        )
        stage = np.cumsum(begins) - 1
        number = np.bincount(stage)[stage]
        # Where one remains, or all that remain are at infinity, there is no choice.
        real = chosen & ((ends - np.flatnonzero(begins)[stage]) > 1)
        longest = int(np.bincount(ranking).max())
        where = (ranking, longest - (ends - np.arange(len(order))))
        entry, tied = np.full((2, len(evidence.weight), longest), [[[-1]], [[0]]])
        share = np.zeros(entry.shape)
        entry[where], tied[where], share[where] = order, number * (begins & real), real / number
        return cls(entry, tied, share, evidence.weight, design)

    @cached_property
    def orders(self) -> tuple[int, ...]:
        """The sizes of ties that there are: others never happen."""
        return tuple(int(size) for size in np.unique(self.tied) if size > 1)

    @property
    def size(self) -> int:
        """How many parameters there are: coefficients, then log δ of every order of ties."""
        return int(self.design.shape[1]) + len(self.orders)

    def alternatives(self) -> FloatArray:
        """Return how many sets could have been chosen at each choice (rankings × places), 1 where there is none."""
        remaining = np.arange(self.entry.shape[1], 0, -1)
        count, ways = np.zeros(len(remaining)), np.ones(len(remaining))
        for size in range(1, max((1, *self.orders)) + 1):
            ways = ways * np.maximum(remaining - size + 1, 0) / size
            count += ways * (size == 1 or size in self.orders)
        return np.where(self.tied > 0, count, 1.0)

    def take(self, kept: IntArray) -> "Stages":
        """Keep some coefficients of the design."""
        return replace(self, design=self.design[:, kept])

    def at(self, point: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and information."""
        value, gradient, information = 0.0, np.zeros(self.size), np.zeros((self.size, self.size))
        for _, walk in self._walks(point):
            value += walk.value
            gradient += walk.scores.sum(axis=0)
            for amount, moves in walk.spread:
                rows = moves.reshape(-1, self.size)
                information += (amount.reshape(-1, 1) * rows).T @ rows
        return value, gradient, information

    def scores(self, point: FloatArray) -> FloatArray:
        """Return the derivatives of every ranking (rankings × parameters)."""
        return np.concatenate([walk.scores for _, walk in self._walks(point)])

    def informations(self, point: FloatArray, cluster: IntArray, clusters: int) -> FloatArray:
        """Return the information of every cluster of rankings (clusters × parameters × parameters); −1 is none."""
        found = np.zeros((clusters, self.size, self.size))
        for rows, walk in self._walks(point) if clusters else ():
            mine = np.flatnonzero(cluster[rows] >= 0)
            for amount, moves in walk.spread:
                each = (amount[mine, :, None] * moves[mine]).transpose(0, 2, 1) @ moves[mine]
                np.add.at(found, cluster[rows][mine], each)
        return found

    def reach(self, point: FloatArray) -> float:
        """Return how far apart strengths within a ranking are at most, or how far ties are from single choices."""
        columns = self.design.shape[1]
        strength = (self.design @ point[:columns])[self.entry]
        there = self.entry >= 0
        top, bottom = (np.where(there, strength, end).T for end in (-np.inf, np.inf))
        return float(np.max(np.append(top.max(axis=0) - bottom.min(axis=0), np.abs(point[columns:]))))

    def preferred(self) -> FloatArray:
        """Return the design differences between every observed choice and its alternatives (× parameters).

        Where parameters can move such that none of these shrinks and some grow, the likelihood has no maximum. Within a
        ranking it suffices to compare neighbours: the rest follows.
        """
        none = np.zeros(len(self.orders))
        found = []
        for entries, tied in zip(self.entry, self.tied, strict=True):
            starts = np.flatnonzero(tied)
            for start in starts:
                size, rest = int(tied[start]), self.design[entries[start:]]
                # Without a further choice, all that remains is below.
                following = int(tied[start + size : start + size + 1].sum()) or len(rest)
                chosen, below = rest[:size], rest[size : size + following]
                found += [np.append(one - other, none) for one in chosen for other in below]
                mean = np.append(chosen.mean(axis=0), [float(size == order) for order in self.orders])
                others = [*(np.append(one, none) for one in chosen if size > 1)]
                for place, order in enumerate(self.orders):
                    if order != size and order <= len(rest):
                        others.append(np.append(rest[:order].mean(axis=0), np.arange(len(none)) == place))
                found += [mean - other for other in others]
        return np.unique(np.round(np.reshape(found, (-1, self.size)), 12), axis=0)

    def _walks(self, point: FloatArray) -> Iterator[tuple[slice, "_Walk"]]:
        size = self.entry.shape[1] * self.size * (1 + sum(self.orders))
        step = max(1, _AT_ONCE // size)
        for begin in range(0, len(self.entry), step):
            rows = slice(begin, begin + step)
            yield rows, _Walk(self, rows, point)


class _Walk:
    """The choices of some rankings at one point: value, scores, and the parts of the information.

    `spread` are amounts (rankings × terms) and moves (rankings × terms × parameters): the information of a ranking is
    the sum of its amounts times the squares of the moves.
    """

    def __init__(self, stages: Stages, rows: slice, point: FloatArray) -> None:
        columns = stages.design.shape[1]
        entry, tied, share, weight = stages.entry[rows], stages.tied[rows], stages.share[rows], stages.weight[rows]
        orders = (1, *stages.orders)
        log_delta = np.append(0.0, point[columns:])
        self.x = np.where((entry >= 0)[:, :, None], stages.design[entry], 0.0)
        strength = np.where(entry >= 0, self.x @ point[:columns], -np.inf)
        sums = [_Sums(order, strength, self.x) for order in orders]
        with np.errstate(invalid="ignore"):
            masses = np.stack([sum_.log_mass + delta for sum_, delta in zip(sums, log_delta, strict=True)])
            log_mass = np.logaddexp.reduce(masses)
            chance = np.where(tied > 0, np.exp(masses - log_mass), 0.0)  # of each order, at every choice
        real = tied > 0
        mean = sum(each[:, :, None] * sum_.mean for each, sum_ in zip(chance, sums, strict=True))
        happened = np.stack([tied == order for order in orders[1:]]) if orders[1:] else np.zeros((0, *tied.shape))
        self.value = float(
            weight
            @ (
                np.where(share > 0, share * np.where(entry >= 0, strength, 0.0), 0.0).sum(axis=1)
                - np.where(real, log_mass, 0.0).sum(axis=1)
                + np.tensordot(log_delta[1:], happened.sum(axis=2), axes=1)
            )
        )
        of_ties = (happened - chance[1:]).sum(axis=2).T
        self.scores = weight[:, None] * np.concatenate(
            [(share[:, :, None] * self.x - np.where(real[:, :, None], mean, 0.0)).sum(axis=1), of_ties], axis=1
        )
        self.spread: list[tuple[FloatArray, FloatArray]] = []
        for place, (order, sum_) in enumerate(zip(orders, sums, strict=True)):
            amount, moves = sum_.spread(weight[:, None] * chance[place])
            self.spread.append((amount, np.pad(moves, ((0, 0), (0, 0), (0, len(orders) - 1)))))
            if len(orders) > 1:  # which size the choice has moves too
                kind = -chance[1:].transpose(1, 2, 0).copy()
                if order > 1:
                    kind[:, :, place - 1] += 1.0
                self.spread.append((weight[:, None] * chance[place], np.concatenate([sum_.mean - mean, kind], axis=2)))


class _Sums:
    """Sums of e^(mean log-strength) over all sets of one order from the remaining systems at every place.

    By place: the logarithm of the sum, and the mean over the sets of their members' mean design. They are computed
    recursively, for sets of fewer members too. `taken` is the share of the sets that have the place as a member, `left`
    that of the others, and `moved` the distance of their means.
    """

    def __init__(self, order: int, strength: FloatArray, x: FloatArray) -> None:
        rankings, places, columns = x.shape
        self.taken, self.left = np.zeros((2, order, rankings, places))
        self.moved = np.zeros((order, rankings, places, columns))
        self.log_mass, self.mean = np.empty((rankings, places)), np.empty(x.shape)
        mass = np.full((order + 1, rankings), -np.inf)
        mass[0] = 0.0
        mean = np.zeros((order + 1, rankings, columns))
        for place in reversed(range(places)):
            for members in range(order, 0, -1):  # from the largest: it builds on what was there before this place
                with np.errstate(invalid="ignore"):
                    joined = strength[:, place] / order + mass[members - 1]
                    whole = np.logaddexp(mass[members], joined)
                    # Each from its own sum: 1 − taken would round to 0 where strengths run away.
                    taken = np.where(joined > -np.inf, np.exp(joined - whole), 0.0)
                    left = np.where(joined > -np.inf, np.exp(mass[members] - whole), 1.0)
                moved = x[:, place] / order + mean[members - 1] - mean[members]
                mean[members] += taken[:, None] * moved
                mass[members] = whole
                at = (members - 1, slice(None), place)
                self.taken[at], self.left[at], self.moved[at] = taken, left, moved
            self.log_mass[:, place], self.mean[:, place] = mass[order], mean[order]

    def spread(self, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return amounts and moves of the covariances of the sets' means, each place's choice with this weight."""
        order, rankings, places = self.taken.shape
        reached, amount = np.zeros((order + 1, rankings)), np.empty(self.taken.shape)
        for place in range(places):
            reached[order] += weight[:, place]
            taken, left = self.taken[:, :, place], self.left[:, :, place]
            amount[:, :, place] = reached[1:] * taken * left
            with_it = taken * reached[1:]
            reached[1:] *= left
            reached[:-1] += with_it
        terms = amount.transpose(1, 0, 2).reshape(rankings, -1)
        return terms, self.moved.transpose(1, 0, 2, 3).reshape(rankings, order * places, -1)
