"""A data set of scores by one metric."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from betterthan.base import EvidenceError, PlanError, spelling
from betterthan.datasets.data_set import DataSet
from betterthan.datasets.evidence_summary import EvidenceSummary
from betterthan.datasets.statistics.games import Games
from betterthan.datasets.statistics.gold_matrix import GoldMatrix
from betterthan.datasets.statistics.item_parts import ItemParts, parts_digest
from betterthan.datasets.statistics.pair_counts import PairCounts, count_scores, totals
from betterthan.datasets.statistics.score_matrix import ScoreMatrix
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Account, Judgments, Order, ScoreTable, Tally
from betterthan.findings import kinds
from betterthan.metrics import build_metric


@dataclass(frozen=True, kw_only=True)
class ScoredSet(DataSet):
    """Scores of one metric on one data set."""

    kind: ClassVar[str] = "scores"
    default_scale: ClassVar[str] = "winrate"  # the share of items won, as evaluations with scores publish
    independent_unit: ClassVar[str] = "item"
    single_units: ClassVar[str] = "item"

    scores: ScoreTable
    read: Account
    source: str = "the scores"

    @classmethod
    def of(  # noqa: PLR0917 (what is known of the scores, in its order)
        cls,
        table: ScoreTable,
        read: Account,
        source: str,
        unit: str | None,
        tolerance: float,
        fixed: tuple[str, ...] = (),
    ) -> "ScoredSet":
        """Take a table; groups of items are the unit where the table names them, else items, with judges of several."""
        chosen = _checked(table, unit or _default_unit(table, _known(table, fixed)))
        made = cls(
            title=table.title,
            unit=chosen,
            fixed=fixed,
            scores=table,
            read=read,
            source=source,
            tolerance=tolerance,
        )
        made.need_random(chosen)
        return made

    @property
    def name(self) -> str:
        """The name of the evidence in messages."""
        return self.source

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that keep units apart: that of the groups, or the items themselves, and judges."""
        return tuple(self.unit.split("+"))

    @property
    def named_units(self) -> tuple[str, ...]:
        """Items, and groups where the table has them."""
        return ("item",) if self.scores.groups is None else ("item", "group")

    @property
    def independent(self) -> bool:
        """Whether items are not in groups."""
        return self.groups is None

    @property
    def lower_is_better(self) -> bool:
        """Whether lower scores are better."""
        return self.scores.negated

    @property
    def named(self) -> tuple[str, str]:
        """The names of the data set and of the metric."""
        return self.scores.dataset, self.scores.metric

    @property
    def corpus_metric(self) -> str | None:
        """The metric, where it is one of the whole test set."""
        return None if self.scores.parts is None else self.scores.metric

    @property
    def labelled(self) -> bool:
        """Whether people labelled some of the scores, which correct those of a judge."""
        return self.scores.gold is not None

    @property
    def single_items(self) -> bool:
        """Whether items have scores of their own."""
        return self.corpus_metric is None or build_metric(self.corpus_metric).by_item

    @property
    def given_units(self) -> dict[str, int]:
        """Groups, and judges of several items each, where the table names them and they are not the unit."""
        groups, second = self.scores.groups, _second_unit(self.scores)
        others = {} if groups is None or self.unit == "group" else {"group": len(groups.labels)}
        return others | ({} if second is None or second[0] in self.by else dict([second]))

    @property
    def groups(self) -> Coded | None:
        """The group of every item, where groups are the unit; an item without one is a group of its own."""
        given = self.scores.groups
        if self.unit != "group" or given is None:
            return None
        lacking = np.flatnonzero(given.codes == MISSING)
        codes = given.codes.copy()
        codes[lacking] = len(given.labels) + np.arange(len(lacking))
        return Coded(codes, (*given.labels, *(f"without group {number + 1}" for number in range(len(lacking)))))

    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Return the row account, for any order."""
        del order, units
        return self.read

    def order_of(self, wanted: str) -> Order | None:
        """Return the order of items; scores have no time."""
        if wanted == "time":
            raise EvidenceError("scores have no time column to order by. Use order=file, the order of items.")
        return None if wanted == "average" else "file"

    def tally(self, order: Order | None = None, *, units: bool = True) -> Tally:
        """Return all comparisons, item by item."""
        del order, units
        return self.made(("tally", self.tolerance), lambda: self._judgments().tally("item", order="file"))

    def _judgments(self) -> Judgments:
        return self.scores.to_judgments(self.tolerance)

    def pairs(self, order: Order | None = None, *, units: bool = True) -> PairCounts:
        """Return the outcomes of every pair of systems, item by item."""
        del order
        unit = self.unit if units else "item"
        groups = self.groups if units else None
        ratings = self.statistic(ScoreMatrix).ratings if units else None
        make = lambda: count_scores(self.scores, self.tolerance, groups, ratings)  # noqa: E731
        return self.made(("pairs", unit, self.tolerance), make)

    def statistic(self, kind: type[Any], wanted: str = "average", *, units: bool = True) -> Any:
        """Return a statistic of a kind, None where scores have none."""
        if kind is ScoreMatrix:
            return self.made(("scores", self.unit), self._matrix)
        if kind is GoldMatrix:
            return None if self.scores.gold is None else self.made(("gold", self.unit), self._gold)
        if kind is ItemParts:
            return self.made(("parts", self.unit), lambda: ItemParts.of(self.scores, self.groups))
        if kind is PairCounts:
            return self.pairs(units=units)
        if kind is Games:
            return self.made(("games", self.unit, self.tolerance, self.order_of(wanted)), lambda: self._games(wanted))
        return None

    def _matrix(self) -> ScoreMatrix:
        return ScoreMatrix.of_ratings(self.scores) if "+" in self.unit else ScoreMatrix.of(self.scores, self.groups)

    def _gold(self) -> GoldMatrix:
        return GoldMatrix.of(self.scores, self.groups)

    def _games(self, wanted: str) -> Games:
        tally, groups = self.tally(), self.groups
        if groups is not None:
            tally = replace(tally, units={"group": groups.take(tally.units["item"].codes)})
        return Games.of(tally, self.by, in_order=self.order_of(wanted) is not None)

    def conversion(self, statistic: Any, *, instead: bool = False) -> str:
        """Describe the conversion of scores to a statistic."""
        del instead
        if isinstance(statistic, ScoreMatrix | ItemParts | GoldMatrix):
            return ""
        return f"scores->pairs(tolerance={self.tolerance:g})" if self.tolerance else "scores->pairs"

    def default_models(self, ci: str, unit: str | None) -> str:
        """Return several models, so that their disagreement is shown."""
        if self.scores.gold is not None:
            return "corrected-mean"
        without_samples = ci in {"analytic", "information"}
        if not self.single_items:
            return "corpus"
        if self.corpus_metric is not None and not without_samples:
            models = ["corpus", "mean", "bradley-terry"]
        elif self.scores.two_valued or without_samples:
            models = ["mean", "bradley-terry"]  # a median of two values ties nearly all, and has no such intervals
        else:
            models = ["mean", "median", "bradley-terry"]
        # Others take items alone.
        return ",".join(name for name in models if unit != "item+judge" or name in {"mean", "median"})

    def by_items_alone(self, asked: str | None, what: str) -> Self:
        """Return the scores by items, or their groups, alone; two units are refused where they were requested."""
        return self.by_one_unit(asked, what)

    def summary(self, order: Order | None = None, *, units: bool = True) -> EvidenceSummary:
        """Return the evidence summary, for any order."""
        pairs = self.pairs(order, units=units)
        decided, tied = totals(pairs.outcomes)
        groups = {"group": self.groups.compact[1]} if self.groups is not None else {}
        repeats = self.scores.repeats
        judges = {"judge": repeats.judges} if repeats is not None and repeats.judges else {}
        return EvidenceSummary(
            kind="scores",
            rows=self.read.read,
            refused=self.read.refused,
            systems=pairs.size,
            judgments=decided + tied,
            wins=decided,
            ties=tied,
            digest=self.digest,
            units={"item": len(self.scores.items), **groups, **judges},
            lower_is_better=self.lower_is_better,
        )

    @property
    def digest(self) -> str:
        """A digest of the scores, and of their groups where these are the unit."""
        scores: ScoreMatrix = self.statistic(ScoreMatrix)
        labels: GoldMatrix | None = self.statistic(GoldMatrix)
        own = scores.digest if labels is None else labels.digest
        return self.made(("digest", self.unit), lambda: parts_digest(self.scores, own()))

    def settled(self, unit: str | None, tolerance: float) -> Self:
        """Return the same scores with another unit, or ties up to another difference."""
        unit = self.unit if unit is None else self.need_random(_checked(self.scores, unit))
        same = unit == self.unit and tolerance == self.tolerance
        return self if same else replace(self, unit=unit, tolerance=tolerance)


def _second_unit(table: ScoreTable) -> tuple[str, int] | None:
    """Return what scores of several items share besides the system, with its number: judges, or runs of a system."""
    repeats = table.repeats
    if repeats is None:
        return None
    if repeats.judge is not None:
        return ("judge", repeats.judges) if repeats.crossed else None
    return ("run", repeats.runs) if repeats.runs else None


def _known(table: ScoreTable, fixed: tuple[str, ...]) -> tuple[str, ...]:
    """Return units that are to be taken as given, or refuse those that these scores do not have."""
    second = _second_unit(table)
    have = [*(["group"] if table.groups is not None else []), *([] if second is None else [second[0]])]
    for name in fixed:
        if name not in have:
            others = f"Their sources of variation are items and {' and '.join(f'{each}s' for each in have)}."
            raise PlanError(
                f"{spelling.option('fixed', name)}: items of scores are always a sample"
                if name == "item"
                else f"{spelling.option('fixed', name)}: these scores name no {name}s",
                remedy=f"Leave it out. {others if have else 'Items are their only source of variation.'}",
            )
    return fixed


def _default_unit(table: ScoreTable, fixed: tuple[str, ...]) -> str:
    """Return the default unit; a single judge is not a sample, as with judgments."""
    if table.groups is not None and "group" not in fixed:
        return "group"
    if table.gold is not None:  # labels correct the means of items over judges and runs
        return "item"
    second = _second_unit(table)
    several = second is not None and second[1] >= kinds.resampling.FIXED_UNITS.thresholds["least"]
    several = several and second is not None and second[0] not in fixed
    return f"item+{second[0]}" if second is not None and several else "item"


def _checked(table: ScoreTable, unit: str) -> str:
    """Refuse a unit that scores do not have."""
    judges = table.repeats.judges if table.repeats is not None else 0
    runs = table.repeats.runs if table.repeats is not None else 0
    have = ["item", *(["group"] if table.groups is not None else []), *(["item+judge"] if judges > 1 else [])]
    have += ["item+run"] if runs > 1 and not judges else []
    have = [each for each in have if "+" not in each] if table.gold is not None else have
    if unit not in have:
        remedies = {
            "group": f"Name the column of groups with {spelling.option('group')}.",
            "item+judge": f"It needs two judges or more: name their column with {spelling.option('judge')}.",
            "item+run": f"It needs two runs or more: name their column with {spelling.option('repeat')}.",
        }
        convert = f"For other units convert them: {spelling.conversion('judgments')}."
        raise PlanError(
            f"scores are resampled by {' or '.join(have)}, got {unit!r}", remedy=remedies.get(unit, convert)
        )
    return unit
