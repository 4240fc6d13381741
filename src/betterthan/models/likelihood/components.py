"""Which systems are comparable: strongly connected components of the win graph.

Inside a component the maximum of the likelihood exists (Ford 1957). Between components it does not: one side never lost
to the other, or they were never compared. So strengths are estimated inside each component alone, exactly as if the
others were absent. Only the components' places relative to the largest one, the core, need more than the evidence:

- for the estimate, the weakest of priors: log-strengths are normal around the core with variance 1/PRIOR;
- for intervals, exactly what the evidence says. A component that lost all its n comparisons with the core may be
  anywhere where that is not too unlikely, and has no lower end.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.findings import Finding, marked
from betterthan.findings import kinds as finding_kinds
from betterthan.models.likelihood.links import logistic
from betterthan.models.likelihood.newton import conjugate_gradients

#: Precision of the minimal prior: one ten-thousandth of a judgment's worth.
PRIOR = 1e-4
#: In most evidence wins lead from every system to every other in a few steps: seeing that is quicker than loading and
#: running a search for components.
_STEPS = 8
#: Components whose places are found without a factorisation.
_MANY = 2000


@dataclass(frozen=True)
class Met:
    """The pairs that were compared, and how often each side won (one count per pair)."""

    size: int
    first: IntArray
    second: IntArray
    won: FloatArray
    lost: FloatArray

    @cached_property
    def _wins(self) -> tuple[IntArray, IntArray]:
        """Return winners and losers, one of each per pair and direction."""
        up, down = self.won > 0, self.lost > 0
        winner = np.concatenate([self.first[up], self.second[down]])
        return winner, np.concatenate([self.second[up], self.first[down]])

    @property
    def closely_linked(self) -> bool:
        """Whether wins lead from the first system to all others and back in a few steps."""
        winner, loser = self._wins
        if not (_all_of(self.size, winner) and _all_of(self.size, loser)):
            return False  # someone never won, or never lost: no need to look further
        return _spreads(self.size, winner, loser) and _spreads(self.size, loser, winner)

    @property
    def beats(self) -> Any:
        """Return the graph of wins."""
        return _graph(self.size, *self._wins)

    @property
    def beaten(self) -> Any:
        """Return the graph of losses."""
        return _graph(self.size, *self._wins[::-1])


@dataclass(frozen=True)
class Components:
    """The component of every system; `core` is the number of the largest."""

    label: IntArray
    count: int
    core: int
    above: BoolArray  # per component: beats the core, directly or through others
    below: BoolArray

    @property
    def connected(self) -> bool:
        """Whether the maximum exists for all systems together."""
        return self.count == 1

    def open_ends(self) -> tuple[BoolArray, BoolArray]:
        """Mark the systems whose interval has no lower end, and those whose has no upper end."""
        if self.connected:
            return np.zeros(len(self.label), dtype=bool), np.zeros(len(self.label), dtype=bool)
        if np.sum(self.label == self.core) == 1:  # nothing can be compared with anything
            return np.ones(len(self.label), dtype=bool), np.ones(len(self.label), dtype=bool)
        return (self.below | self.apart)[self.label], (self.above | self.apart)[self.label]

    @property
    def apart(self) -> BoolArray:
        """Mark the components that nothing links with the core."""
        apart = ~(self.above | self.below)
        apart[self.core] = False
        # Where no pair was compared, no system is separate from others.
        return apart if np.any(self.above | self.below) or self.count < len(self.label) else np.zeros_like(apart)

    @property
    def in_core(self) -> BoolArray:
        """Mark the systems of the core; when no two systems can be compared, all of them."""
        members: BoolArray = self.label == self.core
        return members if members.sum() > 1 else np.ones(len(self.label), dtype=bool)


def find_components(met: Met) -> Components:
    """Find the components, and the core: the largest by systems, then by comparisons."""
    if met.closely_linked:
        return Components(np.zeros(met.size, dtype=np.int64), 1, 0, np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    beats = met.beats
    count, found = scipy.sparse.csgraph.connected_components(beats, directed=True, connection="strong")
    label: IntArray = found.astype(np.int64)
    if count == 1:
        return Components(label, 1, 0, np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    total = met.won + met.lost
    compared = np.bincount(label[met.first], total, count) + np.bincount(label[met.second], total, count)
    core = int(np.lexsort((-compared, -np.bincount(label, minlength=count)))[0])
    seed = int(np.flatnonzero(label == core)[0])
    below = _reached(beats, seed, label, count)
    above = _reached(met.beaten, seed, label, count)
    below[core] = above[core] = False
    return Components(label, count, core, above, below)


def held_together(met: Met, components: int = 1) -> bool:
    """Whether wins in both directions connect the systems into exactly this many components."""
    if components == 1 and met.closely_linked:
        return True
    found, _ = scipy.sparse.csgraph.connected_components(met.beats, directed=True, connection="strong")
    return bool(found == components)


def _graph(size: int, start: IntArray, end: IntArray) -> Any:
    """Return a sparse matrix of ones as SciPy searches it; converting any other takes longer than the search."""
    key = np.sort(start * size + end)
    begin = np.searchsorted(key, np.arange(size + 1) * size).astype(np.int32)
    return scipy.sparse.csr_array((np.ones(len(key)), (key % size).astype(np.int32), begin), shape=(size, size))


def _all_of(size: int, systems: IntArray) -> bool:
    there = np.zeros(size, dtype=bool)
    there[systems] = True
    return bool(there.all())


def _spreads(size: int, start: IntArray, end: IntArray) -> bool:
    reached = np.zeros(size, dtype=bool)
    reached[:1] = True
    for _ in range(_STEPS):
        reached[end[reached[start]]] = True
        if reached.all():
            return True
    return False


def _reached(beats: Any, seed: int, label: IntArray, count: int) -> BoolArray:
    nodes = scipy.sparse.csgraph.breadth_first_order(beats, seed, directed=True, return_predecessors=False)
    reached = np.zeros(count, dtype=bool)
    reached[label[nodes]] = True
    return reached


def place_by_prior(components: Components, strength: FloatArray, met: Met) -> FloatArray:
    """Return strengths with every component moved to its most probable place under the minimal prior."""
    if components.connected:
        return strength
    label, count = components.label, components.count
    across = label[met.first] != label[met.second]
    first, second = met.first[across], met.second[across]
    won, total = met.won[across], (met.won + met.lost)[across]
    a, b = label[first], label[second]
    members = np.bincount(label, minlength=count)
    centre = np.bincount(label, weights=strength, minlength=count)
    free = np.ones(count, dtype=bool)
    free[components.core] = members[components.core] == 1
    shift = np.zeros(count)
    for _ in range(200):
        chance = logistic((strength[first] + shift[a]) - (strength[second] + shift[b]))
        residual = won - total * chance
        gradient = (
            np.bincount(a, residual, count) - np.bincount(b, residual, count) - PRIOR * (centre + members * shift)
        )
        hessian = _laplacian(count, a, b, total * chance * (1 - chance)) + scipy.sparse.diags_array(PRIOR * members)
        step = np.zeros(count)
        step[free] = _solved(hessian.tocsc()[free][:, free], gradient[free])
        # Far from the maximum the likelihood is flat and Newton leaps; two units at a time is always safe.
        step *= min(1.0, 2.0 / max(float(np.max(np.abs(step))), 1e-300))
        shift += step
        if np.max(np.abs(step)) < 1e-10:
            break
    return strength + shift[label]


def _solved(hessian: Any, gradient: FloatArray) -> FloatArray:
    """Solve for the places of components; many of them that met at random leave no factor sparse."""
    if len(gradient) > _MANY:
        found, done = conjugate_gradients(hessian.tocsr(), gradient, 1e-12, len(gradient))
        if done:
            return found
    solved: FloatArray = scipy.sparse.linalg.spsolve(hessian, gradient)
    return solved


def _laplacian(count: int, a: IntArray, b: IntArray, weight: FloatArray) -> Any:
    rows = np.concatenate([a, b, a, b])
    columns = np.concatenate([a, b, b, a])
    return scipy.sparse.csr_array(
        (np.concatenate([weight, weight, -weight, -weight]), (rows, columns)), shape=(count, count)
    )


def place_by_chance(components: Components, strength: FloatArray, met: Met, rng: np.random.Generator) -> FloatArray:
    """Move components to places drawn from what their records tell (`strength` is systems × draws).

    With u uniform, a component that won all its comparisons with the core is put where the chance of winning them all
    is u. The share of draws below any place is then the confidence that it is below. From the core outward: one that
    beat only such a component is placed above it in the same way. Unconnected components stay where they are.
    """
    if components.connected:
        return strength
    strength = strength.copy()
    label = components.label
    placed = label == components.core
    while True:
        up = placed[met.second] & ~placed[met.first]
        down = placed[met.first] & ~placed[met.second]
        member = np.where(up, met.first, met.second)
        above = components.above[label[member]]
        # Only wins place a component above another; a resample may have none of a compared pair.
        number = np.where(above == up, met.won, met.lost)
        link = np.flatnonzero((up | down) & (above | components.below[label[member]]) & (number > 0))
        if len(link) == 0:
            return strength
        link = link[np.argsort(label[member[link]], kind="stable")]
        member = member[link]
        other = np.where(up[link], met.second[link], met.first[link])
        found, start = np.unique(label[member], return_index=True)
        sign = np.where(components.above, 1.0, -1.0)
        gap = sign[label[member], None] * (strength[member] - strength[other])
        uniform = rng.uniform(size=(len(found), strength.shape[1]))
        shift = np.zeros((components.count, strength.shape[1]))
        shift[found] = sign[found, None] * placed_by_chance(gap, number[link], start, uniform)
        strength += shift[label]
        placed |= np.isin(label, found)


def on_core(components: Components, strength: FloatArray) -> FloatArray:
    """Centre strengths (systems × anything) on the core."""
    centre: FloatArray = strength[components.in_core].mean(axis=0)
    return strength - centre


def scatter_islands(components: Components, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Place every unconnected component at random within the prior: its place is unknown."""
    if not np.any(components.apart):
        return strength
    place = rng.normal(0.0, PRIOR**-0.5, (components.count, strength.shape[1])) * components.apart[:, None]
    scattered: FloatArray = strength + place[components.label]
    return scattered


