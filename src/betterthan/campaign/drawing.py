"""Which systems on which item a judge gets next: by the table of chances, within all limits.

Items are chosen by how often they were handed out, never by how they were judged. That is what keeps decisions valid
however often one looks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from betterthan.arrays import BoolArray, IntArray
from betterthan.campaign.chances import Chances
from betterthan.campaign.material import Material
from betterthan.campaign.people import Lease, Person
from betterthan.campaign.state import State
from betterthan.collect.choose import drawn
from betterthan.collect.known import pair_at, place_of

#: The weight that is left to a pair which has been handed out as often as it is expected to need.
_ENOUGH = 1e-6
#: Sets without an item for this judge that are tried before nothing is handed out.
_TRIES = 200


@dataclass(frozen=True)
class Drawn:
    """A comparison: systems grouped into cards in the order shown, an item, and the chance of both."""

    cards: tuple[tuple[int, ...], ...]
    item: int
    chance: float
    item_chance: float


class Drawing:
    """Draws comparisons from what is judged."""

    def __init__(self, material: Material, rng: np.random.Generator) -> None:
        self.rng = rng
        # What looks the same is the same: white space that HTML does not show, or another way to write Markdown.
        self._texts = [material.shown[system] for system in material.systems]
        self._has = np.array([[text is not None for text in texts] for texts in self._texts]).T  # items × systems
        self._systems = {name: number for number, name in enumerate(material.systems)}
        self._documents = _documents(material)
        self._starts = np.zeros(len(material.items), dtype=bool)
        self._starts[[items[0] for items in self._documents]] = True
        self._follows = {one: two for items in self._documents for one, two in pairwise(items)}
        self._earlier = {item: items[:place] for items in self._documents for place, item in enumerate(items) if place}
        languages = [item.language for item in material.items]
        self._languages = np.array(languages, dtype=object)
        self._several = len({language for language in languages if language}) > 0

    def draw(self, state: State, chances: Chances, person: Person) -> Drawn | None:
        """Draw the next comparison of a judge, None where there is none for them."""
        options, load = state.options, state.load
        if options.documents and (going_on := self._next_of_document(state, person)) is not None:
            return going_on
        so_far = load.done + load.held
        allowed = np.ones(len(so_far), dtype=bool) if options.per_pair is None else so_far < options.per_pair
        first, second = pair_at(len(state.systems))
        for name in person.judge.conflicts:
            system = self._systems[name]
            allowed &= (first != system) & (second != system)
        weight = np.where(load.held >= np.maximum(chances.needed, 1), _ENOUGH * chances.weight, chances.weight)
        possible = self._items(state, person)
        for _ in range(_TRIES):
            choice = drawn(weight, allowed, len(state.systems), options.way, self.rng)
            if choice is None:
                return None
            found = self._item(state, person, choice.systems, possible)
            if found is not None:
                item, chance = found
                return Drawn(self.cards(item, choice.systems), item, choice.probability, chance)
            allowed[int(place_of(len(state.systems))[choice.systems[0], choice.systems[1]])] = False
        return None

    def _items(self, state: State, person: Person) -> BoolArray:
        """Mark the items that this judge may get at all."""
        options = state.options
        free = np.ones(len(self._has), dtype=bool) if not options.documents else self._starts.copy()
        if options.per_item is not None:
            free &= state.load.on_items < options.per_item
        if self._several and person.judge.languages:
            free &= np.isin(self._languages, ["", *person.judge.languages])
        return free

    def _item(
        self, state: State, person: Person, systems: tuple[int, ...], possible: BoolArray
    ) -> tuple[int, float] | None:
        """Return an item on which these systems were compared least, and its chance; equals are drawn by lot."""
        load, pairs = state.load, state.load.pairs(systems)
        free = possible & self._has[:, list(systems)].all(axis=1)
        times: IntArray = np.zeros(len(free), dtype=np.int64)
        for pair in pairs:
            on_item = load.on_item(pair)
            free &= on_item < state.options.overlap
            free[person.seen.get(pair, [])] = False
            times += on_item
        if not free.any():
            return None
        burden = times * (int(load.on_items.max(initial=0)) + 1) + load.on_items
        least = np.flatnonzero(free & (burden == burden[free].min()))
        return int(least[self.rng.integers(len(least))]), 1 / len(least)

    def _next_of_document(self, state: State, person: Person) -> Drawn | None:
        """Go on with the document that a judge is in, with the same systems."""
        last = person.document
        if last is None or (item := self._follows.get(last.item)) is None:
            return None
        going_on = Lease("", last.judge, "judgment", item, last.cards, 0.0, 0.0)
        if not self._has[item, list(last.systems)].all() or not state.has_room(going_on):
            return None
        if any(item in person.seen.get(pair, ()) for pair in state.load.pairs(last.systems)):
            return None
        return Drawn(self.cards(item, last.systems), item, last.chance, last.item_chance)

    def before(self, item: int) -> list[int]:
        """Return the items of the same document that come before one."""
        return self._earlier.get(item, [])

    def cards(self, item: int, systems: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """Put systems whose outputs are the same on one card, and lay the cards in a random order."""
        same: dict[Any, list[int]] = {}
        for system in systems:
            same.setdefault(self._texts[system][item], []).append(system)
        cards = [tuple(sorted(members)) for members in same.values()]
        return tuple(cards[place] for place in self.rng.permutation(len(cards)))


def _documents(material: Material) -> list[list[int]]:
    """Return the items of every document in order; an item without one is a document by itself."""
    found: dict[str, list[int]] = {}
    for number, item in enumerate(material.items):
        found.setdefault(item.document or f"\x00{number}", []).append(number)
    return [sorted(items, key=lambda number: material.items[number].position) for items in found.values()]
