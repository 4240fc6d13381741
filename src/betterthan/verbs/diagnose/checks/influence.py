"""Influence: systems whose presence changes the order, and items that decide who ranks first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, arrays
from betterthan.datasets import DataSet, PairCounts, RowUnits, sparse_matrices
from betterthan.engine import Coded
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds, marked, percent
from betterthan.models import Fit
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 160

#: Leaving out every system in turn is as many fits as there are systems.
_MOST_SYSTEMS = int(kinds.evidence.CHECK_SKIPPED.thresholds["systems_left_out_in_turn"])
#: What a unit adds to a lead takes the inverse of a matrix of all systems.
_MOST_SOLVED = int(kinds.evidence.CHECK_SKIPPED.thresholds["systems_in_a_lead"])
#: Of more units than this, few cannot hold much of the variance by chance; of fewer, draws show how much.
_MANY, _DRAWN = 300, 2_000
#: Few units are left out in fact where at most this many times as many would do to first order.
_FEW_OF = 10
#: Rivals of the leader that are examined, a step of the search for enough units, and a change of the leader.
_RIVALS, _STEP, _CHANGED = 5, 10, 1e-6
#: Units that a message names, and that the finding lists.
_SHOWN, _LISTED = 3, 50


def check(case: ExaminedData) -> list[Finding]:
    """Leave out systems in turn, and look for the fewest units without which another system leads."""
    return [*_systems(case), *_mean_lead(case), *_units(case), *_mean(case)]


def _systems(case: ExaminedData) -> list[Finding]:
    size = case.counts.size
    if size > _MOST_SYSTEMS:
        what = "Dependence of the order on single systems"
        return [kinds.evidence.CHECK_SKIPPED.found(check=what, most=_MOST_SYSTEMS, what="system", number=size)]
    turned = turned_pairs(case)
    pairs = {frozenset(pair) for found in turned.values() for pair in found}
    if not pairs:
        return []
    most = max(turned, key=lambda left_out: len(turned[left_out]))
    one, two = turned[most][0]
    left_out, first, second = (case.counts.systems[place] for place in (most, one, two))
    return [kinds.comparisons.DEPENDS_ON_OTHERS.found(number=len(pairs), left_out=left_out, first=first, second=second)]


def turned_pairs(case: ExaminedData) -> dict[int, list[tuple[int, int]]]:
    """Return by system the pairs of others that change order when it is left out; of too many systems, nothing."""
    if not 3 <= case.counts.size <= _MOST_SYSTEMS or case.counts.groups[0] > 1:
        return {}
    return {left_out: _turned(case, left_out) for left_out in range(case.counts.size)}


def _turned(case: ExaminedData, left_out: int) -> list[tuple[int, int]]:
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
    if less.groups[0] > 1:
        return []
    after, before = case.model.fit(less).strength, case.fit.strength[others]
    one, two = np.nonzero((before[:, None] - before > 1e-6) & (after[:, None] - after < -1e-6))
    return [(int(others[a]), int(others[b])) for a, b in zip(one, two, strict=True)]


def _units(case: ExaminedData) -> list[Finding]:
    """Find how few units carry the lead of the first over the second system, and how few judges, where named."""
    placed = np.flatnonzero(~case.fit.apart)
    size = case.counts.size
    if size > _MOST_SOLVED:
        what = "Dependence of the lead on few units"
        return [kinds.evidence.CHECK_SKIPPED.found(check=what, most=_MOST_SOLVED, what="system", number=size)]
    if len(placed) < 2:
        return []
    order = placed[np.argsort(-case.fit.strength[placed], kind="stable")]
    if _gap(case.fit, (int(order[0]), int(order[1]))) < 1e-6:
        return []
    rivals = [(int(order[0]), int(rival)) for rival in order[1 : 1 + _RIVALS]]
    pulls = _pulls(case, rivals)
    data = case.data.by_one_unit(None, "a lead")  # judges have their own turn
    by_unit = _on_units(case, data, pulls)
    if "judge" not in case.data.roles or "judge" in (*data.by, *data.fixed):
        return by_unit
    try:
        judges = case.data.settled("judge", case.data.tolerance)
        found = _on_units(case, judges, pulls)
    except EvidenceError:  # judgments without a judge are for the analysis of judges to report
        return by_unit
    return [*by_unit, *(finding for finding in found if finding.level == "warning")]


def _on_units(case: ExaminedData, data: DataSet, pulls: dict[tuple[int, int], FloatArray]) -> list[Finding]:
    """Return how few units decide who ranks first, and report it where removing them changes the first rank.

    The rival is the system that the fewest units keep behind to first order. The sum of the largest contributions of
    units to the lead is the approximate maximum influence (Broderick, Giordano & Meager 2020).
    """
    parts = {lead: _parts(case, data, pull) for lead, pull in pulls.items()}
    about = {lead: _first_order(case, lead, each.gain) for lead, each in parts.items()}
    reached = [lead for lead in parts if about[lead] is not None]
    lead = min(reached, key=lambda each: (about[each] or 0, -case.fit.strength[each[1]]), default=next(iter(parts)))
    gain, unit, limits = parts[lead].gain, parts[lead].unit, kinds.comparisons.LEAD_HANGS_ON.thresholds
    ranked = np.argsort(-gain, kind="stable")
    removal = _removal(case, parts[lead], ranked, about[lead])
    if removal is None:
        return []
    needed, new = removal
    share, gone = needed / len(gain), ranked[:needed]
    gap = _gap(case.fit, lead)
    # What units add to the lead adds up to nothing at the estimate; their squares add up to its variance.
    variance = float(gain @ gain)
    held = float(np.sum(gain[gone] ** 2)) / variance
    few = share <= limits["share"] or needed <= limits["number"]
    # A lead that is noise by the other units as well does not depend on these.
    solid = gap**2 >= limits["errors_of_others"] ** 2 * (1 - held) * variance
    doubtful = few and solid and held >= max(limits["variance"], _held_by_chance(len(gain), needed, limits["p"]))
    names = _names(case, parts[lead], gone)
    known: dict[str, Any] = {
        "needed": needed,
        "units": len(gain),
        "unit": unit,
        "which": f" ({', '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''})",
        "left_out": tuple(names[:_LISTED]),
        "first": case.counts.systems[lead[0]],
        "second": case.counts.systems[new],
        "by": " by Bradley–Terry" if case.table is not None else "",
        "of_all": share,
        "errors": gap / np.sqrt(variance),
        "variance_held": held,
    }
    if not doubtful:
        return [kinds.comparisons.LEAD_HANGS_ON.noted(**known, held="")]
    what = f"this {unit}" if needed == 1 else f"these {unit}s"
    return [
        kinds.comparisons.LEAD_HANGS_ON.found(**known, held=f", and {percent(held)} of its variance comes from {what}")
    ]


def _names(case: ExaminedData, parts: "InfluenceParts", gone: IntArray) -> list[str]:
    """Return the names of units, or the outcomes of judgments that have none, the most frequent first."""
    if parts.names:
        return [repr(parts.names[int(place)]) for place in gone]
    outcomes, systems = parts.outcomes(gone), case.counts.systems
    found = []
    for pair in np.flatnonzero(outcomes.sum(axis=0)):
        one, two = (repr(systems[place]) for place in (case.counts.first[pair], case.counts.second[pair]))
        texts = (f"{one} over {two}", f"tie of {one} and {two}", f"{two} over {one}")
        found += [(float(amount), text) for amount, text in zip(outcomes[:, pair], texts, strict=True) if amount > 0]
    return [f"{amount:g} × {text}" for amount, text in sorted(found, key=lambda each: (-each[0], each[1]))]


def _first_order(case: ExaminedData, lead: tuple[int, int], gain: FloatArray) -> int | None:
    """Return without how many units a lead would be gone to first order, None where all of them are not enough."""
    enough = np.flatnonzero(np.cumsum(np.sort(gain)[::-1]) > _gap(case.fit, lead))
    return int(enough[0]) + 1 if len(enough) else None


def _removal(
    case: ExaminedData, parts: "InfluenceParts", ranked: IntArray, about: int | None
) -> tuple[int, int] | None:
    """Return how many of the ranked units change the leader when they are left out, and who leads then.

    Each number was tried by fitting what is left. None where more units would be needed than are worth a note.
    """
    units, limits = len(ranked), kinds.comparisons.LEAD_HANGS_ON.thresholds
    most = min(int(max(limits["mentioned"] * units, 1.5)), units - 1)
    few = min(int(limits["number"]), most)
    leader = int(np.argmax(np.where(case.fit.apart, -np.inf, case.fit.strength)))

    def without(number: int) -> int | None:
        """Return who leads without the first units, None where that is still the same system."""
        gone = parts.outcomes(ranked[:number])
        fit = case.model.fit(replace(case.counts, outcomes=np.maximum(case.counts.outcomes - gone, 0.0)))
        strength = np.where(fit.apart, -np.inf, fit.strength)
        new = int(np.argmax(strength))
        return None if strength[new] - strength[leader] < _CHANGED else new

    # A fit follows a unit that carries much of the lead, so that leaving out few changes more than the first order.
    if about is None or about <= _FEW_OF * few:
        for number in range(1, few + 1):
            if (new := without(number)) is not None:
                return number, new
    if about is None or about > most:
        return None
    high = max(about, few + 1)
    while (new := without(min(high, most))) is None:
        if high >= most:
            return None
        high += max(1, high // _STEP)
    high, low = min(high, most), few
    while high - low > 1:  # fewer may do than the first order says
        middle = (low + high) // 2
        fewer = without(middle)
        low, high, new = (low, middle, fewer) if fewer is not None else (middle, high, new)
    return high, new


def _gap(fit: Fit, lead: tuple[int, int]) -> float:
    first, second = lead
    return float(fit.strength[first] - fit.strength[second])


def _held_by_chance(units: int, needed: int, p: float) -> float:
    """Return the share of the variance that the largest of that many normal contributions exceed with the chance p."""
    if units > _MANY:
        return 0.0
    drawn = np.sort(np.random.default_rng(0).normal(size=(_DRAWN, units)), axis=1) ** 2
    return float(np.quantile(drawn[:, -needed:].sum(axis=1) / drawn.sum(axis=1), 1 - p))


@of_scores
def _mean_lead(case: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Find the fewest items, or groups of them, without which another system has the highest mean."""
    values, limits = table.values, kinds.comparisons.LEAD_HANGS_ON.thresholds
    if np.any(np.isnan(values)) or len(values) < limits["number"]:
        return []
    groups = case.data.groups
    unit, names, codes = ("item", table.items, np.arange(len(values)))
    sums = values
    if groups is not None:
        codes, number = groups.compact
        unit, names = "group", marked(groups.labels, np.bincount(groups.codes, minlength=len(groups.labels)) > 0)
        sums = np.stack([np.bincount(codes, column, number) for column in values.T], axis=1)
    order = np.argsort(-values.mean(axis=0), kind="stable")
    leader = int(order[0])
    gaps = sums[:, [leader]] - sums[:, order[1:]]
    rounding = 1e-12 * float(np.abs(sums).sum())
    if not np.all(gaps.sum(axis=0) > rounding):
        return []
    left = gaps.sum(axis=0) - np.cumsum(-np.sort(-gaps, axis=0), axis=0)
    behind = left < -rounding
    fewest = np.where(behind.any(axis=0), behind.argmax(axis=0) + 1, len(sums) + 1)
    rival = int(np.argmin(fewest))
    needed, gap = int(fewest[rival]), gaps[:, rival]
    if needed / len(sums) > max(limits["mentioned"], 1.5 / len(sums)):
        return []
    gone = np.argsort(-gap, kind="stable")[:needed]
    rest = np.delete(values, np.flatnonzero(np.isin(codes, gone)), axis=0)
    listed = [repr(names[int(place)]) for place in gone]
    return [
        kinds.comparisons.LEAD_HANGS_ON.noted(
            needed=needed,
            units=len(sums),
            unit=unit,
            which=f" ({', '.join(listed[:_SHOWN])}{' …' if needed > _SHOWN else ''})",
            left_out=tuple(listed[:_LISTED]),
            first=table.systems[leader],
            second=table.systems[int(np.argmax(rest.mean(axis=0)))],
            by=" by the mean",
            of_all=needed / len(sums),
            errors=float(gap.sum()) / float(np.sqrt(np.sum((gap - gap.mean()) ** 2) * len(gap) / (len(gap) - 1))),
            variance_held=float(np.sum((gap[gone] - gap.mean()) ** 2) / np.sum((gap - gap.mean()) ** 2)),
            held="",
        )
    ]


