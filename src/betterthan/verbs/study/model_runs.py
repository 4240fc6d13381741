"""Repeated runs of a model on resampled judgments: rank ranges and clusters."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, parallel
from betterthan.datasets import Games, PairCounts, RowWeights
from betterthan.models import build_model
from betterthan.uncertainty import Draws, ranks_and_clusters
from betterthan.verbs.collect import collection_state, trueskill_elicitation

#: TrueSkill on pairs that it chooses itself.
OWN = "trueskill, own pairs"
#: How much of a run is its beginning, and its end.
END = 0.2


@dataclass(frozen=True)
class Runs:
    """Repeated runs of a model on samples of judgments, drawn with replacement from counts.

    `drop` runs are left out at both ends of every system's ranks.
    """

    counts: PairCounts
    model: str
    judgments: int
    runs: int
    repeats: int
    drop: int
    beta: float
    seed: tuple[int, ...]

    def __call__(self) -> dict[str, Any]:
        """Return plain values: clusters and order of every repeat, ranks of the first, and who met when."""
        rng = np.random.default_rng(self.seed)
        meetings: dict[str, Any] = {}
        with parallel.one_blas_thread():
            if self.model == OWN:
                strength, meetings = self._own(rng)
            else:
                strength = self._drawn(rng)
        parts = strength.reshape(self.repeats, self.runs, -1)
        found = [self._clustered(part) for part in parts]
        orders = [order for _, order in found]
        return {
            "clusters": [max(numbers) for numbers, _ in found],
            "orders": orders,
            **self._boxes(parts[0], *found[0]),
            **meetings,
        }

    def _clustered(self, strength: FloatArray) -> tuple[list[int], list[int]]:
        """Return the cluster of every system, and the systems from the best to the worst by their mean."""
        none = np.zeros(strength.shape[1], dtype=bool)
        low, high = ranks_and_clusters.rank_ranges(self._draws(strength), 1 - 2 * self.drop / self.runs)
        order = np.argsort(-strength.mean(axis=0), kind="stable").tolist()
        return [number or 1 for number in ranks_and_clusters.clusters(order, low, high, none)], order

    def _boxes(self, strength: FloatArray, numbers: list[int], order: list[int]) -> dict[str, Any]:
        """Return systems in order with the least, the quartiles, the mean and the largest of their ranks."""
        best, worst = self._draws(strength).ranks()
        ranks = (best + worst) / 2  # equal systems share the middle of theirs
        boxes = [
            [
                ranks[:, system].min(),
                *np.quantile(ranks[:, system], [0.25, 0.75]),
                ranks[:, system].max(),
                ranks[:, system].mean(),
                numbers[system],
            ]
            for system in order
        ]
        return {"order": order, "boxes": np.array(boxes).tolist()}

    def _draws(self, strength: FloatArray) -> Draws:
        mean = strength.mean(axis=0)
        return Draws.plain(strength, mean, method="redraws", unit="row", units=self.judgments, resolution=1e-9)

    def _drawn(self, rng: np.random.Generator) -> FloatArray:
        """Return the strengths of all runs (runs × systems), on judgments drawn at random."""
        model, total = build_model(self.model), self.runs * self.repeats
        shares = self.counts.outcomes.ravel() / self.counts.outcomes.sum()
        if Games not in model.consumes:
            drawn = rng.multinomial(self.judgments, shares, size=total).T.astype(float)
            refit = model.refitter(model.fit(self.counts), self.counts)
            strength, _ = refit(drawn.reshape(*self.counts.outcomes.shape, total), rng)
            return strength.T
        return np.stack(
            [self._played(model, rng.choice(len(shares), self.judgments, p=shares), rng) for _ in range(total)]
        )

    def _played(self, model: Any, cell: IntArray, rng: np.random.Generator) -> FloatArray:
        outcome, pair = np.divmod(cell, len(self.counts.first))
        games = Games(
            self.counts.systems,
            self.counts.first[pair],
            self.counts.second[pair],
            outcome.astype(np.int8),
            np.ones(len(cell)),
            RowWeights.of(len(cell), {}),
        )
        played: FloatArray = model.rerunner(games)(rng)
        return played

    def _own(self, rng: np.random.Generator) -> tuple[FloatArray, dict[str, Any]]:
        """Return the strengths of runs that chose their judgments, and what they chose first and last."""
        counts = self.counts
        world = trueskill_elicitation.Outcomes.of(counts.size, counts.first, counts.second, counts.outcomes)
        found = trueskill_elicitation.elicit(world, self.judgments, self.runs * self.repeats, rng, beta=self.beta)
        some = max(1, round(END * self.judgments))
        early, late = ((found.first[part], found.second[part]) for part in (slice(some), slice(-some, None)))
        rank = np.argsort(np.argsort(-found.mean, axis=1), axis=1)
        return found.mean, {
            "early": self._met(*early),
            "late": self._met(*late),
            "nearer": (_apart(rank, *late) - _apart(rank, *early)).tolist(),
        }

    def _met(self, first: NDArray[np.int16], second: NDArray[np.int16]) -> list[int]:
        size = self.counts.size
        number: list[int] = np.bincount(
            collection_state.place_of(size)[first, second].ravel(), minlength=size * (size - 1) // 2
        ).tolist()
        return number


def _apart(rank: IntArray, first: NDArray[np.int16], second: NDArray[np.int16]) -> FloatArray:
    """Return the mean difference of ranks of those who met, in every run (runs × systems, judgments × runs)."""
    every = np.arange(len(rank))
    mean: FloatArray = np.abs(rank[every, first] - rank[every, second]).mean(axis=0)
    return mean


def meetings_of(counts: PairCounts) -> FloatArray:
    """Count the judgments of all pairs, in the order of all pairs."""
    number = np.zeros(counts.size * (counts.size - 1) // 2)
    number[collection_state.place_of(counts.size)[counts.first, counts.second]] = counts.outcomes.sum(axis=0)
    return number
