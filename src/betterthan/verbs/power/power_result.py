"""The result of `power`: the number needed, the power of the available evidence, and a simulation."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from betterthan.datasets import counted_noun
from betterthan.inference import RunVariance
from betterthan.options import UNIT_WORDS, PowerOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result
from betterthan.verbs.power.run_plan import Design


@dataclass(frozen=True)
class Need:
    """The number of items or judgments to detect one difference or win share, and how many are missing.

    `what` is asked, observed, low or high (the ends of the observed one's interval). `needed` is None where no number
    is enough, `groups` where nothing is dependent, `more` where there is no evidence yet.
    """

    what: str
    value: float
    needed: int | None
    groups: int | None
    more: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Simulated:
    """The power of a test in simulations drawn from the evidence, and its standard error."""

    test: str
    n: int
    power: float
    error: float
    simulations: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Power(Result):
    """The result of `power`: the numbers needed to distinguish two systems, and what the evidence can detect.

    `measure` says what is detected: a difference of scores, or a win share among decided judgments. `smallest` is the
    smallest that `n` detects with the `power` wanted; `reached` is the power of `n` for the one asked.

    >>> import betterthan as bt
    >>> plan = bt.power(sd=12, difference=1)
    >>> plan.needed, plan.test
    (1133, 't')
    """

    verb: ClassVar[str] = "power"
    schema: ClassVar[str] = "power/2"
    holds = (
        "a",
        "b",
        "kind",
        "unit",
        "measure",
        "test",
        "power",
        "level",
        "n",
        "units",
        "observed",
        "low",
        "high",
        "spread",
        "tie_share",
        "design_effect",
        "smallest",
        "reached",
        "needed",
        "more",
        "needs",
        "simulated",
        "variance",
        "designs",
    )

    settings: PowerOptions
    pairing: Mapping[str, str]
    a: str | None
    b: str | None
    kind: str
    grouping: str | None  # what one unit is where several comparisons share it; of two crossed units the scarcer one
    measure: str
    test: str
    n: int | None
    units: int | None
    observed: float | None
    low: float | None
    high: float | None
    spread: float | None
    tie_share: float | None
    design_effect: float | None
    smallest: float | None
    reached: float | None
    needs: tuple[Need, ...]
    simulated: tuple[Simulated, ...]
    variance: RunVariance | None = None  # where scores of several runs were planned for
    designs: tuple[Design, ...] = ()

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return self.pairing

    @property
    def unit(self) -> str | None:
        """The unit of dependence; None where there is no evidence yet."""
        return self.settings.unit

    @property
    def power(self) -> float:
        """The power wanted."""
        return self.settings.power

    @property
    def level(self) -> float:
        """The level of tests and intervals."""
        return self.settings.level

    @property
    def needed(self) -> int | None:
        """How many are needed for what was asked, else for what was observed; None where no number is enough."""
        return self.needs[0].needed if self.needs else None

    @property
    def more(self) -> int | None:
        """How many more than available are needed."""
        return self.needs[0].more if self.needs else None

    def columns(self) -> dict[str, list[Any]]:
        """Return the required numbers as columns."""
        return {
            name: [getattr(need, name) for need in self.needs] for name in ("what", "value", "needed", "groups", "more")
        }

    def tables(self) -> list[Table]:
        """Return the required numbers, and the simulations."""
        tables = [self.need_table(), *([self.simulation_table()] if self.simulated else [])]
        return tables + ([self.variance_table(), self.design_table()] if self.designs else [])

    def need_table(self) -> Table:
        """Return the required numbers as a finished table."""
        grouped = any(need.groups is not None for need in self.needs)
        columns = [Column("", "left"), Column(self.measure), Column(self._many), Column("more", optional=1)]
        rows = [
            [_WHAT[need.what], _shown(need.value), _count(need.needed), "" if need.more is None else f"{need.more:,}"]
            for need in self.needs
        ]
        if grouped:
            columns.insert(3, Column(f"{self.grouping}s"))
            for row, need in zip(rows, self.needs, strict=True):
                row.insert(3, _count(need.groups))
        return Table(columns, rows)

    def simulation_table(self) -> Table:
        """Return the simulated power of every test as a finished table."""
        columns = [Column("simulated", "left"), Column(self._many), Column("power"), Column("±")]
        rows = [[found.test, f"{found.n:,}", f"{found.power:.3f}", f"{found.error:.3f}"] for found in self.simulated]
        return Table(columns, rows)

    def variance_table(self) -> Table:
        """Return what the difference varies by as a finished table."""
        interval = f"{100 * self.level:g} % interval"
        columns = [Column("the difference varies by", "left"), Column("standard deviation"), Column(interval, "left")]
        assert self.variance is not None
        named = {"item": self.variance.item, "run": self.variance.run, "single answer": self.variance.rest}
        rows = [[name, _shown(each.value), f"{_shown(each.low)} … {_shown(each.high)}"] for name, each in named.items()]
        return Table(columns, rows)

    def design_table(self) -> Table:
        """Return what other numbers of items and runs would detect."""
        costs = any(each.cost is not None for each in self.designs)
        columns = [Column("design", "left"), Column("items"), Column("runs"), Column("smallest difference")]
        columns += [Column("cost")] if costs else []
        rows = [
            [
                each.what,
                "∞" if each.items is None else f"{each.items:,}",
                "∞" if each.runs is None else f"{each.runs:,}",
                _shown(each.smallest),
                *([""] if costs and each.cost is None else [f"{each.cost:,.6g}"] if costs else []),
            ]
            for each in self.designs
        ]
        return Table(columns, rows)

    def body(self, width: int | None) -> list[str]:
        """Return the available evidence, the required numbers, and simulations."""
        shown = (
            self.tables() if len(self.needs) > 1 else self.tables()[1:]
        )  # one required number is stated in the verdict
        return [wrapped(self._heading, width), "", *(line for table in shown for line in (table.to_text(width), ""))]

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return wrapped(self.verdict, width)

    @property
    def verdict(self) -> str:
        """How many are needed, and what those available can show."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """The answers in words: what is needed, and what a number can show."""
        with_power = f"with power {self.power:g}"
        found = []
        if not self.needs and self.a is not None:
            found.append(f"No number of {self._many} distinguishes {self.a} from {self.b}: they never differ.")
        for need in self.needs[:1]:
            what = f"{'the observed' if need.what == 'observed' else 'a'} {self.measure} of {_shown(need.value)}"
            if need.needed is None:
                found.append(f"No number of {self._many} up to a trillion detects {what}.")
                continue
            groups = "" if need.groups is None else f" ({self._within(need.groups)})"
            more = "" if need.more is None else f": {need.more:,} more" if need.more else ": there are enough"
            number = f"{need.needed:,} {self._many}{groups}{more}"
            found.append(f"To detect {what} {with_power} at level {self.level:g}, the {self.test} test needs {number}.")
        if self.reached is not None:
            found.append(f"With {self.n:,} {self._many}, the power to detect it is {self.reached:.3f}.")
        if self.smallest is not None:
            what = f"smallest {self.measure} that {self.n:,} {self._many} detect"
            found.append(f"The {what} {with_power} is {_shown(self.smallest)}.")
        elif self.n is not None and (self.needs or self.a is None):
            found.append(f"With {self.n:,} {self._many}, no {self.measure} is detected {with_power}.")
        if self.designs:
            now, items, runs = self.designs[:3]
            found.append(
                f"Twice the runs would detect {_shown(runs.smallest)}, twice the items {_shown(items.smallest)}, and "
                f"those at hand detect {_shown(now.smallest)}."
            )
        return found

    @property
    def _many(self) -> str:
        return f"{counted_noun(self.kind)}s"

    def _within(self, units: int) -> str:
        """Describe the number of units, and further dependence."""
        crossed = f", by {UNIT_WORDS[self.unit]}" if self.unit is not None and "+" in self.unit else ""
        return f"{'in' if self.grouping == 'group' else 'from'} {units:,} {self.grouping}{'s' * (units != 1)}{crossed}"

    @property
    def _heading(self) -> str:
        parts = [f"{self.a} against {self.b}" if self.a is not None else f"{self.kind}, from numbers alone"]
        if self.n is not None:
            units = self._within(self.units) if self.units is not None and self.units < self.n else ""
            parts.append(f"{self.n:,} {self._many} {units}".rstrip())
        if self.observed is not None and self.low is not None:
            interval = f"{100 * self.level:g} % interval {_shown(self.low)} … {_shown(self.high)}"
            parts.append(f"{self.measure} {_shown(self.observed)} ({interval})")
        if self.spread is not None:
            parts.append(f"standard deviation {_shown(self.spread)}")
        if self.tie_share:
            parts.append(f"{100 * self.tie_share:.3g} % ties")
        if self.design_effect is not None:
            parts.append(f"design effect {self.design_effect:.3g}")
        return " · ".join(parts)


_WHAT = {"asked": "asked", "observed": "observed", "low": "interval's low end", "high": "interval's high end"}


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _count(number: int | None) -> str:
    return "no number" if number is None else f"{number:,}"
