"""More runs or more items? Plans for differences that vary between items and between runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from betterthan.base import PlanError, scipy, spelling
from betterthan.inference import RunVariance
from betterthan.verbs.power.sample_size import first

#: Runs that a cheapest plan is looked for among.
_RUNS = range(2, 51)


@dataclass(frozen=True)
class RunPlan:
    """A planned t-test over items and runs, with a number of runs of each system."""

    variance: RunVariance
    runs: int
    power: float
    level: float

    test = "t"

    def needed(self, difference: float) -> int | None:
        """Return the number of items needed, None where no number is enough with these runs."""
        return first(lambda items: self.reached(difference, items) >= self.power, 2) if difference else None

    def smallest(self, items: int) -> float | None:
        """Return the smallest difference that that many items detect."""
        return self.variance.smallest(items, self.runs, self.level, self.power) if items > 1 else None

    def reached(self, difference: float, items: int) -> float:
        """Return the power that that many items have."""
        if items < 2:
            return 0.0
        error, freedom = self.variance.error(items, self.runs)
        if error == 0:
            return 1.0
        limit = float(scipy.special.stdtrit(freedom, (1 + self.level) / 2))
        return float(np.nan_to_num(scipy.stats.nct.sf(limit, freedom, abs(difference) / error), nan=1.0))


@dataclass(frozen=True)
class Design:
    """A number of items and runs, the smallest difference that it detects, and what it costs."""

    what: str
    items: int | None
    runs: int | None
    smallest: float
    cost: float | None


@dataclass(frozen=True)
class Costs:
    """What an item costs, and one answer of a system to it."""

    item: float
    answer: float

    @classmethod
    def of(cls, given: Mapping[str, str] | None) -> "Costs | None":
        """Read costs as they were given.

        >>> Costs.of({"item": "2", "answer": "0.05"})
        Costs(item=2.0, answer=0.05)
        """
        if given is None:
            return None
        try:
            found = cls(**{name: float(value) for name, value in given.items()})
        except (TypeError, ValueError):
            found = cls(-1, -1)
        if not (0 <= found.item < inf and 0 < found.answer < inf):
            raise PlanError(
                f"{spelling.option('costs')} must say what an item and an answer cost, such as item=2,answer=0.05"
            )
        return found

    def total(self, items: int, runs: int) -> float:
        """Return the cost of items with a number of runs of two systems."""
        return items * (self.item + 2 * runs * self.answer)


def designs(plan: RunPlan, items: int, difference: float | None, costs: Costs | None) -> tuple[Design, ...]:
    """Return what more items or more runs would detect, and the cheapest plan for a difference."""

    def design(what: str, number: int, runs: int) -> Design:
        smallest = plan.variance.smallest(number, runs, plan.level, plan.power)
        return Design(what, number, runs, smallest, None if costs is None else costs.total(number, runs))

    reach = float(scipy.special.ndtri((1 + plan.level) / 2) + scipy.special.ndtri(plan.power))
    found = [
        design("available", items, plan.runs),
        design("twice the items", 2 * items, plan.runs),
        design("twice the runs", items, 2 * plan.runs),
        Design(
            "any number of items",
            None,
            plan.runs,
            plan.variance.smallest(10**12, plan.runs, plan.level, plan.power),
            None,
        ),
        Design("any number of runs", items, None, reach * plan.variance.item.known / sqrt(items), None),
    ]
    if costs is not None and difference is not None and (best := _cheapest(plan, difference, costs)) is not None:
        found.append(design("cheapest", *best))
    return tuple(found)


def _cheapest(plan: RunPlan, difference: float, costs: Costs) -> tuple[int, int] | None:
    """Return the items and runs that detect a difference at the lowest cost."""
    possible = []
    for runs in _RUNS:
        items = RunPlan(plan.variance, runs, plan.power, plan.level).needed(difference)
        if items is not None:
            possible.append((costs.total(items, runs), items, runs))
    return min(possible)[1:] if possible else None
