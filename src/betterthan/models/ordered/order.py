"""Code shared by sequential models: the order of judgments, and how much depends on it."""

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import Places
from betterthan.findings import Finding, kinds
from betterthan.models.base import Fit, ModelBase, Order, Rerun
from betterthan.models.refitting import Refitting

#: Plays games: strengths, and their spread.
Play = Callable[[Places], tuple[FloatArray, FloatArray | None]]
#: Random orders tried by default, and how many games they may cost; one is tried in any case.
_SHUFFLES, _SHUFFLED_GAMES = 20, 2_000_000


class InOrder(ModelBase):
    """A model whose strengths depend on the order of judgments, and says how much.

    `order` is that of the file, that of a time column (`auto`: where there is one), or `average`: the mean over
    `shuffles` random orders.
    """

    exempt: ClassVar[Mapping[str, str]] = {
        "row order": "every judgment moves the ratings that the ones before it left",
        "weights": "a judgment of weight 2 moves ratings once by twice the step; two judgments move them twice",
    }
    name: ClassVar[str]
    order: Order
    shuffles: int | None
    seed: int

    def check_order(self) -> None:
        """Refuse options that cannot be."""
        registry.one_of("order", self.order, "auto", "file", "time", "average")
        if self.shuffles is not None:
            registry.number("shuffles", self.shuffles, least=2, most=10_000, whole=True)
        registry.number("seed", self.seed, least=0, whole=True)

    @abstractmethod
    def player(self, games: Any, plays: int) -> Play:
        """Prepare games for this many plays."""

    @abstractmethod
    def parameters(self, games: Any) -> dict[str, float]:
        """Return the settings that a reader needs."""

    def fit(self, games: Any) -> Fit:
        """Play the games in their order, then in random ones to see what depends on it."""
        shuffles = self._shuffles(games)
        play = self.player(games, shuffles + 1)
        seeds = np.random.SeedSequence(self.seed).spawn(shuffles)

        def shuffle(seed: np.random.SeedSequence) -> FloatArray:
            return play(np.random.default_rng(seed))[0]

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # compiled loops let go of the interpreter
            given = pool.submit(play, None)
            shuffled = np.stack(list(pool.map(shuffle, seeds)))
        strength, spread = given.result()
        if self.order == "average":
            strength = shuffled.mean(axis=0)
        return Fit.plain(
            games.systems,
            strength,
            spread=spread,
            parameters=self.parameters(games),
            resolution=1e-9,
            findings=(self._dependence(strength, shuffled),),
        )

    def refitter(self, fit: Fit, games: Any) -> "OrderedRefitting":
        """Play resampled games again."""
        return OrderedRefitting(fit, games, self)

    def rerunner(self, statistic: Any) -> Rerun | None:
        """Play all games in another random order, or average over as many others as the estimate does."""
        shuffles = self.averaged_orders(statistic)
        play = self.player(statistic, 100 * shuffles)

        def rerun(rng: np.random.Generator) -> FloatArray:
            played: FloatArray = np.mean([play(rng)[0] for _ in range(shuffles)], axis=0)
            return played

        return rerun

    def _dependence(self, strength: FloatArray, shuffled: FloatArray) -> Finding:
        """Return the number of pairs that change places between orders of the same judgments."""
        averaged = self.order == "average"
        changing, pairs = 0, len(strength) * (len(strength) - 1) // 2
        for place in range(len(strength) - 1):  # system by system: all pairs at once may not fit
            sign = np.sign(strength[place] - strength[place + 1 :])
            others = np.sign(shuffled[:, [place]] - shuffled[:, place + 1 :])
            changing += int(np.sum(np.any(others != sign, axis=0)))
        tried = shuffled if averaged else np.vstack([strength, shuffled])
        sd = float(np.mean(np.std(tried, axis=0, ddof=1)))
        tell = (
            kinds.fitting.ORDER_DEPENDENCE.noted if averaged or not changing else kinds.fitting.ORDER_DEPENDENCE.found
        )
        share = changing / max(pairs, 1)
        return tell(model=self.name, changing=changing, pairs=pairs, orders=len(shuffled), sd=sd, share=share)

    def averaged_orders(self, games: Any) -> int:
        """Return over how many random orders the estimate averages; 1 where it takes the order that there is."""
        return self._shuffles(games) if self.order == "average" else 1

    def _shuffles(self, games: Any) -> int:
        least = 2 if self.order == "average" else 1
        return self.shuffles or int(np.clip(_SHUFFLED_GAMES // max(games.units.rows, 1), least, _SHUFFLES))


@dataclass(frozen=True, eq=False)
class OrderedRefitting(Refitting):
    """Plays resampled games again, in their order, or in as many random ones as the estimate averages over."""

    model: InOrder

    @cached_property
    def shuffles(self) -> int:
        """Orders of every resample."""
        return self.model.averaged_orders(self.statistic)

    @cached_property
    def play(self) -> Play:
        """The prepared games."""
        return self.model.player(self.statistic, 1000 * self.shuffles)

    def prepare(self) -> None:
        """Prepare the games."""
        _ = self.play

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Play games that occur so often (games × resamples)."""
        play, averaged, strengths = self.play, self.model.order == "average", []
        for column in resampled.T:
            drawn = np.repeat(np.arange(len(column)), column.astype(np.int64))
            orders = [rng.permutation(drawn) for _ in range(self.shuffles)] if averaged else [drawn]
            strengths.append(np.mean([play(order)[0] for order in orders], axis=0))
        return np.stack(strengths, axis=1), 0
