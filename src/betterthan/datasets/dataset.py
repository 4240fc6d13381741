"""One data set: its title, its unit of dependence, its account of rows, and statistics that are made once."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, TypeVar

from betterthan.datasets.summary import EvidenceSummary
from betterthan.engine.once import Once
from betterthan.engine.table import Coded
from betterthan.errors import PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments, Order
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.reading import Reading
from betterthan.evidence.scores import ScoreTable
from betterthan.evidence.tally import Tally
from betterthan.reduce.pairs import PairCounts
from betterthan.spelling import option

_Statistic = TypeVar("_Statistic")


@dataclass(frozen=True, kw_only=True)
class DataSet(ABC):
    """Judgments, rankings or scores of one data set, asked for statistics and not for models.

    `unit` is what is dependent within itself and resampled as a whole: row, item, judge, ranking, group, or items
    crossed with judges. Views of one data set with other units share what was made.
    """

    title: str = ""
    unit: str
    tolerance: float = 0.0
    reading: Reading | None = field(default=None, compare=False)  # how the evidence was read
    made: Once = field(default_factory=Once, repr=False, compare=False)

    #: What came in, where it did: statistics are made of these.
    judgments: Judgments | None = None
    rankings: Rankings | None = None
    scores: ScoreTable | None = None

    @property
    @abstractmethod
    def kind(self) -> str:
        """What people brought: judgments, rankings or scores."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What to call the evidence in a message."""

    @property
    @abstractmethod
    def by(self) -> tuple[str, ...]:
        """The columns that keep units apart; none where every judgment is a unit of its own."""

    @property
    def groups(self) -> Coded | None:
        """The group of every item, where groups of scores are the unit."""
        return None

    @property
    @abstractmethod
    def other_units(self) -> dict[str, int]:
        """What is dependent too, and is not the unit, with its number."""

    @abstractmethod
    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Say what became of the rows; an order may refuse some that lack a time, and units some without one."""

    @abstractmethod
    def order_of(self, wanted: str) -> Order | None:
        """Return the order in which judgments are taken one by one, None where it does not matter (`average`)."""

    @abstractmethod
    def tally(self, order: Order | None = None, *, units: bool = True) -> Tally:
        """Return distinct judgments, or with an order single ones; without `units` they need not be kept apart."""

    @abstractmethod
    def pairs(self, order: Order | None = None, *, units: bool = True) -> PairCounts:
        """Return the outcomes of every pair that met, which most models and every board use."""

    @abstractmethod
    def statistic(self, kind: type[_Statistic], wanted: str = "average", *, units: bool = True) -> _Statistic | None:
        """Return a statistic of a kind, None where this evidence has none; see `order_of` for `wanted`."""

    @abstractmethod
    def conversion(self, statistic: Any) -> str:
        """Say how what people brought became a statistic; empty where nothing was converted."""

    @abstractmethod
    def summary(self, order: Order | None = None, *, units: bool = True) -> EvidenceSummary:
        """Return the evidence in numbers."""

    @property
    def digest(self) -> str:
        """A short fingerprint of the data, the same for every order of rows, side and engine."""
        return self.pairs().digest()

    def by_one_unit(self, asked: str | None, what: str) -> "DataSet":
        """Return this data set with one unit where `what` cannot take two: rankings, or else items."""
        if "+" not in self.unit:
            return self
        if asked is not None:
            allowed = "item, judge, ranking, row" if self.scores is None else "item"
            raise PlanError(f"{what} takes one unit of dependence, not {asked}", allowed=allowed)
        named = self.judgments.units if self.judgments is not None else ()
        return self.settled("ranking" if "ranking" in named else "item", self.tolerance)

    def in_buckets(self, buckets: int | None) -> "DataSet":
        """Return this data set with many units in so many buckets; scores have none, which 0 says too."""
        if buckets:
            raise PlanError(
                f"{option('buckets', buckets)} is for judgments, but this evidence is {self.kind}",
                remedy="Leave it out.",
            )
        return self

    def as_independent(self) -> "DataSet":
        """Return this data set with every judgment, or item of scores, as a unit of its own."""
        return self.settled("row" if self.scores is None else "item", self.tolerance)

    @abstractmethod
    def settled(self, unit: str | None, tolerance: float) -> "DataSet":
        """Return this data set with another unit, or with ties of scores up to another difference."""
