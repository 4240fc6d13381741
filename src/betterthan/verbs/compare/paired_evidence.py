"""Paired evidence of two systems: scores on the same items, or judgments between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import (
    BoolArray,
    EvidenceError,
    IntArray,
    PlanError,
    arrays,
    digest_of,
    nearest,
    need_text,
    spelling,
)
from betterthan.datasets import DataSet, ItemParts, PairCounts, ScoredSet, ScoreMatrix, data_sets, effective_units
from betterthan.evidence import LEFT, RIGHT, TIE, Reading, ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.inference import ByJudge, Differences, RunVariance, pair_shares, randomisation
from betterthan.options import Groups
from betterthan.present import digits
from betterthan.verbs.rank import board_findings as support


@dataclass(frozen=True)
class JudgedPair:
    """The first system's share of judgments by the unit of dependence: of decided ones, and with ties half."""

    decided: pair_shares.Share
    half: pair_shares.Share


@dataclass(frozen=True)
class Pairing:
    """Two systems and their differences; a judgment is 1 for a win, 0 for a tie, −1 for a loss.

    `unit` says what is dependent: group or item for scores, the unit of judgments.
    """

    a: str
    b: str
    kind: str
    differences: Differences
    unit: str
    data: str  # a digest of the evidence, and of groups that were given
    findings: tuple[Finding, ...]
    judged: JudgedPair | None = None
    reading: Reading | None = None
    grouping: str = "comparison"  # what one group of differences is; of two crossed units the scarcer one
    corpus: randomisation.PairedParts | None = None  # where the metric is one of the whole test set
    metric: str = ""
    scope: str = ""  # what the comparison holds for: the units that are a sample of others
    lower_is_better: bool = False

    @property
    def values(self) -> tuple[float, float] | None:
        """The scores of both as they were read: means over common items, or over the whole test set by its metric."""
        if self.judged is not None:
            return None
        if self.corpus is not None:
            return self.corpus.scores
        sign = -1.0 if self.lower_is_better else 1.0
        return sign * float(self.differences.a.mean()), sign * float(self.differences.b.mean())

    @property
    def counts(self) -> tuple[int, int, int]:
        """How often the first system won, tied and lost."""
        signs = np.sign(self.differences.values)
        wins, ties, losses = (int(np.sum(signs == sign)) for sign in (1, 0, -1))
        return wins, ties, losses

    @property
    def units(self) -> int:
        """How many groups, or items where nothing is dependent; of two crossed units the scarcer one."""
        groups, by_judge = len(arrays.distinct(self.differences.group)), self.differences.by_judge
        return groups if by_judge is None else min(groups, by_judge.judges)

    @property
    def facts(self) -> dict[str, str]:
        """The facts about the evidence for the signature."""
        return {"evidence": self.kind, **({"metric": self.metric} if self.metric else {}), "unit": self.unit}


def pair_systems(
    evidence: Any,
    a: str | None,
    b: str | None,
    groups: Groups | None = None,
    *,
    unit: str | None = None,
    tolerance: float = 0.0,
    by_item: str = "",
) -> Pairing:
    """Return the paired evidence of two systems; without names the evidence must hold two systems.

    `by_item` is what cannot take items and judges of scores both as units, and names itself where that is asked.
    """
    if groups is not None and unit not in {None, "group"}:
        raise PlanError(f"groups were given, so the unit is the group, not {unit!r}", remedy="Leave one of them out.")
    sets = data_sets(evidence, unit=None if groups is not None else unit, tolerance=tolerance)
    data = sets.only("a comparison of two systems")
    refused = [*support.left_out(sets), *support.refused(data.account())]
    if isinstance(data, ScoredSet):
        by_units = data.by_one_unit(unit, by_item) if by_item else data
        hint = None if by_units is data else support.BY_MEAN
        return replace(_scores(by_units, a, b, groups, refused, hint), reading=sets.reading)
    if groups is not None:
        raise PlanError("groups are for scores", remedy="Judgments are grouped by their item, ranking or judge column.")
    return replace(_judgments(data, a, b, refused), reading=sets.reading)