def placed_by_chance(gap: FloatArray, number: FloatArray, start: IntArray, uniform: FloatArray) -> FloatArray:
    """Find for each group of rows the shift s with Σ number · log σ(gap + s) = log u, per column.

    The sum grows with s, ever more slowly: Newton's steps from below never go too far.
    """
    log_chance = np.log1p(-uniform)  # of a number in (0, 1], never log 0
    number = number[:, None]
    shift: FloatArray = -60.0 - np.maximum.reduceat(gap, start)
    high = 60.0 - np.minimum.reduceat(gap, start)
    group = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(gap))))
    for _ in range(200):
        at = gap + shift[group]
        likelihood = -np.add.reduceat(number * np.logaddexp(0.0, -at), start)
        slope = np.add.reduceat(number * logistic(-at), start)
        new = np.minimum(shift + (log_chance - likelihood) / slope, high)
        moved = np.max(np.abs(new - shift))
        shift = new
        if moved < 1e-12:
            break
    return shift


def component_findings(components: Components, systems: tuple[str, ...], met: Met) -> tuple[Finding, ...]:
    """Return which systems the evidence cannot place, and why."""
    if components.connected:
        return ()
    label = components.label
    above, below = components.above[label], components.below[label]
    won = np.bincount(met.first, met.won, met.size) + np.bincount(met.second, met.lost, met.size)
    lost = np.bincount(met.first, met.lost, met.size) + np.bincount(met.second, met.won, met.size)
    kinds = (
        (finding_kinds.comparisons.NEVER_LOSES, above & (lost == 0)),
        (finding_kinds.comparisons.NEVER_WINS, below & (won == 0)),
        (finding_kinds.comparisons.ONE_WAY, (above & (lost > 0)) | (below & (won > 0))),
        (finding_kinds.comparisons.ISLANDS, components.apart[label]),
    )
    return tuple(kind.found(systems=marked(systems, which)) for kind, which in kinds if np.any(which))


def negative_cycle(size: int, start: IntArray, end: IntArray, length: FloatArray) -> bool:
    """Whether there is a cycle of negative length (Bellman and Ford's algorithm)."""
    # scipy's bellman_ford always takes as many rounds as there are systems: 24 s for 20,000 systems, which few rounds
    # settle in 0.05 s. It also adds up parallel edges, where the shorter one counts.
    distance = np.zeros(size)
    for _ in range(size + 1):
        new = distance.copy()
        np.minimum.at(new, end, distance[start] + length)
        if np.array_equal(new, distance):
            return False
        distance = new
    return True
