"""One data set: its title, its units, its row account, and statistics that are computed once."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from betterthan.base import Memo, PlanError, spelling
from betterthan.datasets.evidence_summary import EvidenceSummary, counted_noun
from betterthan.datasets.scope import scope_of
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.engine import Coded
from betterthan.evidence import Account, Order, Reading, Tally

_Statistic = TypeVar("_Statistic")


@dataclass(frozen=True, kw_only=True)
class DataSet(ABC):
    """One data set of judgments, rankings or scores, from which models get their statistics.

    Verbs use its answers. Only a procedure that needs the judgments, rankings or scores themselves takes a `JudgedSet`,
    a `RankedSet` or a `ScoredSet`.

    `unit` is the unit of dependence, which is resampled as a whole: row, item, judge, ranking, group, or items crossed
    with judges. Views of one data set with other units share computed statistics.
    """

    title: str = ""
    unit: str
    tolerance: float = 0.0
    fixed: tuple[str, ...] = ()  # units that are taken as given on request
    reading: Reading | None = field(default=None, compare=False)  # how the evidence was read
    made: Memo = field(default_factory=Memo, repr=False, compare=False)

    #: The kind of evidence: judgments, rankings or scores.
    kind: ClassVar[str]
    #: The default scale of log-strengths.
    default_scale: ClassVar[str]
    #: Whether each row is a judgment of two systems, with the sides on which the judge saw them.
    pairwise: ClassVar[bool] = False
    #: The unit where nothing is dependent, and the units to choose from where only one is possible.
    independent_unit: ClassVar[str]
    single_units: ClassVar[str]

    @property
    def spare_columns(self) -> tuple[str, ...]:
        """Columns of judgments in files or tables that have no role, such as the lengths of both outputs."""
        return ()

    @property
    def counted(self) -> str:
        """What is counted, in the singular: item or judgment."""
        return counted_noun(self.kind)

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the evidence in messages."""

    @property
    @abstractmethod
    def by(self) -> tuple[str, ...]:
        """The columns that define units; none where every judgment is its own unit."""

    @property
    @abstractmethod
    def named_units(self) -> tuple[str, ...]:
        """The units that columns of the evidence name."""

    @property
    @abstractmethod
    def independent(self) -> bool:
        """Whether the comparisons of two systems are independent of each other."""

    @property
    def roles(self) -> Mapping[str, str]:
        """The columns of judgments by their role; none for scores."""
        return {}

    @property
    def columns(self) -> Iterable[str]:
        """All columns where each row is a judgment, else none."""
        return ()

    @property
    def ordered(self) -> bool:
        """Whether comparisons can be taken in an order of their own."""
        return True

    @property
    def sequential(self) -> bool:
        """Whether pairs can be decided while comparisons come in, however often results are read."""
        return False

    @property
    def lower_is_better(self) -> bool | None:
        """Whether lower scores are better; None for judgments."""
        return None

    @property
    def named(self) -> tuple[str, str]:
        """The names of the data set and of the metric, empty where there are none."""
        return self.title, ""

    @property
    def corpus_metric(self) -> str | None:
        """The corpus-level metric of the scores, None where there is none."""
        return None

    @property
    def labelled(self) -> bool:
        """Whether people labelled some of what a judge scored or decided, which corrects it."""
        return False

    @property
    def default_intervals(self) -> str:
        """How intervals are computed by default."""
        return "bootstrap"

    @property
    def single_items(self) -> bool:
        """Whether items can be averaged and compared one by one: a corpus-level metric may have no scores of them."""
        return True

    @property
    def groups(self) -> Coded | None:
        """The group of every item, where groups of scores are the unit."""
        return None

    @property
    @abstractmethod
    def given_units(self) -> dict[str, int]:
        """Further dependent units that are not resampled, with their numbers."""

    @property
    def other_units(self) -> dict[str, int]:
        """Those of them that nobody asked to take as given: a finding names them."""
        return {unit: size for unit, size in self.given_units.items() if unit not in self.fixed}

    @property
    def watched(self) -> bool:
        """Whether results were read while the evidence came in, as in a campaign."""
        return self.reading is not None and self.reading.watched

    def scope(self, *, anytime: bool = False) -> str:
        """Return what a result holds for: units like these, those taken as given, and how often results are read."""
        looks = ", however often you look" if anytime else ", for one look at the end" if self.watched else ""
        return scope_of(self.unit, self.counted, self.given_units) + looks

    def need_random(self, unit: str) -> str:
        """Return a unit to resample by, or refuse one that is to be taken as given."""
        if both := [part for part in unit.split("+") if part in self.fixed]:
            raise PlanError(
                f"{spelling.option('unit', unit)} resamples {both[0]}s, which are taken as given by "
                f"{spelling.option('fixed', both[0])}",
                remedy="Leave one of them out.",
            )
        return unit

    @abstractmethod
    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Return the row account; an order may refuse rows without a time, and units rows without a unit."""

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
    def conversion(self, statistic: Any, *, instead: bool = False) -> str:
        """Describe the conversion to a statistic (`instead` of the one a model prefers); empty if there is none."""

    def resampled_whole(self, kind: type[Any]) -> bool:
        """Whether this statistic keeps rankings whole, so that their rows cannot be resampled."""
        del kind
        return False

    @abstractmethod
    def summary(self, order: Order | None = None, *, units: bool = True) -> EvidenceSummary:
        """Return the evidence in numbers."""

    @abstractmethod
    def default_models(self, ci: str, unit: str | None) -> str:
        """Return the default models, separated by commas, for a kind of intervals and the unit that was requested."""

    @property
    def main_model(self) -> str:
        """The model whose leaderboard comes first: Bradley–Terry, or the score itself."""
        return self.default_models("bootstrap", None).split(",")[0]

    @property
    def digest(self) -> str:
        """A short digest of the data, the same for every order of rows, side and engine."""
        return self.pairs().digest()

    def by_one_unit(self, asked: str | None, what: str) -> Self:
        """Return this data set with one unit where `what` cannot take two: rankings, or else items."""
        if "+" not in self.unit:
            return self
        if asked is not None:
            raise PlanError(f"{what} takes one unit of dependence, not {asked}", allowed=self.single_units)
        return self.settled("ranking" if "ranking" in self.named_units else "item", self.tolerance)

    def by_items_alone(self, asked: str | None, what: str) -> Self:
        """Return scores by items alone where `what` cannot take judges of scores as units too; judgments unchanged."""
        del asked, what
        return self

    def in_buckets(self, buckets: int | None) -> Self:
        """Return this data set with many units in that many buckets; scores have none, which 0 says too."""
        if buckets:
            raise PlanError(
                f"{spelling.option('buckets', buckets)} is for judgments, but this evidence is {self.kind}",
                remedy="Leave it out.",
            )
        return self

    def as_independent(self) -> Self:
        """Return this data set with every judgment, or item of scores, as its own unit."""
        return self.settled(self.independent_unit, self.tolerance)

    def described(self, names: Iterable[str], *, unranked: str = "missing") -> Self:
        """Return the same data with further columns for formulas, which only rankings must read beforehand.

        With `unranked` as `last`, systems that a ranking lacks are below all that it has.
        """
        del names
        if unranked != "missing":
            raise PlanError(
                f"{spelling.option('unranked', unranked)} is for rankings, but this evidence is {self.kind}",
                remedy="Leave it out.",
            )
        return self

    @abstractmethod
    def settled(self, unit: str | None, tolerance: float) -> Self:
        """Return this data set with another unit, or with ties of scores up to another difference."""
