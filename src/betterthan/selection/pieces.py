"""Evidence in pieces that can be dealt out: judgments, the unit of each, and what models are fitted to."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.judgments import Judgments, Order
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.scores import ScoreTable
from betterthan.evidence.tally import Tally
from betterthan.leaderboard.statistic import order_of
from betterthan.models.base import Model
from betterthan.reduce.games import Games, line_up
from betterthan.reduce.orders import Orders, keep_orders
from betterthan.reduce.pairs import count_pairs
from betterthan.reduce.parts import ItemParts, keep_parts
from betterthan.reduce.scores import ScoreMatrix, keep_scores
from betterthan.spelling import option


@dataclass(frozen=True)
class Part:
    """Some of the judgments, in the order of the evidence; the last may be taken fewer times than it was made."""

    rows: IntArray
    times: FloatArray


@dataclass(frozen=True)
class Pieces:
    """All judgments with their units, and the rankings or scores that they were made of."""

    tally: Tally
    unit: IntArray  # per row, from 0 without gaps
    whole: Rankings | ScoreTable | None
    whole_of: IntArray  # per row, the code of its ranking or instance
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

    def part(self, units: IntArray, judgments: float | None = None) -> Part:
        """Take units one after the other until there are so many judgments, of the last as many as are needed."""
        order, begins = self._by_unit
        number = begins[units + 1] - begins[units]
        ends = np.cumsum(number)
        rows = order[np.repeat(begins[units] - ends + number, number) + np.arange(ends[-1] if len(ends) else 0)]
        times = self.tally.times[rows]
        if judgments is not None:
            times = np.clip(judgments - (np.cumsum(times) - times), 0.0, times)
            rows, times = rows[times > 0], times[times > 0]
        in_order = np.argsort(rows)
        return Part(rows[in_order], times[in_order])

    def counts(self, part: Part) -> FloatArray:
        """Add up outcomes (3 × pairs that met anywhere)."""
        pairs = len(self.pairs[0])
        amount = self.tally.weight[part.rows] * part.times
        return np.bincount(self._cell[part.rows], amount, 3 * pairs).astype(float).reshape(3, pairs)

    def statistic(self, model: Model, part: Part) -> Any:
        """Return what a model is fitted to, with the systems of this part only.

        Rankings and instances are taken whole where a model wants them so, also the last one.
        """
        kind = next(kind for kind in model.consumes if self._has(kind))
        if kind in {ScoreMatrix, ItemParts, Orders}:
            return self._whole(np.unique(self.whole_of[part.rows]), kind)
        tally = _only_used(replace(self.tally.take(part.rows), times=part.times))
        if kind is Games:
            return line_up(tally, in_order=self.in_order and model.order != "average")
        return count_pairs(tally)

    def _has(self, kind: type) -> bool:
        return not (
            (kind is Orders and not isinstance(self.whole, Rankings))
            or (kind is ScoreMatrix and not isinstance(self.whole, ScoreTable))
            or (kind is ItemParts and (not isinstance(self.whole, ScoreTable) or self.whole.parts is None))
        )

    def _whole(self, kept: IntArray, kind: type) -> Orders | ScoreMatrix | ItemParts:
        """Keep some of the rankings, or of the instances."""
        if isinstance(self.whole, ScoreTable):
            parts = None if self.whole.parts is None else self.whole.parts[kept]
            table = replace(self.whole, values=self.whole.values[kept], instances=("",) * len(kept), parts=parts)
            return keep_parts(table) if kind is ItemParts else keep_scores(table)
        assert self.whole is not None
        kept = np.flatnonzero(np.isin(self.whole.about["ranking"].codes, kept))
        place = np.full(len(self.whole.weight), -1)
        place[kept] = np.arange(len(kept))
        entries = np.flatnonzero(place[self.whole.ranking] >= 0)
        used, system = np.unique(self.whole.system[entries], return_inverse=True)
        rankings = replace(
            self.whole,
            systems=tuple(self.whole.systems[code] for code in used),
            ranking=place[self.whole.ranking[entries]],
            system=system,
            rank=self.whole.rank[entries],
            weight=self.whole.weight[kept],
            about={name: column.take(kept) for name, column in self.whole.about.items()},
        )
        return keep_orders(rankings, ("ranking",))


def cut_up(data: DataSet, models: list[Model]) -> Pieces:
    """Take a data set apart into judgments that know their unit."""
    if data.scores is not None:
        tally = data.tally()
        instance = tally.units["item"].codes
        group = data.groups
        unit = tally.units["item"] if group is None else group.take(instance)
        return Pieces(tally, unit.compact[0], data.scores, instance, in_order=True)
    judgments, rankings, unit_name = data.judgments, data.rankings, data.unit
    assert judgments is not None
    order = _order(data, models)
    by = tuple(dict.fromkeys([*([unit_name] if unit_name != "row" else []), *(["ranking"] if rankings else [])]))
    tally = _tally(judgments, by, order, single=unit_name == "row")
    units = np.arange(len(tally.left)) if unit_name == "row" else tally.units[unit_name].compact[0]
    whole_of = tally.units["ranking"].codes if rankings else np.empty(0, dtype=np.int64)
    return Pieces(tally, units, rankings, whole_of, in_order=order is not None)


def _order(data: DataSet, models: list[Model]) -> Order | None:
    """Return the order in which all models take judgments that mind it."""
    orders = {order_of(model, data) for model in models if Games in model.consumes} - {None}
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
            remedy=f"Use whole counts, pass them as {option('weight', 'COLUMN')}, or name a unit: "
            f"{option('unit', 'item')}.",
        )
    tally = tally.take(np.repeat(np.arange(len(times)), times))
    return replace(tally, times=np.ones(len(tally.left)))


def _only_used(tally: Tally) -> Tally:
    """Leave out systems that have no judgment: models cannot place them."""
    used, codes = np.unique(np.concatenate([tally.left, tally.right]), return_inverse=True)
    left, right = np.split(codes.astype(np.int64), 2)
    return replace(tally, systems=tuple(tally.systems[code] for code in used), left=left, right=right, units={})
