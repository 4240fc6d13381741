"""The result of a simulated campaign: quantiles of judgments, hours and pay."""

from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import BetterthanError
from betterthan.findings import counted
from betterthan.inference import Estimate
from betterthan.options import SimulateOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result


@dataclass(frozen=True)
class CampaignGoal:
    """The cost of deciding a share of the pairs; None: until the end, with all decided or limits reached.

    Values are medians over runs, `low` and `high` the tenth and the ninetieth percentile; None where that many runs
    never got there. `reached` is the share of runs that did. Hours and cost include checks, repeats and training.
    """

    share: float | None
    reached: float
    judgments: Estimate
    hours: Estimate
    hours_per_judge: Estimate
    cost: Estimate

    @property
    def name(self) -> str:
        """The title in a table."""
        return "end" if self.share is None else f"{100 * self.share:g} % settled"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Simulation(Result):
    """A forecast of a campaign: the cost of every goal, and how many pairs are decided in the end.

    `most` is the number of comparisons that budget, items and judges allow.
    """

    verb: ClassVar[str] = "simulate"
    schema: ClassVar[str] = "simulation/1"
    holds = ("systems", "items", "judges", "pairs", "most", "runs", "settled", "goals")

    settings: SimulateOptions
    pairs: int
    most: int
    goals: tuple[CampaignGoal, ...]
    settled: Estimate  # share of the pairs

    @property
    def systems(self) -> int:
        """How many systems are compared."""
        return self.settings.systems

    @property
    def items(self) -> int:
        """How many items they are compared on."""
        return self.settings.items

    @property
    def judges(self) -> int:
        """How many judges share the work."""
        return self.settings.judges

    @property
    def runs(self) -> int:
        """How often the campaign was simulated."""
        return self.settings.runs

    def goal(self, share: float | None = None) -> CampaignGoal:
        """Return the cost of one goal; without a share, that until the end."""
        for found in self.goals:
            if found.share == share:
                return found
        known = ", ".join(f"{found.share:g}" for found in self.goals if found.share is not None)
        raise BetterthanError(f"there is no goal of {share!r}; there are: {known}.")

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per goal."""
        columns: dict[str, list[Any]] = {
            "goal": [goal.name for goal in self.goals],
            "reached": [goal.reached for goal in self.goals],
        }
        for measure in ("judgments", "hours", "hours_per_judge", "cost"):
            for end, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
                columns[measure + suffix] = [getattr(getattr(goal, measure), end) for goal in self.goals]
        return columns

    def tables(self) -> list[Table]:
        """Return the cost of every goal."""
        return [self.table()]

    def table(self) -> Table:
        """Return the cost of every goal as a finished table; pay only where judges are paid."""
        paid = self.settings.pay > 0
        columns = [
            Column("goal", "left"),
            Column("reached"),
            Column("judgments"),
            Column("10–90 %", "left", optional=2),
            Column("hours"),
            Column("10–90 %", "left", optional=3),
            Column("per judge", optional=1),
            *([Column("cost"), Column("10–90 %", "left", optional=2)] if paid else []),
        ]
        rows = []
        for goal in self.goals:
            reached = "" if goal.share is None else f"{100 * goal.reached:.0f} %"
            row = [goal.name, reached, _number(goal.judgments.value), _range(goal.judgments)]
            row += [_hours(goal.hours.value), _hours_range(goal.hours), _hours(goal.hours_per_judge.value)]
            row += [_money(goal.cost.value), _money_range(goal.cost)] if paid else []
            rows.append(row)
        return Table(columns, rows)

    def body(self, width: int | None) -> list[str]:
        """Return the simulation settings, then every goal."""
        head = (
            f"{counted(self.systems, 'system')} · {counted(self.items, 'item')} · {counted(self.pairs, 'pair')} · "
            f"{counted(self.judges, 'judge')} · {counted(self.runs, 'run')}"
        )
        return [wrapped(head, width), "", self.table().to_text(width), ""]

    @property
    def verdict(self) -> str:
        """A sentence on the cost of reaching the goal."""
        end, every = self.goal(), self.goal(1.0)
        pay = f" and cost {_money(end.cost.value)}" if self.settings.pay > 0 else ""
        settled = "" if self.settled.value == 1 else f"; half of them settle {100 * self.settled.known:.0f} % or more"
        number = counted(end.judgments.known, "comparison")
        return (
            f"{100 * every.reached:.0f} % of the simulated campaigns settle every pair{settled}. "
            f"Half of them end within {number}, which take {_hours(end.hours.value)} hours in all{pay}."
        )


def _number(value: float | None) -> str:
    return "not reached" if value is None else f"{value:,.0f}"


def _range(estimate: Estimate) -> str:
    return "" if estimate.low is None else f"{_number(estimate.low)} … {_number(estimate.high)}"


def _hours(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _hours_range(estimate: Estimate) -> str:
    return "" if estimate.low is None else f"{_hours(estimate.low)} … {_hours(estimate.high)}".rstrip()


def _money(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _money_range(estimate: Estimate) -> str:
    return "" if estimate.low is None else f"{_money(estimate.low)} … {_money(estimate.high)}".rstrip()
