"""Assign items and judges to comparisons, within their limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import BoolArray, IntArray, PlanError, spelling
from betterthan.datasets import JudgedSet, PairCounts, RankedSet
from betterthan.engine import Coded
from betterthan.verbs.collect.collection_scope import names_of
from betterthan.verbs.collect.collection_state import place_of
from betterthan.verbs.collect.pair_choice import pairs_of
from betterthan.verbs.collect.pending_comparisons import PendingComparison

_NOBODY = -1


@dataclass
class Desk:
    """Assigns items and judges; those with the fewest assignments come first, ties at random.

    `pair`, `item` and `judge` are what was judged or asked so far, one row each (−1: none); `per_item` and `per_judge`
    are the most that one may get in all. A judge never gets a pair twice on one item.
    """

    items: Sequence[str]
    judges: Sequence[str]
    per_item: int | None
    per_judge: int | None
    pair: IntArray
    item: IntArray
    judge: IntArray
    item_load: IntArray  # comparisons so far, in which several pairs may be judged at once
    judge_load: IntArray

    def assign(self, pairs: IntArray, rng: np.random.Generator) -> tuple[int, int, float] | None:
        """Return an item, a judge and the item's chance for a comparison of these pairs; None where limits forbid."""
        of_pairs = np.isin(self.pair, pairs)
        for judge in self._judges(rng):
            found = self._item(of_pairs, judge, rng)
            if found is not None:
                item, chance = found
                self.take(pairs, item, judge)
                return item, judge, chance
        return None

    def open_pairs(self, number: int) -> BoolArray:
        """Mark the pairs, of that many, for which some judge has an item left."""
        judges = self._able()
        free = self._free()
        if (self.judges and not np.any(judges)) or (self.items and not np.any(free)):
            return np.zeros(number, dtype=bool)
        if not self.judges or not self.items:
            return np.ones(number, dtype=bool)
        row = (self.judge >= 0) & (self.item >= 0)
        row[row] = free[self.item[row]]
        seen = self.judge[row] * number + self.pair[row]
        cells = len(self.judges) * number
        if np.bincount(seen, minlength=cells).max() >= free.sum():  # some judge may have seen a pair on all items
            seen = np.unique(np.stack([seen, self.item[row]]), axis=1)[0]
        left = np.bincount(seen, minlength=cells).reshape(len(self.judges), number) < free.sum()
        return np.asarray(left[judges].any(axis=0))

    def named(self, item: int, judge: int, chance: float) -> dict[str, Any]:
        """Return the assignments by name."""
        return {
            "item": self.items[item] if item != _NOBODY else None,
            "judge": self.judges[judge] if judge != _NOBODY else None,
            "item_probability": chance if item != _NOBODY else None,
        }

    def _able(self) -> BoolArray:
        """Mark the judges who may get more."""
        return self.judge_load < (np.inf if self.per_judge is None else self.per_judge)

    def _free(self) -> BoolArray:
        """Mark the items that may be judged more often."""
        return self.item_load < (np.inf if self.per_item is None else self.per_item)

    def _judges(self, rng: np.random.Generator) -> list[int]:
        """Return the judges who may get more, those with least first."""
        if not self.judges:
            return [_NOBODY]
        order = np.lexsort((rng.random(len(self.judges)), self.judge_load))
        return [int(judge) for judge in order[self._able()[order]]]

    def _item(self, of_pairs: BoolArray, judge: int, rng: np.random.Generator) -> tuple[int, float] | None:
        """Return an item on which these pairs were judged least, and its chance."""
        if not self.items:
            return _NOBODY, 1.0
        free = self._free()
        mine = self.item[of_pairs & (self.judge == judge)] if judge != _NOBODY else self.item[:0]
        free[mine[mine >= 0]] = False
        if not np.any(free):
            return None
        seen = self.item[of_pairs]
        times = np.bincount(seen[seen >= 0], minlength=len(self.items))
        # First items that are new for the pair, among those the ones judged least at all.
        load = times * (self.item_load.max(initial=0) + 1) + self.item_load
        least = np.flatnonzero(free & (load == load[free].min()))
        return int(rng.choice(least)), 1 / len(least)

    def take(self, pairs: IntArray, item: int, judge: int) -> None:
        """Count a comparison as requested."""
        self.pair = np.concatenate([self.pair, pairs])
        self.item = np.concatenate([self.item, np.full(len(pairs), item)])
        self.judge = np.concatenate([self.judge, np.full(len(pairs), judge)])
        if item != _NOBODY:
            self.item_load[item] += 1
        if judge != _NOBODY:
            self.judge_load[judge] += 1


