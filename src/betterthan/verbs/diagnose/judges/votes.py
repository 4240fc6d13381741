"""Judgments as votes: one verdict per judge and comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import BoolArray, FloatArray, IntArray, arrays, scipy
from betterthan.datasets import PairCounts
from betterthan.evidence import LEFT, RIGHT, TIE, Judgments, Tally
from betterthan.models import RESOLUTION, BradleyTerry

Mask = BoolArray


@dataclass(frozen=True)
class Votes:
    """Distinct judgments: judge, comparison, group (an item or ranking) and count.

    `outcome` is seen from the first of the two systems by name; `chance` is Bradley–Terry's, of the left side to win a
    decided judgment.
    """

    names: tuple[str, ...]
    judge: IntArray
    comparison: IntArray
    group_of: IntArray  # per comparison
    task: IntArray | None  # judgments of one judge about one group depend on each other
    tasks: IntArray  # the judge of every task
    outcome: IntArray
    left_won: Mask
    tied: Mask
    times: FloatArray
    chance: FloatArray
    clear: Mask  # one of the two systems is better, by the common order
    by_item: bool
    sided: bool  # judges saw the sides; those of rankings are ours
    both_ways: Mask  # the pair was shown one way and the other: side and system can be distinguished

    @classmethod
    def of(cls, evidence: Judgments) -> "Votes":
        """Take the evidence apart by judge, and by item or at least by ranking."""
        unit = next((unit for unit in ("item", "ranking") if unit in evidence.roles), None)
        tally = evidence.tally(*(("judge",) if unit is None else (unit, "judge")))
        # Engines return rows in any order, and sums feel it in the last digit.
        tally = tally.in_fixed_order()
        judge, _ = tally.units["judge"].compact
        names = np.array(tally.units["judge"].labels, dtype=object)[arrays.distinct(tally.units["judge"].codes)]
        group = np.zeros(len(judge), dtype=np.int64) if unit is None else tally.units[unit].compact[0]
        flip = tally.left > tally.right
        first, second = np.where(flip, tally.right, tally.left), np.where(flip, tally.left, tally.right)
        pairs = len(tally.systems) ** 2
        pair = first * len(tally.systems) + second
        straight, turned = (np.zeros(pairs, dtype=bool) for _ in range(2))
        straight[pair[~flip]] = turned[pair[flip]] = True
        keys, comparison = np.unique(pair + group * pairs if unit == "item" else pair, return_inverse=True)
        # Rows are sorted by judge, then by group.
        new_task = (np.diff(judge, prepend=-1) != 0) | (np.diff(group, prepend=-1) != 0)
        gap = _gaps(tally)
        return cls(
            names=tuple(str(name) for name in names),
            judge=judge,
            comparison=comparison.ravel(),
            group_of=keys // pairs,
            task=None if unit is None else np.cumsum(new_task) - 1,
            tasks=judge[new_task],
            outcome=np.where(flip, (LEFT + RIGHT) - tally.outcome, tally.outcome),
            left_won=tally.outcome == LEFT,
            tied=tally.outcome == TIE,
            times=tally.times,
            chance=scipy.special.expit(gap),
            clear=np.abs(gap) > RESOLUTION,
            by_item=unit == "item",
            sided=not evidence.conversion,
            both_ways=(straight & turned)[pair],
        )

    @property
    def size(self) -> int:
        """Number of judges."""
        return len(self.names)

    def per_judge(self, values: NDArray[Any]) -> FloatArray:
        """Add up something of the judgments by judge."""
        return np.bincount(self.judge, weights=values * self.times, minlength=self.size).astype(np.float64)

    def enough(self, counts: Mask, limits: Mapping[str, float]) -> Mask:
        """Who gave enough of the judgments that count, about enough items, by the thresholds of a finding?"""
        many = self.per_judge(counts) >= limits["judgments"]
        if self.task is None:
            return many
        used = np.zeros(len(self.tasks), dtype=bool)
        used[self.task[counts]] = True
        return many & (np.bincount(self.tasks[used], minlength=self.size) >= limits["items"])

    def spread(self, residual: FloatArray, variance: FloatArray) -> float:
        """Return how much more the tasks vary than independent judgments would, 1 at least.

        The pairs of one ranking, and repeated judgments, are less evidence than their number.
        """
        expected = float(np.sum(self.times * variance))
        if self.task is None or expected <= 0:
            return 1.0
        sums = np.bincount(self.task, weights=self.times * residual)
        return max(float(sums @ sums) / expected, 1.0)


def _gaps(tally: Tally) -> FloatArray:
    """Return how much stronger the left system is, by the decided judgments of all judges; 0 where nothing is decided.

    Leaving one judge out at a time would take as many fits as there are judges, and change little where they are many.
    """
    if np.all(tally.outcome == TIE):
        return np.zeros(len(tally.left))
    strength = BradleyTerry(ties="drop").fit(PairCounts.of(tally)).strength
    gap: FloatArray = strength[tally.left] - strength[tally.right]
    return gap


@dataclass(frozen=True)
class Verdicts:
    """One verdict per judge and comparison: the most frequent answer, or a tie."""

    judge: IntArray
    comparison: IntArray
    verdict: IntArray
    own: FloatArray  # verdicts × outcomes: how often the judge said each
    counts: FloatArray  # comparisons × outcomes: how many judges
    group: IntArray  # per comparison

    @classmethod
    def of(cls, votes: Votes) -> "Verdicts":
        """Put repeated judgments together."""
        keys, place = np.unique(votes.comparison * votes.size + votes.judge, return_inverse=True)
        cells = np.bincount(place.ravel() * 3 + votes.outcome, weights=votes.times, minlength=3 * len(keys))
        own = cells.astype(np.float64).reshape(len(keys), 3)
        won, tied, lost = own.T
        verdict = np.where(won > np.maximum(tied, lost), LEFT, np.where(lost > np.maximum(tied, won), RIGHT, TIE))
        comparison, judge = np.divmod(keys, votes.size)
        counts = np.bincount(comparison * 3 + verdict, minlength=3 * len(votes.group_of)).astype(np.float64)
        return cls(judge, comparison, verdict, own, counts.reshape(-1, 3), votes.group_of)

    def meetings(self, size: int) -> tuple[FloatArray, FloatArray]:
        """Return how many verdicts of others every judge meets, and how many of them are the same."""
        others = self.counts.sum(axis=1)[self.comparison] - 1
        equal = self.counts[self.comparison, self.verdict] - 1
        met, same = (np.bincount(self.judge, weights=values, minlength=size) for values in (others, equal))
        return met.astype(np.float64), same.astype(np.float64)

    def with_others(self, size: int) -> tuple[FloatArray, IntArray]:
        """Return every judge's table with the others (judges × outcomes × outcomes), and how many comparisons it holds.

        A comparison counts once, with the shares of the others' verdicts.
        """
        others = self.counts[self.comparison] - np.eye(3)[self.verdict]
        number = others.sum(axis=1)
        shares = others / np.maximum(number, 1)[:, None]
        cell = self.judge * 3 + self.verdict
        columns = [np.bincount(cell, weights=shares[:, said], minlength=3 * size) for said in range(3)]
        tables = np.stack(columns, axis=1).astype(np.float64).reshape(size, 3, 3)
        return tables, np.bincount(self.judge[number > 0], minlength=size)
