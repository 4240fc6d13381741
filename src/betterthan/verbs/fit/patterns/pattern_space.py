"""The possible patterns: orders, orders with ties, or answers pair by pair."""

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb, factorial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, PlanError, spelling

#: What the first system of a pair has against the second: preferred 1, undecided 0, not preferred −1, or no answer.
Signs = NDArray[np.int8]
UNANSWERED = -2
#: More patterns than this are not enumerated.
MOST_PATTERNS = 100_000

Kind = Literal["orders", "orders with ties", "pairs", "pairs with ties"]


@dataclass(frozen=True)
class Space:
    """All patterns of a number of systems; `levels` is the largest number of places of an order with ties.

    >>> Space(4, "orders").size, Space(3, "orders with ties", 3).size, Space(3, "pairs").size
    (24, 13, 8)
    """

    systems: int
    kind: Kind
    levels: int = 0

    @property
    def size(self) -> int:
        """How many patterns there are."""
        pairs = comb(self.systems, 2)
        match self.kind:
            case "orders":
                return factorial(self.systems)
            case "orders with ties":
                return sum(_onto(self.systems, places) for places in range(1, min(self.systems, self.levels) + 1))
            case "pairs":
                return int(2**pairs)
            case "pairs with ties":
                return int(3**pairs)

    def refuse_large(self) -> None:
        """Refuse more patterns than can be enumerated."""
        if self.size > MOST_PATTERNS:
            raise PlanError(
                f"{self.systems} systems have {self.size:,} patterns of answers ({self.kind}), and at most "
                f"{MOST_PATTERNS:,} can be fitted",
                remedy=f"Leave out systems with {spelling.option('exclude')}, or use another "
                f"{spelling.option('model')}.",
            )

    @cached_property
    def signs(self) -> Signs:
        """Every pattern as the answers to all pairs (patterns × pairs), pairs in the order of `pairs`."""
        if self.kind in {"pairs", "pairs with ties"}:
            answers = (1, 0, -1) if self.kind == "pairs with ties" else (1, -1)
            columns = len(self.pairs[0])
            place = np.arange(self.size)[:, None] // len(answers) ** np.arange(columns) % len(answers)
            answered: Signs = np.array(answers, dtype=np.int8)[place]
            return answered
        ranks = _orders(self.systems) if self.kind == "orders" else _weak_orders(self.systems, self.levels)
        first, second = self.pairs
        compared: Signs = np.sign(ranks[:, second] - ranks[:, first]).astype(np.int8)
        return compared

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """First and second system of every pair."""
        first, second = np.triu_indices(self.systems, 1)
        return first.astype(np.int64), second.astype(np.int64)

    @cached_property
    def balance(self) -> FloatArray:
        """Half of wins less losses of every system (patterns × systems): what log-strengths are multiplied by."""
        onto = np.zeros((len(self.pairs[0]), self.systems))
        rows = np.arange(len(onto))
        onto[rows, self.pairs[0]], onto[rows, self.pairs[1]] = 0.5, -0.5
        found: FloatArray = self.signs.astype(np.float64) @ onto
        return found

    @cached_property
    def undecided(self) -> FloatArray:
        """How many answers of every pattern are undecided."""
        number: FloatArray = np.sum(self.signs == 0, axis=1).astype(np.float64)
        return number

    @cached_property
    def sharing(self) -> tuple[tuple[int, int, int], ...]:
        """A system, and two others that it is compared with: comparisons that share a system."""
        others = [[other for other in range(self.systems) if other != system] for system in range(self.systems)]
        return tuple(
            (system, one, two)
            for system, rest in enumerate(others)
            for place, one in enumerate(rest)
            for two in rest[place + 1 :]
        )

    def sign_of(self, system: int, other: int) -> FloatArray:
        """Return the sign of a system against another in every pattern."""
        first, second = min(system, other), max(system, other)
        column = int(np.flatnonzero((self.pairs[0] == first) & (self.pairs[1] == second))[0])
        sign: FloatArray = (1.0 if system == first else -1.0) * self.signs[:, column].astype(np.float64)
        return sign

    @cached_property
    def dependence(self) -> FloatArray:
        """The products of answers that share a system, seen from that system (patterns × `sharing`).

        1 where it is preferred to both or to neither, −1 where it is between them.
        """
        products = [self.sign_of(system, one) * self.sign_of(system, two) for system, one, two in self.sharing]
        return np.stack(products, axis=1) if products else np.empty((self.size, 0))

    def compatible(self, answers: Signs) -> list[IntArray]:
        """Return for each row of answers the patterns that agree with it wherever there is an answer."""
        digit = 3 ** np.arange(answers.shape[1], dtype=np.int64)
        found: list[IntArray] = [np.empty(0, dtype=np.int64)] * len(answers)
        masks, which = np.unique(answers != UNANSWERED, axis=0, return_inverse=True)
        for place, mask in enumerate(masks):
            keys = (self.signs[:, mask].astype(np.int64) + 1) @ digit[mask]
            order = np.argsort(keys, kind="stable")
            rows = np.flatnonzero(which.ravel() == place)
            wanted = (answers[np.ix_(rows, mask)].astype(np.int64) + 1) @ digit[mask]
            begin, end = (np.searchsorted(keys[order], wanted, side=side) for side in ("left", "right"))
            for row, low, high in zip(rows, begin, end, strict=True):
                found[row] = order[low:high]
        return found


def _onto(systems: int, places: int) -> int:
    """Return in how many ways systems can fill exactly that many places."""
    return sum((-1) ** left * comb(places, left) * (places - left) ** systems for left in range(places + 1))


def _orders(systems: int) -> IntArray:
    return np.array(list(permutations(range(systems))), dtype=np.int64)


def _weak_orders(systems: int, levels: int) -> IntArray:
    """Return the places of systems in every order with ties (orders × systems).

    Each further system joins a place, or gets one of its own before, between or after the others.
    """
    found = [np.zeros(1, dtype=np.int64)]
    for _ in range(systems - 1):
        grown = []
        for ranks in found:
            places = int(ranks.max()) + 1
            grown += [np.append(ranks, place) for place in range(places)]
            if places < levels:
                grown += [np.append(ranks + (ranks >= place), place) for place in range(places + 1)]
        found = grown
    return np.stack(found)
