"""Evidence that can be split: judgments with their units, and the statistics of each part."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import (
    AnyDataSet,
    DataSet,
    Games,
    ItemParts,
    Orders,
    PairCounts,
    RankedSet,
    ScoredSet,
    ScoreMatrix,
)
from betterthan.evidence import Judgments, Order, Rankings, ScoreTable, Tally
from betterthan.models import Model
from betterthan.verbs.rank import model_statistic

#: Statistics of whole rankings or items.
_WHOLE = {Orders, ScoreMatrix, ItemParts}


@dataclass(frozen=True)
class EvidencePart:
    """Some of the judgments, in input order; the last may have a reduced count."""

    rows: IntArray
    times: FloatArray


@dataclass(frozen=True)
class WholeRankings:
    """The rankings that judgments come from, for models that take them whole."""

    rankings: Rankings

    @property
    def kinds(self) -> tuple[type, ...]:
        """The statistics of whole rankings."""
        return (Orders,)

    def statistic(self, kind: type, kept: IntArray) -> Orders:
        """Return the statistic of some of the rankings."""
        del kind
        whole = self.rankings
        kept = np.flatnonzero(np.isin(whole.about["ranking"].codes, kept))
        place = np.full(len(whole.weight), -1)
        place[kept] = np.arange(len(kept))
        entries = np.flatnonzero(place[whole.ranking] >= 0)
        used, system = np.unique(whole.system[entries], return_inverse=True)
        rankings = replace(
            whole,
            systems=tuple(whole.systems[code] for code in used),
            ranking=place[whole.ranking[entries]],
            system=system,
            rank=whole.rank[entries],
            weight=whole.weight[kept],
            about={name: column.take(kept) for name, column in whole.about.items()},
            source=None if whole.source is None else whole.source.kept(place),
        )
        return Orders.of(rankings, ("ranking",))


@dataclass(frozen=True)
class WholeItems:
    """The scores that judgments come from, for models that take items whole."""

    table: ScoreTable

    @property
    def kinds(self) -> tuple[type, ...]:
        """The statistics of whole items."""
        return (ScoreMatrix,) if self.table.parts is None else (ScoreMatrix, ItemParts)

    def statistic(self, kind: type, kept: IntArray) -> ScoreMatrix | ItemParts:
        """Return the statistic of some of the items."""
        parts = None if self.table.parts is None else self.table.parts[kept]
        table = replace(self.table, values=self.table.values[kept], items=("",) * len(kept), parts=parts)
        return ItemParts.of(table) if kind is ItemParts else ScoreMatrix.of(table)


@dataclass(frozen=True)
class Pieces:
    """All judgments with their units, and the rankings or scores they come from."""

    tally: Tally
    unit: IntArray  # per row, from 0 without gaps
    whole: WholeRankings | WholeItems | None
    whole_of: IntArray  # per row, the code of its ranking or item
    in_order: bool

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems."""
        return self.tally.systems

    @cached_property
    def per_unit(self) -> FloatArray:
        """How many judgments every unit has."""
        return np.bincount(self.unit, self.tally.times).astype(float)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The pairs that met anywhere: first and second, the lower code first."""
        keys = np.unique(self._keys)
        return keys // len(self.systems), keys % len(self.systems)

    @cached_property
    def _keys(self) -> IntArray:
        sided = self.tally.sided()
        return sided.left * len(self.systems) + sided.right

    @cached_property
    def _cell(self) -> IntArray:
        """Per row, its outcome as the first of the pair sees it, and its pair, in one number."""
        first, second = self.pairs
        return self.tally.sided().outcome * len(first) + np.searchsorted(first * len(self.systems) + second, self._keys)

    @cached_property
    def _by_unit(self) -> tuple[IntArray, IntArray]:
        """Rows unit by unit, and where each unit begins."""
        begins = np.concatenate([[0], np.cumsum(np.bincount(self.unit))])
        return np.argsort(self.unit, kind="stable"), begins

    def part(self, units: IntArray, judgments: float | None = None) -> EvidencePart:
        """Take units one after the other until there are that many judgments, of the last as many as are needed."""
        order, begins = self._by_unit
        number = begins[units + 1] - begins[units]
        ends = np.cumsum(number)
        rows = order[np.repeat(begins[units] - ends + number, number) + np.arange(ends[-1] if len(ends) else 0)]
        times = self.tally.times[rows]
        if judgments is not None:
            times = np.clip(judgments - (np.cumsum(times) - times), 0.0, times)
            rows, times = rows[times > 0], times[times > 0]
        in_order = np.argsort(rows)
        return EvidencePart(rows[in_order], times[in_order])

    def counts(self, part: EvidencePart) -> FloatArray:
        """Add up outcomes (3 × pairs that met anywhere)."""
        pairs = len(self.pairs[0])
        amount = self.tally.weight[part.rows] * part.times
        return np.bincount(self._cell[part.rows], amount, 3 * pairs).astype(float).reshape(3, pairs)

    def statistic(self, model: Model, part: EvidencePart) -> Any:
        """Return the statistic that a model is fitted to, with the systems of this part only.

        Rankings and items are taken whole where a model wants them so, also the last one.
        """
        whole = self.whole
        kinds = () if whole is None else whole.kinds
        kind = next(kind for kind in model.consumes if kind in kinds or kind not in _WHOLE)
        if whole is not None and kind in kinds:
            return whole.statistic(kind, np.unique(self.whole_of[part.rows]))
        tally = _only_used(replace(self.tally.take(part.rows), times=part.times))
        if kind is Games:
            return Games.of(tally, in_order=self.in_order and model.order != "average")
        return PairCounts.of(tally)


def cut_up(data: AnyDataSet, models: list[Model]) -> Pieces:
    """Take a data set apart into judgments that know their unit."""
    if isinstance(data, ScoredSet):
        tally = data.tally()
        item = tally.units["item"].codes
        group = data.groups
        unit = tally.units["item"] if group is None else group.take(item)
        return Pieces(tally, unit.compact[0], WholeItems(data.scores), item, in_order=True)
    unit_name, whole = data.unit, WholeRankings(data.rankings) if isinstance(data, RankedSet) else None
    order = _order(data, models)
    by = tuple(dict.fromkeys([*([unit_name] if unit_name != "row" else []), *(["ranking"] if whole else [])]))
    tally = _tally(data.judgments, by, order, single=unit_name == "row")
    units = np.arange(len(tally.left)) if unit_name == "row" else tally.units[unit_name].compact[0]
    whole_of = tally.units["ranking"].codes if whole else np.empty(0, dtype=np.int64)
    return Pieces(tally, units, whole, whole_of, in_order=order is not None)


def _order(data: DataSet, models: list[Model]) -> Order | None:
    """Return the order in which all models take judgments that mind it."""
    orders = {model_statistic.order_of(model, data) for model in models if Games in model.consumes} - {None}
    if len(orders) > 1:
        raise PlanError(
            "some models take judgments in the order of the file, others by time",
            remedy="Give all models the same order, such as order=file.",
        )
    return next(iter(orders), None)


def _tally(evidence: Judgments, by: tuple[str, ...], order: Order | None, *, single: bool) -> Tally:
    """Return the judgments, in an order that no engine changes, one by one where each is a unit."""
    tally = evidence.tally(*by, order=order)
    if order is None:
        codes = [tally.units[name].codes for name in by]
        tally = tally.sided()
        tally = tally.take(np.lexsort((tally.times, tally.weight, tally.outcome, tally.right, tally.left, *codes)))
    if not single or np.all(tally.times == 1.0):
        return tally
    times = np.round(tally.times).astype(np.int64)
    if np.any(times != tally.times):
        raise EvidenceError(
            "fractional counts cannot be split one by one",
            where=evidence.table.name,
            remedy=f"Use whole counts, pass them as {spelling.option('weight')}, or name a unit: "
            f"{spelling.option('unit', 'item')}.",
        )
    tally = tally.take(np.repeat(np.arange(len(times)), times))
    return replace(tally, times=np.ones(len(tally.left)))


def _only_used(tally: Tally) -> Tally:
    """Leave out systems that have no judgment: models cannot place them."""
    used, codes = np.unique(np.concatenate([tally.left, tally.right]), return_inverse=True)
    left, right = np.split(codes.astype(np.int64), 2)
    return replace(tally, systems=tuple(tally.systems[code] for code in used), left=left, right=right, units={})
