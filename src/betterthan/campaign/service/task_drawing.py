"""Draw the item and the systems of a judge's next task, within all limits.

Items are chosen by how often they were handed out, never by how they were judged. That is what keeps decisions valid
however often one looks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from betterthan.base import BoolArray, IntArray
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.judge_records import Lease, Person
from betterthan.campaign.material.material import Material
from betterthan.campaign.policies.chance_table import Chances
from betterthan.verbs.collect import collection_state, draw_pairs

#: The weight that is left to a pair which has been handed out as often as it is expected to need.
_ENOUGH = 1e-6
#: Sets without an item for this judge that are tried before nothing is handed out.
_TRIES = 200


@dataclass(frozen=True)
class DrawnTask:
    """A comparison: systems grouped into cards in the order shown, an item, and the chance of both."""

    cards: tuple[tuple[int, ...], ...]
    item: int
    chance: float
    item_chance: float


class Drawing:
    """Draws comparisons from the material."""

    def __init__(self, material: Material, rng: np.random.Generator) -> None:
        self.rng = rng
        # What looks the same is the same: white space that HTML does not show, or another way to write Markdown.
        self._texts = [material.shown[system] for system in material.systems]
        self._has = np.array([[text is not None for text in texts] for texts in self._texts])  # systems × items
        self._complete = bool(self._has.all())
        first, second = collection_state.pair_at(len(material.systems))
        self._common = np.count_nonzero(self._has[first] & self._has[second], axis=1)
        self._systems = {name: number for number, name in enumerate(material.systems)}
        self._documents = _documents(material)
        self._starts = _marked(len(material.items), (items[0] for items in self._documents))
        self._follows = {one: two for items in self._documents for one, two in pairwise(items)}
        self._earlier = {item: items[:place] for items in self._documents for place, item in enumerate(items) if place}
        self._languages = np.array([item.language for item in material.items], dtype=object)
        self._several = bool((self._languages != "").any())
        self._read_by: dict[tuple[str, ...], BoolArray] = {}

    def draw(self, state: CampaignState, chances: Chances, person: Person) -> DrawnTask | None:
        """Draw the next comparison of a judge, None where there is none for them.

        The chance of a pair is exact. A set of three or more for which no item is left is resampled, and its chance is
        the one before that.
        """
        options, load = state.options, state.load
        if options.documents and (going_on := self._next_of_document(state, person)) is not None:
            return going_on
        possible = self._items(state, person)
        allowed = self._pairs(state, person, possible)
        weight = np.where(load.held >= np.maximum(chances.needed, 1), _ENOUGH * chances.weight, chances.weight)
        for attempt in range(_TRIES):
            choice = draw_pairs(weight, allowed, len(state.systems), options.way, self.rng)
            if choice is None:
                return None
            found = self._item(state, person, choice.systems, possible)
            if found is not None:
                item, chance = found
                return DrawnTask(self.cards(item, choice.systems), item, choice.probability, chance)
            if attempt >= _TRIES // 2:  # sets with this pair are nearly used up: look elsewhere
                allowed[int(collection_state.place_of(len(state.systems))[choice.systems[0], choice.systems[1]])] = (
                    False
                )
        return None

    def may_return(self, state: CampaignState, person: Person, lease: Lease) -> bool:
        """Return whether tasks of other judges could pass to this one if they are not answered."""
        if not self._reads(person)[lease.item] or any(
            self._systems[c] in lease.systems for c in person.judge.conflicts
        ):
            return False
        if state.options.per_pair is not None or state.options.per_item is not None:
            return True  # its end makes room on other items, too
        return any(lease.item not in person.seen.get(pair, ()) for pair in state.load.pairs(lease.systems))

    def _pairs(self, state: CampaignState, person: Person, possible: BoolArray) -> BoolArray:
        """Mark the pairs that this judge may get: within their limit, without a conflict, with an item left."""
        options, so_far = state.options, state.load.done + state.load.held
        allowed = np.ones(len(so_far), dtype=bool) if options.per_pair is None else so_far < options.per_pair
        first, second = collection_state.pair_at(len(state.systems))
        for name in person.judge.conflicts:
            system = self._systems[name]
            allowed &= (first != system) & (second != system)
        # Most pairs surely have an item left, which takes counting alone; the others are looked through.
        left = self._common - so_far // options.overlap - np.count_nonzero(~possible)
        for pair, items in person.seen.items():
            left[pair] -= len(items)
        unsure = allowed if options.documents else allowed & (left <= 0)
        for pair in map(int, np.flatnonzero(unsure)):
            allowed[pair] = self._free(state, person, (int(first[pair]), int(second[pair])), possible).any()
        return allowed

    def _items(self, state: CampaignState, person: Person) -> BoolArray:
        """Mark the items that this judge may get at all."""
        free = self._reads(person)
        return free if state.options.per_item is None else free & (state.load.on_items < state.options.per_item)

    def _reads(self, person: Person) -> BoolArray:
        """Mark the items in languages of this judge."""
        languages = person.judge.languages if self._several else ()
        found = self._read_by.get(languages)
        if found is None:
            found = self._read_by[languages] = np.isin(self._languages, ["", *(languages or set(self._languages))])
        return found

    def _free(self, state: CampaignState, person: Person, systems: tuple[int, ...], possible: BoolArray) -> BoolArray:
        """Mark the items on which this judge may compare these systems."""
        free = possible.copy()
        if not self._complete:
            free &= self._has[list(systems)].all(axis=0)
        if state.options.documents:
            free &= self._begins(systems)
        for pair in state.load.pairs(systems):
            free &= state.load.on_item(pair) < state.options.overlap
            free[person.seen.get(pair, [])] = False
        return free

    def _begins(self, systems: tuple[int, ...]) -> BoolArray:
        """Mark the first item of every document that all of these systems have."""
        if self._complete:
            return self._starts
        has: BoolArray = np.all(self._has[list(systems)], axis=0)
        first = (next((item for item in items if has[item]), None) for items in self._documents)
        return _marked(len(has), (item for item in first if item is not None))

    def _item(
        self, state: CampaignState, person: Person, systems: tuple[int, ...], possible: BoolArray
    ) -> tuple[int, float] | None:
        """Return an item on which these systems were compared least, and its chance; equals are drawn at random."""
        load, free = state.load, self._free(state, person, systems, possible)
        if not free.any():
            return None
        times: IntArray = np.zeros(len(free), dtype=np.int64)
        for pair in load.pairs(systems):
            times += load.on_item(pair)
        burden = times * (int(load.on_items.max(initial=0)) + 1) + load.on_items
        least = np.flatnonzero(free & (burden == burden[free].min()))
        return int(least[self.rng.integers(len(least))]), 1 / len(least)

    def _next_of_document(self, state: CampaignState, person: Person) -> DrawnTask | None:
        """Continue with a judge's document and the same systems; items without their outputs are left out."""
        last = person.document
        if last is None:
            return None
        item = self._follows.get(last.item)
        while item is not None and not self._has[list(last.systems), item].all():
            item = self._follows.get(item)
        if item is None or not state.has_room(Lease("", last.judge, "judgment", item, last.cards, 0.0, 0.0)):
            return None
        if any(item in person.seen.get(pair, ()) for pair in state.load.pairs(last.systems)):
            return None
        return DrawnTask(self.cards(item, last.systems), item, last.chance, last.item_chance)

    def before(self, item: int) -> list[int]:
        """Return the items of the same document that come before one."""
        return self._earlier.get(item, [])

    def cards(self, item: int, systems: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """Group systems with identical outputs on one card, and shuffle the cards."""
        same: dict[Any, list[int]] = {}
        for system in systems:
            same.setdefault(self._texts[system][item], []).append(system)
        cards = [tuple(sorted(members)) for members in same.values()]
        return tuple(cards[place] for place in self.rng.permutation(len(cards)))


def _documents(material: Material) -> list[list[int]]:
    """Return the items of every document in order; an item without a document is its own."""
    found: dict[str, list[int]] = {}
    for number, item in enumerate(material.items):
        found.setdefault(item.document or f"\x00{number}", []).append(number)
    return [sorted(items, key=lambda number: material.items[number].position) for items in found.values()]


def _marked(size: int, items: Iterable[int]) -> BoolArray:
    found = np.zeros(size, dtype=bool)
    found[list(items)] = True
    return found
