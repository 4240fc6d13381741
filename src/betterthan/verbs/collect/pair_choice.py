"""Drawing the next comparisons by a policy: pairs, or sets of more systems to be ranked at once."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.verbs.collect.collection_state import CollectionState, pair_at, place_of
from betterthan.verbs.collect.policies.base import Policy


@dataclass(frozen=True)
class PairChoice:
    """Systems to be compared, and the probability with which the policy chose them."""

    systems: tuple[int, ...]
    probability: float


@dataclass
class Chooser:
    """Chooses comparisons one after the other; chosen ones count as pending.

    `room` is how many more judgments every pair may get, infinity where there is no limit, 0 for excluded pairs.
    """

    policy: Policy
    known: CollectionState
    pending: FloatArray
    room: FloatArray
    way: int = 2

    def __post_init__(self) -> None:
        self.pending, self.room = self.pending.copy(), self.room.copy()  # they change from now on

    def choose(self, rng: np.random.Generator, open_pairs: BoolArray | None = None) -> PairChoice | None:
        """Choose the next comparison, None where nothing is allowed or worth asking; `open_pairs` limits it further."""
        allowed = self.room > 0 if open_pairs is None else (self.room > 0) & open_pairs
        chances = self.policy.chances(self.known, self.pending, allowed)
        choice = draw_pairs(chances, allowed, self.known.counts.size, self.way, rng)
        if choice is not None:
            self._ask(choice.systems)
        return choice

    def take_back(self, choice: PairChoice) -> None:
        """Take a choice back."""
        pairs = pairs_of(choice.systems, self.known.counts.size)
        self.pending[pairs] -= 1
        self.room[pairs] += 1

    def _ask(self, chosen: tuple[int, ...]) -> None:
        pairs = pairs_of(chosen, self.known.counts.size)
        self.pending[pairs] += 1
        self.room[pairs] -= 1


def draw_pairs(
    chances: FloatArray, allowed: BoolArray, size: int, way: int, rng: np.random.Generator
) -> PairChoice | None:
    """Draw a comparison by the chances of all pairs (up to a factor); None where no allowed pair has any."""
    chances = np.where(allowed, chances, 0.0)
    reached = np.cumsum(chances)
    total = reached[-1] if len(reached) else 0.0
    if not total > 0:
        return None
    chances = chances / total
    pair = int(np.searchsorted(reached, rng.random() * total, side="right"))
    first, second = pair_at(size)
    chosen = [int(first[pair]), int(second[pair])]
    probability = float(chances[pair])
    if way > 2:
        extension = _Extension(size, chances, allowed)
        while len(chosen) < way and (weight := extension.weights(chosen)).any():
            chosen.append(int(rng.choice(len(weight), p=weight)))
        probability = extension.probability(chosen)
    return PairChoice(tuple(chosen), probability)


@dataclass(frozen=True)
class _Extension:
    """Extends a pair to a larger set; each further system is drawn by its chances with the members."""

    size: int
    chances: FloatArray
    allowed: BoolArray

    @cached_property
    def _near(self) -> FloatArray:
        place = place_of(self.size)
        return np.where(place >= 0, self.chances[place], 0.0)

    @cached_property
    def _open_to(self) -> BoolArray:
        place = place_of(self.size)
        return self.allowed[place] & (place >= 0)

    def weights(self, chosen: list[int]) -> FloatArray:
        """Return every system's chance to come next; all zero where nobody may meet all who are in."""
        fits = np.all(self._open_to[chosen], axis=0)
        weight = np.where(fits, self._near[chosen].sum(axis=0), 0.0)
        if not weight.any():  # pairs that the policy would not ask for, but that are allowed
            weight = fits.astype(float)
        total = weight.sum()
        return weight / total if total else weight

    def probability(self, chosen: list[int]) -> float:
        """Return the chance of a set, in whichever order its systems came."""
        reached = {frozenset(pair): float(self._near[pair]) for pair in combinations(sorted(chosen), 2)}
        for _ in range(len(chosen) - 2):
            larger: dict[frozenset[int], float] = {}
            for members, chance in reached.items():
                weight = self.weights(sorted(members)) if chance else np.zeros(self.size)
                for system in set(chosen) - members:
                    grown = members | {system}
                    larger[grown] = larger.get(grown, 0.0) + chance * float(weight[system])
            reached = larger
        return reached[frozenset(chosen)]


def pairs_of(chosen: tuple[int, ...], size: int) -> IntArray:
    """Return the numbers of the pairs within a comparison."""
    place = place_of(size)
    return np.array([place[a, b] for a, b in combinations(chosen, 2)], dtype=np.int64)