@of_scores
def _mean(case: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Find how few items carry the lead by the mean."""
    if table.two_valued:  # right and wrong answers have no outliers
        return []
    limits = kinds.scores.MEAN_HANGS_ON.thresholds
    values = table.values[~np.any(np.isnan(table.values), axis=1)]
    if len(values) < limits["items"]:
        return []
    first, second = np.argsort(-values.mean(axis=0), kind="stable")[:2]
    gap = np.sort(values[:, first] - values[:, second])[::-1]
    needed = int(np.argmax(gap.sum() - np.cumsum(gap) <= 0)) + 1
    share = needed / len(gap)
    wild = arrays.far_from_the_rest(gap[:, None], limits["interquartile_ranges"])[:needed, 0]
    if gap.sum() <= 0 or (share > limits["share"] and needed > limits["number"]) or not np.any(wild):
        return []  # a small lead depends on any item: only outliers are worth a look
    leader, follower = (case.counts.systems[int(place)] for place in (first, second))
    return [
        kinds.scores.MEAN_HANGS_ON.found(first=leader, second=follower, needed=needed, items=len(gap), of_all=share)
    ]


def _pulls(case: ExaminedData, leads: Sequence[tuple[int, int]]) -> dict[tuple[int, int], FloatArray]:
    """Return how much a win more of every pair adds to each lead of one system over another."""
    information = case.counts.incidence * (case.met * case.expected * (1 - case.expected))
    inverse = np.linalg.pinv(sparse_matrices.dense(information @ case.counts.incidence.T), hermitian=True)
    pulls = {lead: inverse[lead[0]] - inverse[lead[1]] for lead in leads}
    return {lead: np.asarray(pull[case.counts.first] - pull[case.counts.second]) for lead, pull in pulls.items()}


@dataclass(frozen=True)
class InfluenceParts:
    """The units that are left out: their kind, names if any, and their first-order contribution to the lead.

    `outcomes` returns those of some units (3 × pairs).
    """

    unit: str
    names: tuple[str, ...]
    gain: FloatArray
    outcomes: Callable[[IntArray], FloatArray]


def _parts(case: ExaminedData, data: DataSet, of_pair: FloatArray) -> InfluenceParts:
    """Take a data set apart by its units."""
    return _of_scores(case, case.table, data, of_pair) if case.table is not None else _of_tally(case, data, of_pair)


def _of_scores(case: ExaminedData, table: ScoreTable, data: DataSet, of_pair: FloatArray) -> InfluenceParts:
    signs, one, two = table.signs(data.tolerance)
    place = case.place(one, two)
    won = np.where(signs == -2, 0.0, (np.maximum(signs, -1) + 1) / 2 - case.expected[place])
    gain = won @ np.where(place >= 0, of_pair[place], 0.0)
    unit, names, code, gain = (
        _summed("group", data.groups, gain)
        if data.groups is not None
        else ("item", table.items, np.arange(len(gain)), gain)
    )

    def outcomes(gone: IntArray) -> FloatArray:
        rows = signs[np.isin(code, gone)]
        counts = np.zeros_like(case.counts.outcomes)
        counts[:, place[place >= 0]] = [(rows == sign).sum(axis=0)[place >= 0] for sign in (1, 0, -1)]
        return counts

    return InfluenceParts(unit, names, gain, outcomes)


def _of_tally(case: ExaminedData, data: DataSet, of_pair: FloatArray) -> InfluenceParts:
    tally = data.tally()
    place = case.place(np.minimum(tally.left, tally.right), np.maximum(tally.left, tally.right))
    outcome = np.where(tally.left < tally.right, tally.outcome, 2 - tally.outcome)
    amount = tally.weight * tally.times
    gain = amount * (np.array([1.0, 0.5, 0.0])[outcome] - case.expected[place]) * of_pair[place]
    if len(data.by) == 1:
        unit, names, code, gain = _summed(data.by[0], tally.units[data.by[0]], gain)
    else:  # judgments one by one
        row = np.repeat(np.arange(len(gain)), np.round(tally.times).astype(np.int64))
        place, outcome, amount, gain = place[row], outcome[row], tally.weight[row], (gain / tally.times)[row]
        unit, names, code = "judgment", (), np.arange(len(row))

    def outcomes(gone: IntArray) -> FloatArray:
        counts = np.zeros_like(case.counts.outcomes)
        rows = np.flatnonzero(np.isin(code, gone))
        np.add.at(counts, (outcome[rows], place[rows]), amount[rows])
        return counts

    return InfluenceParts(unit, names, gain, outcomes)


def _summed(unit: str, column: Coded, gain: FloatArray) -> tuple[str, tuple[str, ...], IntArray, FloatArray]:
    """Add up gains by unit: kind and names, the unit of every row, and the sums."""
    codes, number = column.compact
    used = np.zeros(len(column.labels), dtype=bool)
    used[column.codes] = True
    names = marked(column.labels, used)
    return unit, names, codes, np.bincount(codes, weights=gain, minlength=number).astype(np.float64)
