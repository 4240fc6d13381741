"""Scores: one number per item, system and metric."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from betterthan.base import ArrayEquality, BoolArray, EvidenceError, FloatArray, IntArray, arrays
from betterthan.engine import Coded, Table
from betterthan.evidence.judgments import Judgments, judgments_from_columns
from betterthan.evidence.protocol import Closing
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.reading_report import Reading
from betterthan.evidence.rows.account import Account
from betterthan.evidence.rows.size_limits import bounded_scores

if TYPE_CHECKING:
    from betterthan.evidence.rows.source_rows import SourceRows

_WORDS = ("left", "right", "tie")


#: From that many items on, two different scores are taken for the only ones there are.
_TWO_VALUED = 20


@dataclass(frozen=True, eq=False)
class Repeats(ArrayEquality):
    """Repeated scores one by one: codes of item and system, of the repeat, the value, the judge."""

    item: IntArray
    system: IntArray
    repeat: Coded
    value: FloatArray
    judge: Coded | None = None  # where judges are among the columns that separate repeats
    row: IntArray | None = field(default=None, compare=False)  # of the table that scores were read from

    @property
    def judges(self) -> int:
        """The number of judges, 0 if unknown."""
        return 0 if self.judge is None else len(np.unique(self.judge.codes[~np.isnan(self.value)]))

    @property
    def runs(self) -> int:
        """The largest number of runs of a system, 0 where no run scored several items."""
        there = ~np.isnan(self.value)
        of_system = self.system[there] * len(self.repeat.labels) + self.repeat.codes[there]
        runs, items = np.unique(of_system, return_counts=True)
        if not len(runs) or items.max() < 2:
            return 0
        return int(np.bincount(runs // len(self.repeat.labels)).max())

    @property
    def crossed(self) -> bool:
        """Did some judge score several items?"""
        if self.judge is None:
            return False
        there = ~np.isnan(self.value)
        pairs = np.unique(self.item[there] * len(self.judge.labels) + self.judge.codes[there])
        return self.judges < len(pairs)

    def take(self, rows: IntArray) -> "Repeats":
        """Keep some of the scores."""
        judge = None if self.judge is None else self.judge.take(rows)
        row = None if self.row is None else self.row[rows]
        return Repeats(self.item[rows], self.system[rows], self.repeat.take(rows), self.value[rows], judge, row)

    def renumbered(self, item: IntArray, system: IntArray) -> "Repeats":
        """Renumber items and systems; −1 leaves out."""
        there = np.flatnonzero((item[self.item] >= 0) & (system[self.system] >= 0))
        kept = self.take(there)
        return replace(kept, item=item[kept.item], system=system[kept.system])


@dataclass(frozen=True, eq=False)
class GoldLabels(ArrayEquality):
    """People's labels of some scores of a judge: items × systems, NaN where there is none, and their weights.

    Higher is better, as in the table they belong to. A label that was drawn with a known probability counts by its
    inverse. `name` is the column, judge or file that they come from.
    """

    values: FloatArray
    weight: FloatArray
    name: str = "gold"
    unmatched: int = 0  # labels of items and systems that have no scores

    def take(self, items: IntArray, systems: IntArray | None = None) -> "GoldLabels":
        """Keep some items and systems, in the order given."""
        columns = np.arange(self.values.shape[1]) if systems is None else systems
        kept = np.ix_(items, columns)
        return replace(self, values=self.values[kept], weight=self.weight[kept])


@dataclass(frozen=True, eq=False)
class ScoreTable(ArrayEquality):
    """One metric on one data set: items × systems, NaN where a score is missing.

    Higher is better: metrics for which lower is better are stored negated, and `negated` records it. If a column
    defines dependent items, `groups` holds it and `grouped_by` its name. If systems were scored repeatedly on an item,
    `values` are means and `repeats` holds every score. For corpus-level metrics `parts` holds the contribution of every
    item (items × systems × numbers, NaN where missing), and `metric` computes a score from them.
    """

    title: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    values: FloatArray
    negated: bool = False
    appearance: IntArray | None = None  # the items as they came, where they are held in another order
    groups: Coded | None = None  # may lack the group of an item that one run alone has
    grouped_by: str = ""
    repeats: Repeats | None = None
    parts: FloatArray | None = None
    dataset: str = ""
    metric: str = ""
    gold: GoldLabels | None = None  # people's labels of some scores, by which those of a judge are corrected
    source: "SourceRows | None" = field(default=None, compare=False)  # the rows of items, for further columns

    def in_canonical_order(self, *, named: bool) -> "ScoreTable":
        """Return the same table with its items in an order that the order of rows does not change.

        Items are sorted by their names; where rows had none (`named` is False), by their scores. Models in which order
        matters take items as they came, which `appearance` says.
        """
        groups = () if self.groups is None else (self.groups.codes,)
        # By size first: less may be better, and negated scores are the same evidence.
        given = self.as_given.T[::-1]
        by_scores = (*groups, *given, *np.abs(given))
        by_name = np.argsort(np.array(self.items, dtype=object), kind="stable") if named else np.lexsort(by_scores)
        order: IntArray = np.asarray(by_name, dtype=np.int64)
        if np.array_equal(order, np.arange(len(order))):
            return self
        came = np.empty_like(order)
        came[order] = np.arange(len(order))
        return replace(
            self,
            items=tuple(self.items[place] for place in order),
            values=self.values[order],
            appearance=came if self.appearance is None else came[self.appearance],
            groups=None if self.groups is None else self.groups.take(order),
            parts=None if self.parts is None else self.parts[order],
            gold=None if self.gold is None else self.gold.take(order),
            source=None if self.source is None else self.source.kept(came),
        )

    def take(self, items: IntArray, systems: IntArray) -> "ScoreTable":
        """Keep some items and systems, in the order given."""
        came = np.arange(len(self.items)) if self.appearance is None else self.appearance
        item, system = np.full(len(self.items), -1), np.full(len(self.systems), -1)
        item[items], system[systems] = np.arange(len(items)), np.arange(len(systems))
        return replace(
            self,
            systems=tuple(self.systems[place] for place in systems),
            values=self.values[np.ix_(items, systems)],
            items=tuple(self.items[place] for place in items),
            appearance=item[came][item[came] >= 0],
            groups=None if self.groups is None else self.groups.take(items),
            parts=None if self.parts is None else self.parts[np.ix_(items, systems)],
            repeats=None if self.repeats is None else self.repeats.renumbered(item, system),
            gold=None if self.gold is None else self.gold.take(items, systems),
            source=None if self.source is None else self.source.kept(item),
        )

    @property
    def as_given(self) -> FloatArray:
        """The scores as they were read."""
        return -self.values if self.negated else self.values

    @property
    def two_valued(self) -> bool:
        """Whether every score is one of two values, such as right and wrong; a median is then uninformative."""
        there = np.abs(self.values[~np.isnan(self.values)])  # held negated where less is better
        if np.all((there == 0) | (there == 1)):
            return True
        # A few items may show two of many values.
        return len(self.values) >= _TWO_VALUED and bool(np.all((there == there.min()) | (there == there.max())))

    @property
    def fine(self) -> BoolArray:
        """Whether the scores of each system are fine enough for quartiles to mean something.

        Scores of right and wrong are not, nor grades.
        """
        limits = _limits_of_outliers()
        fine = np.array(
            [len(np.unique(column[~np.isnan(column)])) >= limits["distinct_scores"] for column in self.values.T]
        )
        if np.any(fine):
            low, high = np.nanquantile(self.values[:, fine], [0.25, 0.75], axis=0)
            fine[fine] = high > low
        return fine

    @property
    def outlying(self) -> BoolArray:
        """Which scores are beyond 1.5 interquartile ranges of their system's quartiles (items × systems).

        None are where quartiles mean nothing: of few items, or of scores that are not fine.
        """
        found = np.zeros(self.values.shape, dtype=bool)
        fine = self.fine
        # Quartiles of few items call anything an outlier.
        if len(self.items) >= _limits_of_outliers()["items"] and np.any(fine):
            found[:, fine] = arrays.far_from_the_rest(self.values[:, fine])
        return found

    def signs(self, tolerance: float = 0.0) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
        """Return 1, 0, −1 for win, tie, loss of the first system per item and pair (−2: not both scored).

        Differences up to `tolerance` are ties.
        """
        bounded_scores(len(self.systems), len(self.items), self.title or "the scores")
        first, second = np.triu_indices(len(self.systems), 1)
        signs = np.empty((len(self.items), len(first)), dtype=np.int8)
        start = 0
        for system in range(len(self.systems) - 1):
            gap = self.values[:, [system]] - self.values[:, system + 1 :]
            sign = np.where(np.abs(gap) <= tolerance, 0, np.sign(gap))
            end = start + gap.shape[1]  # pairs are in the order of their first system
            signs[:, start:end] = np.where(np.isnan(gap), -2, sign)
            start = end
        return signs, first, second

    def to_judgments(self, tolerance: float = 0.0) -> Judgments:
        """Compare all pairs on every item; the item is the item."""
        if not (np.isfinite(tolerance) and tolerance >= 0):
            raise EvidenceError(f"the tie tolerance must be a finite number of at least 0, got {tolerance}.")
        signs, first, second = self.signs(tolerance)
        came = np.arange(len(self.items)) if self.appearance is None else self.appearance
        place, pair = np.nonzero(signs[came] != -2)
        item = came[place]
        outcome = np.array([2, 0, 1])[signs[item, pair]]  # 0 tie, 1 left; −1 indexes the last: right
        columns = {
            "left": Coded(first[pair], self.systems),
            "right": Coded(second[pair], self.systems),
            "outcome": Coded(outcome, _WORDS),
            "item": Coded(item, self.items),
        }
        how = f"scores->pairs(tolerance={tolerance:g})" if tolerance else "scores->pairs"
        return judgments_from_columns(columns, self.title or "the scores", how)

    def to_rankings(self) -> Rankings:
        """Rank the systems on every item, 1 the highest score; equal scores share the better rank."""
        ranks = np.full(self.values.shape, np.nan)
        for row, values in enumerate(-self.values):
            ranks[row] = np.searchsorted(np.sort(values), values, side="left") + 1  # NaN sorts last
        item, system = np.nonzero(~np.isnan(self.values))
        items = Coded(np.arange(len(self.items)), self.items)
        return Rankings(
            self.systems,
            item,
            system,
            ranks[item, system],
            np.ones(len(self.items)),
            {"ranking": items},
            Account(len(self.items)),
            self.title or "the scores",
            "scores->rankings",
        )


@dataclass(frozen=True, repr=False, eq=False)
class Scores(ArrayEquality, Closing):
    """Score tables, one per data set and metric.

    >>> scores = read_scores({"owl": [0.5, 0.7], "yak": [0.4, 0.9]})
    >>> print(scores)
    4 scores · 2 systems · 2 items · 0 missing · 0 refused
    """

    tables: tuple[ScoreTable, ...]
    account: Account
    name: str
    reading: Reading | None = field(default=None, compare=False)
    fixed: tuple[str, ...] = ()  # units that are taken as given, not as a sample of others
    random: tuple[str, ...] = ()  # task, if tasks are a sample of others

    kind = "scores"

    @property
    def several_tasks(self) -> bool:
        """Whether there are several tasks or metrics, or one task that is a sample of others."""
        return len(self.tables) > 1 or bool(self.random)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, sorted."""
        return tuple(sorted({system for table in self.tables for system in table.systems}))

    @property
    def table(self) -> Table | None:
        """The table that further columns are read from."""
        return next((each.source.table for each in self.tables if each.source is not None), None)

    def close(self) -> None:
        """Close open files."""
        if self.table is not None:
            self.table.close()

    def data_sets(self) -> list[tuple[str, "Scores"]]:
        """Return the scores of every metric and data set with its title."""
        return [(table.title, replace(self, tables=(table,))) for table in self.tables]

    @property
    def left_out(self) -> None:
        """Nothing: every row belongs to some table."""
        return None

    def __iter__(self) -> Iterator[ScoreTable]:
        return iter(self.tables)

    def __repr__(self) -> str:
        return f"<Scores: {self}>"

    def __str__(self) -> str:
        values = sum(int(np.sum(~np.isnan(table.values))) for table in self.tables)
        missing = sum(int(np.sum(np.isnan(table.values))) for table in self.tables)
        parts = [f"{values:,} scores", f"{len(self.systems):,} systems"]
        parts.append(
            f"{sum(len(table.items) for table in self.tables):,} items"
            if len(self.tables) == 1
            else f"{len(self.tables):,} metrics or data sets"
        )
        return " · ".join([*parts, f"{missing:,} missing", f"{self.account.refused:,} refused"])


def _limits_of_outliers() -> Mapping[str, float]:
    from betterthan.findings import kinds  # noqa: PLC0415 (judgments are read without them)

    return kinds.scores.OUTLIERS.thresholds
