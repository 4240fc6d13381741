"""Which systems can be compared at all: strongly connected components of "has beaten".

Inside a component the maximum of the likelihood exists (Ford 1957). Between components it does not: one side never
lost to the other, or they never met. So strengths are estimated inside each component alone, exactly as if the others
were not there, and only the components' places relative to the largest one, the core, need more than the evidence:

- for the estimate, the weakest of priors: log-strengths are normal around the core with variance 1/PRIOR;
- for intervals, exactly what the evidence says: a component that lost all its n comparisons with the core may stand
  at any place where losing them all is not too unlikely, and has no lower end.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special
from scipy.sparse import csgraph, linalg

from betterthan.engine.table import FloatArray, IntArray
from betterthan.findings import Finding

#: Precision of the minimal prior: one ten-thousandth of a judgment's worth.
PRIOR = 1e-4


@dataclass(frozen=True)
class Components:
    """The component of every system; `core` is the number of the largest."""

    label: IntArray
    count: int
    core: int
    above: NDArray[np.bool_]  # per component: beats the core, directly or through others
    below: NDArray[np.bool_]

    @property
    def connected(self) -> bool:
        """Does the maximum exist for all systems together?"""
        return self.count == 1

    def open_ends(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Mark the systems whose interval has no lower end, and those whose has no upper end."""
        if self.connected:
            return np.zeros(len(self.label), dtype=bool), np.zeros(len(self.label), dtype=bool)
        apart = ~(self.above | self.below)
        apart[self.core] = int(np.sum(self.label == self.core)) == 1  # then nothing can be compared with anything
        return (self.below | apart)[self.label], (self.above | apart)[self.label]

    @property
    def in_core(self) -> NDArray[np.bool_]:
        """Mark the systems of the core; when no two systems can be compared, all of them."""
        members: NDArray[np.bool_] = self.label == self.core
        return members if members.sum() > 1 else np.ones(len(self.label), dtype=bool)


def find_components(size: int, first: IntArray, second: IntArray, won: FloatArray, lost: FloatArray) -> Components:
    """Find the components from the pairs that met and each side's wins."""
    beats = _beats(size, first, second, won, lost)
    count, label = csgraph.connected_components(beats, directed=True, connection="strong")
    if count == 1:
        return Components(label.astype(np.int64), 1, 0, np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    met = np.bincount(first, weights=won + lost, minlength=size) + np.bincount(
        second, weights=won + lost, minlength=size
    )
    members = np.bincount(label, minlength=count)
    core = int(np.lexsort((-np.bincount(label, weights=met, minlength=count), -members))[0])
    seed = int(np.flatnonzero(label == core)[0])
    below = _reached(beats, seed, label, count)
    above = _reached(beats.T.tocsr(), seed, label, count)
    below[core] = above[core] = False
    return Components(label.astype(np.int64), count, core, above, below)


def strongly_connected(
    size: int, first: IntArray, second: IntArray, won: FloatArray, lost: FloatArray, count: int = 1
) -> bool:
    """Are the systems held together by wins in both directions, in no more than `count` components?"""
    beats = _beats(size, first, second, won, lost)
    found = csgraph.connected_components(beats, directed=True, connection="strong", return_labels=False)
    return int(found) == count


def _beats(size: int, first: IntArray, second: IntArray, won: FloatArray, lost: FloatArray) -> sparse.csr_array:
    up, down = won > 0, lost > 0
    rows = np.concatenate([first[up], second[down]])
    columns = np.concatenate([second[up], first[down]])
    return sparse.csr_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(size, size))


def _reached(beats: sparse.csr_array, seed: int, label: IntArray, count: int) -> NDArray[np.bool_]:
    nodes = csgraph.breadth_first_order(beats, seed, directed=True, return_predecessors=False)
    reached = np.zeros(count, dtype=bool)
    reached[label[nodes]] = True
    return reached


