"""Plackett–Luce with covariates: rankings as successive choices of the best that is left, without ties.

Strengths depend on coefficients as in the models of pairs: a basis of systems, crossed with what is known about who
ranked. Sums over what is left at every stage are running sums from the last rank upwards.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.errors import EvidenceError
from betterthan.evidence.rankings import Rankings
from betterthan.spelling import option


@dataclass(frozen=True)
class Stages:
    """Entries ranking by ranking, best first: their system, their ranking, and the rankings' weights."""

    systems: tuple[str, ...]
    ranking: IntArray
    system: IntArray
    weight: FloatArray  # per ranking

    @classmethod
    def of(cls, evidence: Rankings) -> "Stages":
        """Sort the entries; ties are refused, since the order of choices is what counts."""
        order = np.lexsort((evidence.rank, evidence.ranking))
        ranking, rank = evidence.ranking[order], evidence.rank[order]
        tied = (np.diff(ranking) == 0) & (np.diff(rank) == 0)
        if np.any(tied):
            raise EvidenceError(
                f"{int(tied.sum()):,} ranks are shared, and Plackett–Luce with covariates takes no ties",
                where=evidence.name,
                remedy=f"Leave out {option('model')}: the default compares the pairs of each ranking and takes ties.",
            )
        return cls(evidence.systems, ranking, evidence.system[order], evidence.weight)

    @cached_property
    def last(self) -> IntArray:
        """The place of the last entry of every entry's ranking."""
        ends = np.flatnonzero(np.diff(self.ranking, append=-1))
        return ends[np.searchsorted(ends, np.arange(len(self.ranking)))]

    @cached_property
    def first(self) -> IntArray:
        """The place of the first entry of every entry's ranking."""
        starts = np.flatnonzero(np.diff(self.ranking, prepend=-1))
        return starts[np.searchsorted(starts, np.arange(len(self.ranking)), side="right") - 1]

    def left_over(self, values: FloatArray) -> FloatArray:
        """Add up from every entry to the end of its ranking."""
        total = np.cumsum(values, axis=0)
        before = total - values
        sums: FloatArray = total[self.last] - before
        return sums

    def so_far(self, values: FloatArray) -> FloatArray:
        """Add up from the start of its ranking to every entry."""
        total = np.cumsum(values, axis=0)
        before = total - values
        sums: FloatArray = total - before[self.first]
        return sums


def likelihood(stages: Stages, design: FloatArray, point: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return log-likelihood, derivatives per ranking's choices (entries × coefficients), and information."""
    weight = stages.weight[stages.ranking]
    strength = design @ point
    # Within a ranking only differences count: its largest strength keeps sums from overflowing.
    top = np.full(int(stages.ranking.max()) + 1, -np.inf)
    np.maximum.at(top, stages.ranking, strength)
    size = np.exp(strength - top[stages.ranking])
    rest = stages.left_over(size)
    value = float(np.sum(weight * (strength - top[stages.ranking] - np.log(rest))))
    mean = stages.left_over(size[:, None] * design) / rest[:, None]
    scores = weight[:, None] * (design - mean)
    share = size * stages.so_far(1 / rest)  # how often the entry is expected to be chosen, over its stages
    information = design.T @ ((weight * share)[:, None] * design) - mean.T @ (weight[:, None] * mean)
    return value, scores, information