def two_systems(systems: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two names, or refuse names that are missing."""
    if a is None and b is None and len(systems) == 2:
        a, b = systems
    for name in (a, b):
        if name is None:
            raise PlanError(f"name the two systems to compare; there are: {', '.join(systems[:20])}.")
        need_text(name, "the name of a system")
        if name not in systems:
            raise PlanError(f"no system {name!r} in this evidence. {nearest(name, systems)}")
    if a == b:
        raise PlanError(f"{a!r} cannot be compared with itself. Name two systems.")
    return str(a), str(b)


def _scores(  # noqa: PLR0917 (what was asked, in its order)
    data: ScoredSet,
    a: str | None,
    b: str | None,
    groups: Groups | None,
    refused: list[Finding],
    hint: str | None = None,
) -> Pairing:
    table = data.scores
    a, b = two_systems(table.systems, a, b)
    both = _both(table, a, b)
    if not np.any(both):
        raise EvidenceError(f"{a!r} and {b!r} have no item in common", remedy="Check the names of the items.")
    group = _group_codes(data, table, groups)
    differences = differences_of(data, table, a, b, group, judges=groups is None)
    by_judge = differences.by_judge
    unit = "group" if differences.grouped else "item" if by_judge is None else data.unit
    given = "" if groups is None else f"+{digest_of((), group)}"
    findings = (*refused, *_unmatched(table, a, b, both), *support.not_resampled(unit, data.other_units, hint=hint))
    findings += tuple(_varying_runs(data, a, b))
    grouping = "group" if differences.grouped else "comparison"
    if by_judge is not None and by_judge.judges < len(differences.values):
        grouping = data.unit.split("+")[1]
    return Pairing(
        a,
        b,
        "scores",
        differences,
        unit,
        data.digest + given,
        findings,
        grouping=grouping,
        corpus=_corpus(data, table, a, b, group),
        metric=table.metric if table.parts is not None else "",
        scope=data.scope() if groups is None else "for groups of items like these",
        lower_is_better=table.negated,
    )


def _varying_runs(data: ScoredSet, a: str, b: str) -> list[Finding]:
    """Report runs that differ as a whole by more than chance."""
    repeats, systems = data.scores.repeats, data.scores.systems
    if data.unit != "item+run" or repeats is None:
        return []
    found = RunVariance.of(repeats, systems.index(a), systems.index(b), 0.95, 0)
    if found is None or not found.run.low:
        return []
    places = digits.decimals([(found.run.low, found.run.high)])
    sd, low, high = (digits.rounded(each, places) for each in vars(found.run).values())
    return [kinds.comparisons.RUNS_VARY.found(sd=sd, low=low, high=high)]


def differences_of(
    data: DataSet,
    table: ScoreTable | ScoreMatrix,
    a: str,
    b: str,
    group: IntArray | None = None,
    *,
    judges: bool = True,
) -> Differences:
    """Return the differences of two systems on the items that both have, with judges where these are units."""
    both = _both(table, a, b)
    first, second = (table.values[both, table.systems.index(name)] for name in (a, b))
    group = np.arange(len(both)) if group is None else group
    return Differences(first, second, group[both], data.tolerance, _by_judge(data, a, b, both) if judges else None)


def _both(table: ScoreTable | ScoreMatrix, a: str, b: str) -> BoolArray:
    """Mark the items that both systems were scored on."""
    both: BoolArray = np.all(~np.isnan(table.values[:, [table.systems.index(a), table.systems.index(b)]]), axis=1)
    return both


def _by_judge(data: DataSet, a: str, b: str, both: BoolArray) -> ByJudge | None:
    """Return how judges differ on two systems where judges are units, None where they are not."""
    statistic = data.statistic(ScoreMatrix)
    if statistic is None or statistic.ratings is None:
        return None
    pair = (statistic.systems.index(a), statistic.systems.index(b))
    found = ByJudge.of(statistic.ratings, pair, both, data.tolerance)
    if found.judges < 2:
        judge = data.unit.split("+")[1]
        raise PlanError(
            f"only one {judge} scored {a!r} and {b!r}, so {judge}s cannot be a unit",
            remedy=f"Use {spelling.option('unit', 'item')}.",
        )
    return found


def _corpus(data: DataSet, table: ScoreTable, a: str, b: str, group: IntArray) -> randomisation.PairedParts | None:
    """Return the contributions of items to the corpus-level scores of two systems, None where these are means."""
    if table.parts is None:
        return None
    statistic = data.statistic(ItemParts)
    assert statistic is not None
    first, second = (table.parts[:, table.systems.index(name)] for name in (a, b))
    both = ~np.isnan(first[:, 0]) & ~np.isnan(second[:, 0])
    unit = np.unique(group[both], return_inverse=True)[1].ravel()
    return randomisation.PairedParts(statistic.metric, first[both], second[both], unit, table.negated)


def _judgments(data: DataSet, a: str | None, b: str | None, refused: list[Finding]) -> Pairing:
    tally = data.tally()
    a, b = two_systems(tally.systems, a, b)
    one, two = tally.systems.index(a), tally.systems.index(b)
    straight, turned = (tally.left == one) & (tally.right == two), (tally.left == two) & (tally.right == one)
    rows = np.flatnonzero(straight | turned)
    if tally.part is not None:  # of a judgment with a share for each side, the larger one says who won
        rows = rows[tally.part[rows] > 0.5]
    times = np.round(tally.times[rows]).astype(np.int64)
    if np.any(times != tally.times[rows]):
        raise EvidenceError(
            "fractional counts cannot be compared one by one",
            remedy=f"Use whole counts, or pass them as {spelling.option('weight')}.",
        )
    if times.sum() == 0:
        raise EvidenceError(
            f"{a!r} and {b!r} were never compared with each other",
            remedy=f"Rank them instead: {spelling.verb('rank')}.",
        )
    outcome = np.where(straight[rows], tally.outcome[rows], (LEFT + RIGHT) - tally.outcome[rows])
    value = np.repeat(np.select([outcome == LEFT, outcome == TIE], [1.0, 0.5], 0.0), times)
    units = [tally.units[name].codes[rows] for name in data.by]
    # Of two crossed units the scarcer one is the group; errors know both.
    name, codes = min(
        zip(data.by, units, strict=True), key=lambda unit: len(arrays.distinct(unit[1])), default=("judgment", None)
    )
    group = np.arange(len(value)) if codes is None else np.repeat(codes, times)
    pair = replace(data.summary(), judgments=float(times.sum()), effective=tally.take(rows).effective)
    sizes = [
        effective_units.UnitNumber.of(of, np.bincount(codes, times).astype(float))
        for of, codes in zip(data.by, units, strict=True)
    ]
    warnings = (
        *support.weighted(pair),
        *support.unequal(sizes),
        *support.not_resampled(data.unit, data.other_units),
    )
    return Pairing(
        a,
        b,
        data.kind,
        Differences(value, 1 - value, group),
        data.unit,
        data.digest,
        (*refused, *warnings),
        _judged(data.pairs(), one, two),
        grouping=name,
        scope=data.scope(),
    )


def _judged(counts: PairCounts, one: int, two: int) -> JudgedPair:
    place = int(np.flatnonzero((counts.first == min(one, two)) & (counts.second == max(one, two)))[0])
    return JudgedPair(*(pair_shares.shares(counts, ties).one(place, turned=one > two) for ties in ("drop", "half")))


def _group_codes(data: DataSet, table: ScoreTable, groups: Groups | None) -> IntArray:
    if groups is None:
        return np.arange(len(table.items)) if data.groups is None else data.groups.codes
    if isinstance(groups, Mapping):
        lacking = [item for item in table.items if item not in groups]
        if lacking:
            raise EvidenceError(f"groups name no group for the item {lacking[0]!r} ({len(lacking)} such items).")
        named = [groups[item] for item in table.items]
    else:
        named = list(groups)  # in the order in which items came
    if len(named) != len(table.items):
        raise EvidenceError(f"groups must have one entry per item: {len(table.items)}, got {len(named)}.")
    codes: IntArray = np.unique(np.array(named, dtype=str), return_inverse=True)[1].astype(np.int64)
    if isinstance(groups, Mapping) or table.appearance is None:
        return codes
    held = np.empty_like(codes)
    held[table.appearance] = codes
    return held


def _unmatched(table: ScoreTable, a: str, b: str, both: BoolArray) -> list[Finding]:
    """Return which items only one of the two was scored on."""
    findings = []
    for name, other in ((a, b), (b, a)):
        lacks = np.isnan(table.values[:, table.systems.index(name)]) & ~np.isnan(
            table.values[:, table.systems.index(other)]
        )
        if np.any(lacks):
            shown = ", ".join(repr(table.items[place]) for place in np.flatnonzero(lacks)[:3])
            more = f" and {int(lacks.sum()) - 3:,} more" if lacks.sum() > 3 else ""
            findings.append(
                kinds.evidence.UNMATCHED.found(system=name, lacking=f"{shown}{more}", matched=int(both.sum()))
            )
    return findings
