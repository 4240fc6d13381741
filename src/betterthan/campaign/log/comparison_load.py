"""Counts of finished and pending comparisons by system and item."""

from itertools import combinations
from typing import Protocol

import numpy as np

from betterthan.base import IntArray
from betterthan.verbs.collect import collection_state


class Comparison(Protocol):
    """An item and systems that were compared on it."""

    @property
    def item(self) -> int:
        """The number of the item."""

    @property
    def systems(self) -> tuple[int, ...]:
        """The numbers of the systems."""


class Load:
    """Counts of comparisons: finished ones, and those `held` by judges who have not answered yet."""

    def __init__(self, systems: int, items: int) -> None:
        self.systems = systems
        pairs = systems * (systems - 1) // 2
        self.done = np.zeros(pairs, dtype=np.int64)
        self.held = np.zeros(pairs, dtype=np.int64)
        self.on_items = np.zeros(items, dtype=np.int64)  # done or held, all pairs together
        self.comparisons = 0
        self.comparisons_held = 0
        self._items = items
        self._place = collection_state.place_of(systems).tolist()  # reading a number out of a list is faster
        self._pairs: dict[tuple[int, ...], list[int]] = {}
        self._on_item: dict[int, IntArray] = {}

    def pairs(self, systems: tuple[int, ...]) -> list[int]:
        """Return the numbers of the pairs in a comparison."""
        found = self._pairs.get(systems)
        if found is None:
            found = self._pairs[systems] = [self._place[one][two] for one, two in combinations(systems, 2)]
        return found

    def on_item(self, pair: int) -> IntArray:
        """Return how often a pair was or is compared on every item."""
        found = self._on_item.get(pair)
        if found is None:
            found = self._on_item[pair] = np.zeros(self._items, dtype=np.int64)
        return found

    def hold(self, made: Comparison, times: int = 1) -> None:
        """Count a comparison that was handed out; −1: it is not held any more."""
        self._count(made, self.held, times)
        self.comparisons_held += times

    def do(self, made: Comparison, times: int = 1) -> None:
        """Count a comparison that was made; −1: it was taken back."""
        self._count(made, self.done, times)
        self.comparisons += times

    def _count(self, made: Comparison, counts: IntArray, times: int) -> None:
        for pair in self.pairs(made.systems):
            self.on_item(pair)[made.item] += times
            counts[pair] += times
        self.on_items[made.item] += times