def place_by_prior(
    components: Components,
    strength: FloatArray,
    first: IntArray,
    second: IntArray,
    won: FloatArray,
    lost: FloatArray,
) -> FloatArray:
    """Return strengths with every component moved to its most probable place under the minimal prior."""
    label, count = components.label, components.count
    across = label[first] != label[second]
    first, second, won, lost = first[across], second[across], won[across], lost[across]
    shift = np.zeros(count)
    members = np.bincount(label, minlength=count)
    centre = np.bincount(label, weights=strength, minlength=count)
    free = np.ones(count, dtype=bool)
    free[components.core] = members[components.core] == 1
    a, b = label[first], label[second]
    for _ in range(200):
        gap = (strength[first] + shift[a]) - (strength[second] + shift[b])
        chance = special.expit(gap)
        residual = won - (won + lost) * chance
        gradient = np.bincount(a, weights=residual, minlength=count) - np.bincount(b, weights=residual, minlength=count)
        gradient -= PRIOR * (centre + members * shift)
        information = (won + lost) * chance * (1 - chance)
        hessian = _laplacian(count, a, b, information) + sparse.diags_array(PRIOR * members)
        step = np.zeros(count)
        step[free] = linalg.spsolve(hessian.tocsc()[free][:, free], gradient[free])
        # Far from the maximum the likelihood is flat and Newton leaps; two units at a time is always safe.
        step *= min(1.0, 2.0 / max(float(np.max(np.abs(step))), 1e-300))
        shift += step
        if np.max(np.abs(step)) < 1e-10:
            break
    return strength + shift[label]


def _laplacian(count: int, a: IntArray, b: IntArray, weight: FloatArray) -> sparse.csr_array:
    rows = np.concatenate([a, b, a, b])
    columns = np.concatenate([a, b, b, a])
    return sparse.csr_array((np.concatenate([weight, weight, -weight, -weight]), (rows, columns)), shape=(count, count))


def place_by_chance(
    components: Components,
    strength: FloatArray,
    first: IntArray,
    second: IntArray,
    number: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """Move components that always won or always lost against the core to a place drawn from what that tells.

    `strength` is systems × draws. With u uniform, a component that won all its comparisons is put where the chance of
    winning them all is u: the share of draws below any place is then the confidence that it stands below.
    """
    if components.connected:
        return strength
    placed = strength.copy()
    label, core = components.label, components.core
    for component in np.flatnonzero(components.above | components.below):
        up = (label[first] == component) & (label[second] == core)
        down = (label[first] == core) & (label[second] == component)
        member = np.concatenate([first[up], second[down]])
        other = np.concatenate([second[up], first[down]])
        if len(member) == 0:  # linked through third ones only: the evidence has no direct say
            continue
        sign = 1.0 if components.above[component] else -1.0
        log_chance = np.log1p(-rng.uniform(size=strength.shape[1]))  # of a number in (0, 1], never log 0
        gap = sign * (strength[member] - strength[other])
        met = np.concatenate([number[up], number[down]])
        placed[label == component] += sign * _solve(gap, met, log_chance)
    return placed


def _solve(gap: FloatArray, number: FloatArray, log_chance: FloatArray) -> FloatArray:
    """Find the shift s with Σ number · log σ(gap + s) = log_chance, per column, by bisection."""
    low, high = np.full(gap.shape[1], -60.0) - gap.max(axis=0), np.full(gap.shape[1], 60.0) - gap.min(axis=0)
    for _ in range(60):
        middle = (low + high) / 2
        likelihood = -np.sum(number[:, None] * np.logaddexp(0.0, -(gap + middle)), axis=0)
        too_low = likelihood < log_chance
        low, high = np.where(too_low, middle, low), np.where(too_low, high, middle)
    return (low + high) / 2


def component_findings(components: Components, systems: tuple[str, ...]) -> tuple[Finding, ...]:
    """Say which systems the evidence cannot place, and why."""
    if components.connected:
        return ()
    label, sizes = components.label, np.bincount(components.label, minlength=components.count)
    alone = (sizes == 1)[label]
    above, below = components.above[label], components.below[label]
    apart = ~above & ~below & (label != components.core)
    nothing = int(sizes[components.core]) == 1
    rest = "the others are where they would be without" if not nothing else "no two systems have beaten each other"
    held = "placed by a minimal prior, with an open interval"
    kinds = [
        ("never-loses", above & alone, "never lost against the others", "compare it with stronger systems"),
        ("never-wins", below & alone, "never won against the others", "compare it with weaker systems"),
        ("one-way", (above | below) & ~alone, "only won, or only lost, against the others", "more comparisons across are needed"),
        ("islands", apart, "cannot be compared with the others, not even through third systems", "add comparisons that link them"),
    ]  # fmt: skip
    return tuple(
        Finding(code, "warning", f"{_listed(systems, which)} {what}: {held}; {rest}", hint)
        for code, which, what, hint in kinds
        if np.any(which)
    )


def _listed(systems: tuple[str, ...], which: NDArray[np.bool_]) -> str:
    names = [repr(systems[place]) for place in np.flatnonzero(which)]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
