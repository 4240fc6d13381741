"""Simulated evidence with known truth: an arena of judgments, and a table of scores."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from scipy import special

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import PairCounts, RowUnits
from betterthan.models import BradleyTerry


class World(ABC):
    """A simulation with known truth, from which judgments can be collected."""

    @abstractmethod
    def expected(self) -> PairCounts:
        """Return the expected outcomes of very many judgments, spread over all pairs alike."""


NAMES = ("aurora", "birch", "cedar", "dune", "ember", "fjord", "grove", "heron", "iris", "juniper")


@dataclass(frozen=True, kw_only=True)
class Arena(World):
    """Judges compare two systems on an item.

    A system's quality on an item is its strength plus what is particular to that system on that item (`item_spread`),
    so judgments of one item depend on each other. Judges differ in how sharply they see differences, and call those
    within `tie_width` a tie.
    """

    strengths: tuple[float, ...]
    systems: tuple[str, ...] = NAMES
    item_spread: float = 0.6
    sharpness: tuple[float, ...] = (0.4, 1.0, 1.6)
    tie_width: float = 0.45

    def simulate(self, rng: np.random.Generator, *, judgments: int, items: int, judges: int) -> dict[str, Any]:
        """Return columns prompt_id, judge, model_a, model_b, winner."""
        left, right = _random_pairs(rng, len(self.strengths), judgments)
        item, judge = rng.integers(items, size=judgments), rng.integers(judges, size=judgments)
        particular = rng.normal(0.0, self.item_spread, size=(items, len(self.strengths)))
        sharp = np.array(self.sharpness)[np.arange(judges) % len(self.sharpness)]
        strength = np.array(self.strengths)
        gap = strength[left] + particular[item, left] - strength[right] - particular[item, right]
        win, tie, _ = self._chances(gap, sharp[judge])
        draw = rng.random(judgments)
        winner = np.where(draw < win, "model_a", np.where(draw < win + tie, "tie", "model_b"))
        names = np.array(self.systems, dtype=object)
        return {
            "prompt_id": np.array([f"p{number:03d}" for number in item], dtype=object),
            "judge": np.array([f"j{number:02d}" for number in judge], dtype=object),
            "model_a": names[left],
            "model_b": names[right],
            "winner": winner.astype(object),
        }

    def truth(self, ties: Literal["half", "drop"] = "half") -> FloatArray:
        """Return the log-strengths that Bradley–Terry finds in infinitely many judgments of this world."""
        return BradleyTerry(ties=ties).fit(self.expected()).strength

    def expected(self, judgments: float = 1e6) -> PairCounts:
        """Return the expected outcomes of this many judgments, spread over all pairs alike."""
        size = len(self.strengths)
        first, second = np.triu_indices(size, 1)
        # Two normal particulars differ by a normal one: integrate it exactly enough by quadrature.
        node, weight = np.polynomial.hermite_e.hermegauss(61)
        gap = np.subtract(*np.array(self.strengths)[np.stack([first, second])])
        spread = gap[:, None] + np.sqrt(2.0) * self.item_spread * node
        expected = np.zeros((3, len(first)))
        for sharp in self.sharpness:
            chances = np.stack(self._chances(spread, np.full_like(spread, sharp)))
            expected += chances @ weight / weight.sum() / len(self.sharpness)
        return _expected(self.systems[:size], first, second, expected * (judgments / len(first)))

    def _chances(self, gap: FloatArray, sharp: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        win = special.expit(sharp * gap - self.tie_width)
        loss = special.expit(-sharp * gap - self.tie_width)
        return win, 1.0 - win - loss, loss


@dataclass(frozen=True, kw_only=True)
class ScoreWorld:
    """Systems are scored on items of several types; some are better on one type, and a few scores are outliers.

    `tastes` is types × systems: what a system gains on items of a type, beyond its strength. Items also differ
    in `difficulty`, which all systems share.
    """

    strengths: tuple[float, ...]
    tastes: tuple[tuple[float, ...], ...]
    types: tuple[float, ...]
    systems: tuple[str, ...] = NAMES
    noise: float = 1.0
    outlier_share: float = 0.02
    outliers: tuple[float, ...] = (-15.0, 25.0)
    difficulty: float = 1.5

    def simulate(self, rng: np.random.Generator, *, items: int) -> dict[str, Any]:
        """Return columns item and one per system; scores lie around 50."""
        size = len(self.strengths)
        kind: IntArray = rng.choice(len(self.types), size=items, p=self.types)
        difficulty = rng.normal(0.0, self.difficulty, size=(items, 1))
        scores = self._means()[kind] + difficulty + rng.normal(0.0, self.noise, (items, size))
        wild: BoolArray = rng.random((items, size)) < self.outlier_share
        scores = np.where(wild, scores + rng.choice(self.outliers, size=scores.shape), scores)
        labels = np.array([f"i{number:03d}" for number in range(items)], dtype=object)
        columns = {name: np.round(50 + 5 * scores[:, place], 2) for place, name in enumerate(self.systems[:size])}
        return {"instance": labels, **columns}

    def truth(self) -> FloatArray:
        """Return the log-strengths that Bradley–Terry finds on infinitely many items of this world."""
        first, second = np.triu_indices(len(self.strengths), 1)
        jumps = np.array([0.0, *self.outliers])
        share = self.outlier_share / len(self.outliers)
        chance_of = np.array([1.0 - self.outlier_share, *(share for _ in self.outliers)])
        win = np.zeros(len(first))
        for part, means in zip(self.types, self._means(), strict=True):
            gap = means[first] - means[second]
            for (a, jump_a), (b, jump_b) in product(enumerate(jumps), repeat=2):
                beats = special.ndtr((gap + jump_a - jump_b) / (np.sqrt(2.0) * self.noise))
                win += part * chance_of[a] * chance_of[b] * beats
        chances = np.stack([win, 0 * win, 1 - win])
        expected = _expected(self.systems[: len(self.strengths)], first, second, chances * 1e6)
        return BradleyTerry().fit(expected).strength

    def _means(self) -> FloatArray:
        means: FloatArray = np.array(self.strengths) + np.array(self.tastes)
        return means


#: The bundled demonstration: these worlds, this seed.
DEMO_SEED = 20260101
DEMO_ARENA = Arena(strengths=(1.5, 1.0, 0.95, 0.5, 0.3, 0.25, -0.2, -0.6, -1.2, -1.6))
DEMO_SCORES = ScoreWorld(
    strengths=(0.6, 0.5, 0.4, 0.3, 0.1, 0.0, -0.3, -0.6),
    tastes=((0.0, 0.3, -0.2, 0.0, 0.2, -0.1, 0.0, 0.1), (0.0, -0.9, 0.6, 0.0, -0.5, 0.4, 0.2, -0.3)),
    types=(0.7, 0.3),
)


def _random_pairs(rng: np.random.Generator, size: int, number: int) -> tuple[IntArray, IntArray]:
    left = rng.integers(size, size=number)
    return left, (left + rng.integers(1, size, size=number)) % size


def _expected(systems: tuple[str, ...], first: IntArray, second: IntArray, outcomes: FloatArray) -> PairCounts:
    """Take expectations as counts: what any amount of evidence converges to."""
    nothing = RowUnits(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0), (3, len(first)))
    return PairCounts(systems, first, second, outcomes, nothing)