def desk_for(
    data: JudgedSet | None,
    counts: PairCounts,
    asked: Sequence[PendingComparison],
    *,
    items: Sequence[str] | str | None,
    judges: Sequence[str] | str | None,
    per_item: int | None,
    per_judge: int | None,
) -> Desk | None:
    """Prepare items and judges with what they have had so far; None where neither is handed out."""
    for role, names, limit in (("item", items, per_item), ("judge", judges, per_judge)):
        if limit is not None and names is None:
            raise PlanError(
                f"{spelling.option(f'per_{role}')} limits {role}s, but no {role}s are given",
                remedy=f"Name them with {spelling.option(f'{role}s')}.",
            )
    if items is None and judges is None:
        return None
    wanted = [role for role, names in (("item", items), ("judge", judges)) if names is not None]
    have = tuple(role for role in wanted if data is not None and role in data.roles)
    item, judge = _Role.of("item", items, data, have), _Role.of("judge", judges, data, have)
    pair = np.empty(0, dtype=np.int64)
    if data is not None and have:
        tally = data.judgments.tally(*have)
        times = np.round(tally.times).astype(np.int64)
        pair = np.repeat(place_of(counts.size)[tally.left, tally.right], times)
        item, judge = (
            role.past(np.repeat(role.coded(tally.units[role.name]), times) if role.name in have else None, len(pair))
            for role in (item, judge)
        )
        if isinstance(data, RankedSet):  # a ranking is one comparison with any number of pairs
            item, judge = (role.whole(data.rankings.about.get(role.name)) for role in (item, judge))
    code = {name: number for number, name in enumerate(counts.systems)}
    desk = Desk(item.names, judge.names, per_item, per_judge, pair, item.rows, judge.rows, item.load, judge.load)
    for each in asked:
        desk.take(
            pairs_of(tuple(code[name] for name in each.systems), counts.size),
            item.code(each.item),
            judge.code(each.judge),
        )
    return desk


@dataclass(frozen=True)
class _Role:
    """Items or judges by name, with their assignments by row and in total."""

    name: str
    names: tuple[str, ...]
    rows: IntArray
    load: IntArray

    @classmethod
    def of(cls, name: str, given: Sequence[str] | str | None, data: JudgedSet | None, have: Sequence[str]) -> "_Role":
        """Take the names given, or those in the evidence."""
        if isinstance(given, str) and given == "evidence":
            if data is None or name not in have:
                raise PlanError(f"the evidence has no {name} column. Name the {name}s themselves, or leave them out.")
            given = data.judgments.tally(*have).units[name].labels
        names = names_of(given, f"{name}s")
        if given is not None and not names:
            raise PlanError(f"{spelling.option(f'{name}s')} names no {name}s", remedy="Name some, or leave it out.")
        return cls(name, names, np.empty(0, dtype=np.int64), np.zeros(len(names), dtype=np.int64))

    def code(self, label: str | None) -> int:
        """Return the number of a name, −1 for one that is not handed out."""
        return self.names.index(label) if label in self.names else _NOBODY

    def coded(self, column: Coded) -> IntArray:
        """Return the numbers of a column's names."""
        number = {name: place for place, name in enumerate(self.names)}
        return np.array([*(number.get(label, _NOBODY) for label in column.labels), _NOBODY])[column.codes]

    def past(self, rows: IntArray | None, length: int) -> "_Role":
        """Remember what was had, row by row."""
        rows = np.full(length, _NOBODY) if rows is None else rows
        return _Role(self.name, self.names, rows, np.bincount(rows[rows >= 0], minlength=len(self.names)))

    def whole(self, column: Coded | None) -> "_Role":
        """Count whole rankings instead of their pairs."""
        if column is None:
            return self
        codes = self.coded(column)
        return _Role(self.name, self.names, self.rows, np.bincount(codes[codes >= 0], minlength=len(self.names)))
