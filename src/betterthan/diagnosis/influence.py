"""What the order hangs on: systems whose presence changes it, and the few instances that decide who leads."""

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding
from betterthan.findings.comparisons import DEPENDS_ON_OTHERS, LEAD_HANGS_ON
from betterthan.findings.scores import MEAN_HANGS_ON
from betterthan.infer.outliers import far
from betterthan.models.direct.counts import groups
from betterthan.reduce.matrices import dense
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.units import RowUnits

#: Leaving out every system in turn is as many fits as there are systems.
_MOST_SYSTEMS = 150
#: What a unit adds to a lead takes the inverse of a matrix of all systems.
_MOST_SOLVED = 1_000


def check(case: Case) -> list[Finding]:
    """Leave out systems in turn, and look for the fewest units without which another system leads."""
    return [*_systems(case), *_units(case), *_mean(case)]


def _systems(case: Case) -> list[Finding]:
    if not 3 <= case.counts.size <= _MOST_SYSTEMS or groups(case.counts)[0] > 1:
        return []
    turned = {left_out: _turned(case, left_out) for left_out in range(case.counts.size)}
    pairs = {frozenset(pair) for found in turned.values() for pair in found}
    if not pairs:
        return []
    most = max(turned, key=lambda left_out: len(turned[left_out]))
    one, two = turned[most][0]
    left_out, first, second = (case.counts.systems[place] for place in (most, one, two))
    return [DEPENDS_ON_OTHERS.found(number=len(pairs), left_out=left_out, first=first, second=second)]


def _turned(case: Case, left_out: int) -> list[tuple[int, int]]:
    """Return pairs of other systems that change order when a system is left out."""
    counts = case.counts
    kept = (counts.first != left_out) & (counts.second != left_out)
    if not np.any(kept):
        return []
    others = np.delete(np.arange(counts.size), left_out)
    place = np.searchsorted(others, np.stack([counts.first[kept], counts.second[kept]]))
    names = tuple(counts.systems[other] for other in others)
    nothing = RowUnits(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0), (3, int(kept.sum())))
    less = PairCounts(names, place[0], place[1], counts.outcomes[:, kept], nothing)
    if groups(less)[0] > 1:
        return []
    after, before = case.model.fit(less).strength, case.fit.strength[others]
    one, two = np.nonzero((before[:, None] - before > 1e-6) & (after[:, None] - after < -1e-6))
    return [(int(others[a]), int(others[b])) for a, b in zip(one, two, strict=True)]


def _units(case: Case) -> list[Finding]:
    """Find how few units carry the lead of the first over the second system."""
    placed = np.flatnonzero(~case.fit.apart)
    if len(placed) < 2 or case.counts.size > _MOST_SOLVED:
        return []
    order = placed[np.argsort(-case.fit.strength[placed], kind="stable")]
    first, second = int(order[0]), int(order[1])
    gap = float(case.fit.strength[first] - case.fit.strength[second])
    if gap < 1e-6:
        return []
    unit, names, gain = _gains(case, first, second)
    ranked = np.argsort(-gain, kind="stable")
    total = np.cumsum(gain[ranked])
    enough = np.flatnonzero(total > gap)
    needed = int(enough[0]) + 1 if len(enough) else None
    share = needed / len(gain) if needed is not None else None
    limits = LEAD_HANGS_ON.thresholds
    if needed is None or share is None or share > limits["mentioned"]:
        return []
    shown = ", ".join(repr(names[int(place)]) for place in ranked[: min(needed, 3)]) if names else ""
    which = f" ({shown}{' …' if needed > 3 else ''})" if shown else ""
    leader, follower = (case.counts.systems[place] for place in (first, second))
    many = share > limits["share"] and needed > limits["number"]
    tell = LEAD_HANGS_ON.noted if many else LEAD_HANGS_ON.found
    return [
        tell(
            needed=needed, units=len(gain), unit=unit, which=which, first=leader, second=follower, of_all=share,
        )
    ]  # fmt: skip


def _mean(case: Case) -> list[Finding]:
    """Find how few instances carry the lead by the mean."""
    if case.table is None:
        return []
    values = case.table.values[~np.any(np.isnan(case.table.values), axis=1)]
    if len(values) < 3:
        return []
    first, second = np.argsort(-values.mean(axis=0), kind="stable")[:2]
    gap = np.sort(values[:, first] - values[:, second])[::-1]
    needed = int(np.argmax(gap.sum() - np.cumsum(gap) <= 0)) + 1
    share = needed / len(gap)
    wild = far(gap[:, None], 3.0)[:needed, 0]
    limits = MEAN_HANGS_ON.thresholds
    if gap.sum() <= 0 or (share > limits["share"] and needed > limits["number"]) or not np.any(wild):
        return []  # a small lead hangs on any instance: only outliers are worth a look
    leader, follower = (case.counts.systems[int(place)] for place in (first, second))
    return [MEAN_HANGS_ON.found(first=leader, second=follower, needed=needed, instances=len(gap), of_all=share)]


def _gains(case: Case, first: int, second: int) -> tuple[str, tuple[str, ...], FloatArray]:
    """Return what every unit adds to the lead of the first system over the second, to first order, and its name."""
    information = case.counts.incidence * (case.met * case.expected * (1 - case.expected))
    contrast = np.zeros(case.counts.size)
    contrast[first], contrast[second] = 1, -1
    pull = np.linalg.pinv(dense(information @ case.counts.incidence.T), hermitian=True) @ contrast
    of_pair = pull[case.counts.first] - pull[case.counts.second]
    if case.table is not None:
        signs, one, two = case.table.signs(case.data.tolerance)
        place = _place(case, one, two)
        won = np.where(signs == -2, 0.0, (np.maximum(signs, -1) + 1) / 2 - case.expected[place])
        return "instance", case.table.instances, won @ np.where(place >= 0, of_pair[place], 0.0)
    tally = case.data.tally()
    place = _place(case, np.minimum(tally.left, tally.right), np.maximum(tally.left, tally.right))
    score = np.array([1.0, 0.5, 0.0])[np.where(tally.left < tally.right, tally.outcome, 2 - tally.outcome)]
    gain = tally.weight * (score - case.expected[place]) * of_pair[place]
    by = case.data.by
    if len(by) != 1:
        return "judgment", (), np.repeat(gain, np.round(tally.times).astype(np.int64))
    unit = tally.units[by[0]]
    codes, number = unit.compact
    used = np.unique(unit.codes)
    names = tuple(unit.labels[code] for code in used)
    return by[0], names, np.bincount(codes, weights=gain * tally.times, minlength=number).astype(np.float64)


def _place(case: Case, first: IntArray, second: IntArray) -> IntArray:
    """Return each pair's place among those that met, −1 for one that did not."""
    size = case.counts.size
    keys = case.counts.first * size + case.counts.second
    wanted = first * size + second
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)
