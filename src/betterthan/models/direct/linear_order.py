"""Linear ordering: the order with the fewest violated wins, exact or by local search."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph

from betterthan.base import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class LinearOrder:
    """The mean place of every system over all optimal orders (1 is best), and the number of violations.

    `exact` says that no other order violates less; the places are those of a single order where it is not known.
    """

    place: FloatArray
    violated: float
    exact: bool
    unique: bool


def best_order(wins: FloatArray, most: int) -> LinearOrder:
    """Order systems so that as few wins (winners × losers) as possible are of a lower one over a higher one.

    Systems that beat each other in a circle form a group, and only the order within groups is open. Groups of up to
    `most` systems are ordered exactly, larger ones by local search.

    >>> found = best_order(np.array([[0.0, 3, 2], [0, 0, 2], [1, 1, 0]]), 20)
    >>> found.place.tolist(), found.violated, found.exact, found.unique
    ([1.0, 2.0, 3.0], 2.0, True, True)
    """
    place, violated = np.empty(len(wins)), 0.0
    exact = unique = True
    above: IntArray = np.empty(0, dtype=np.int64)
    for members in _circles(wins):
        inner = wins[np.ix_(members, members)]
        if len(members) <= most:
            own, least, single = _exact(inner)
            unique &= single
        else:
            (own, least), exact, unique = _searched(inner), False, False
        place[members] = len(above) + own
        violated += least + float(wins[np.ix_(members, above)].sum())
        above = np.concatenate([above, members])
    return LinearOrder(place, violated, exact, unique)


def _circles(wins: FloatArray) -> list[IntArray]:
    """Return groups of systems, the best first; between two groups every pair was won more often by the higher."""
    margin = wins - wins.T
    number, label = csgraph.connected_components(margin >= 0, directed=True, connection="strong")
    members = [np.flatnonzero(label == group) for group in range(number)]
    # Every group beats all those below it, so the number of systems beaten orders them.
    return sorted(members, key=lambda group: -int(np.sum(margin[group[0]] > 0) - np.sum(margin[group[0], group] > 0)))


def _exact(wins: FloatArray) -> tuple[FloatArray, float, bool]:
    """Return mean places over all optimal orders, the number of violations, and whether the optimum is unique.

    Held and Karp (1962): the violations of an order of the first k systems depend on the set, not on the order of the
    rest. Counting the ways to and from every set gives the mean over all optimal orders.
    """
    size = len(wins)
    if size == 1:
        return np.ones(1), 0.0, True
    sets = np.arange(1 << size)
    bits = 1 << np.arange(size)
    number = np.bitwise_count(sets) if hasattr(np, "bitwise_count") else _counted(sets)
    layers = [np.flatnonzero(number == count) for count in range(size + 1)]
    losses = wins.sum(axis=0)
    slack = 1e-9 * max(float(wins.sum()), 1.0)
    to, ways_to = np.zeros(len(sets)), np.ones(len(sets))
    back, ways_back = np.zeros(len(sets)), np.ones(len(sets))
    for layer in layers[1:]:
        inside = _inside(layer, bits)
        # The last of the set is beaten by those outside it, which are ordered below.
        cost = losses - inside @ wins
        to[layer], ways_to[layer] = _cheapest((to, ways_to), layer[:, None] ^ bits, cost, inside, slack)
    for layer in layers[-2::-1]:
        inside = _inside(layer, bits)
        cost = losses - inside @ wins
        back[layer], ways_back[layer] = _cheapest((back, ways_back), layer[:, None] | bits, cost, ~inside, slack)
    total = ways_back[0]
    place = np.ones(size)
    for layer in layers[1:-1]:
        best = layer[to[layer] + back[layer] <= back[0] + slack]
        place += 1 - (ways_to[best] * ways_back[best]) @ _inside(best, bits) / total
    return place, float(back[0]), bool(total == 1)


def _inside(sets: IntArray, bits: IntArray) -> BoolArray:
    """Return which systems are in each set."""
    return np.asarray((sets[:, None] & bits) > 0)


def _counted(sets: IntArray) -> IntArray:
    """Count the members of sets, where NumPy cannot (before 2.0)."""
    return np.array([int(each).bit_count() for each in sets])


def _cheapest(
    known: tuple[FloatArray, FloatArray], others: IntArray, cost: FloatArray, allowed: BoolArray, slack: float
) -> tuple[FloatArray, FloatArray]:
    """Return the least cost by way of an allowed neighbour, and the number of ways that have it."""
    costs, ways = known
    reached = np.where(allowed, costs[np.where(allowed, others, 0)] + cost, np.inf)
    least = reached.min(axis=1)
    best = reached <= least[:, None] + slack
    return least, np.sum(np.where(best, ways[np.where(allowed, others, 0)], 0.0), axis=1)


def _searched(wins: FloatArray) -> tuple[FloatArray, float]:
    """Return places in an order that no move of a single system improves, starting from net wins, and its
    violations.
    """
    order = np.argsort(-(wins.sum(axis=1) - wins.sum(axis=0)), kind="stable")
    margin = wins - wins.T
    improved = True
    while improved:
        improved = False
        for system in range(len(wins)):
            rest = order[order != system]
            # Gain of standing before the k-th of the rest, relative to standing last.
            gain = np.concatenate([np.cumsum(margin[system, rest[::-1]])[::-1], [0.0]])
            best, now = int(np.argmax(gain)), int(np.flatnonzero(order == system)[0])
            if gain[best] > gain[now] + 1e-12 * max(1.0, float(np.abs(gain).max())):
                order, improved = np.insert(rest, best, system), True
    place = np.empty(len(wins))
    place[order] = np.arange(1, len(wins) + 1)
    return place, float(np.sum(np.tril(wins[np.ix_(order, order)], -1)))
