"""Item curves: the chance of a right answer by ability, and what a few answers of a new system say about all items."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.verbs.items.item_response import Calibration

#: Abilities lie on a grid of that many nodes, up to that many standard deviations from the mean.
_NODES, _REACH = 81, 5.0


@dataclass(frozen=True)
class Forecast:
    """The share of all items that a new system would get right, with its standard deviation."""

    right: float
    deviation: float


@dataclass(frozen=True)
class ItemCurves:
    """The chance of a right answer (items × abilities) and the weights of abilities, from calibrated systems.

    Chances are means over what is known of an item, so that items that few systems answered are less certain.
    """

    ability: FloatArray
    weight: FloatArray
    chance: FloatArray

    @classmethod
    def of(cls, found: Calibration) -> "ItemCurves":
        """Take the items of a calibration, and its systems as a sample of systems."""
        systems = len(found.ability)
        spread = float(np.sqrt(np.var(found.ability, ddof=1) * (1 + 1 / systems)))
        ability = found.ability.mean() + spread * np.linspace(-_REACH, _REACH, _NODES)
        weight = np.exp(-(np.linspace(-_REACH, _REACH, _NODES) ** 2) / 2)
        return cls(ability, weight / weight.sum(), np.clip(found.chances(ability), 1e-9, 1 - 1e-9))

    def posterior(self, answers: FloatArray) -> FloatArray:
        """Return the weights of abilities given answers: 1 right, 0 wrong, NaN not asked."""
        asked = ~np.isnan(answers)
        right, chance = answers[asked], self.chance[asked]
        log = np.log(self.weight) + right @ np.log(chance) + (1 - right) @ np.log1p(-chance)
        weight = np.exp(log - log.max())
        found: FloatArray = weight / weight.sum()
        return found

    def forecast(self, answers: FloatArray, among: BoolArray | None = None) -> Forecast:
        """Return the share of all items, or of those `among`, that a system would get right, given some answers."""
        asked, wanted = ~np.isnan(answers), np.ones(len(answers), dtype=bool) if among is None else among
        number = int(wanted.sum())
        weight, others = self.posterior(answers), self.chance[~asked & wanted]
        mean = (answers[asked].sum() + others.sum(axis=0)) / number
        noise = np.sum(others * (1 - others), axis=0) / number**2
        right = float(weight @ mean)
        return Forecast(right, float(np.sqrt(max(weight @ (mean - right) ** 2 + weight @ noise, 0.0))))

    def best(self, number: int, weight: FloatArray | None = None, asked: IntArray | None = None) -> IntArray:
        """Return the items that make the forecast most certain, one after the other.

        The variance of the share of right answers has two parts. One is that of the ability, by the information of the
        items, times the squared slope of the share. The other is that of the remaining answers. Each item lowers their
        sum most, given those before it.
        """
        weight = self.weight if weight is None else weight
        slope = np.gradient(self.chance, self.ability, axis=1)
        noise = self.chance * (1 - self.chance)
        information = slope**2 / noise
        mean = float(weight @ self.ability)
        before = 1 / max(float(weight @ (self.ability - mean) ** 2), 1e-12)
        steepness = weight * (slope.mean(axis=0)) ** 2
        saved = (noise @ weight) / len(self.chance) ** 2
        known = np.full(len(self.ability), before)
        free = np.ones(len(self.chance), dtype=bool)
        free[[] if asked is None else asked] = False
        chosen: list[int] = []
        for _ in range(min(number, int(free.sum()))):
            left = (1 / (known + information)) @ steepness - saved
            item = int(np.argmin(np.where(free, left, np.inf)))
            free[item] = False
            known = known + information[item]
            chosen.append(item)
        return np.array(chosen, dtype=np.int64)
