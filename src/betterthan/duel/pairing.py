"""From evidence and two names to what both systems did on the same instances, or in the judgments between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.arrays import BoolArray, IntArray
from betterthan.errors import EvidenceError, PlanError, nearest
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.outcomes import LEFT, RIGHT, TIE
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.findings import Finding
from betterthan.findings.evidence import UNMATCHED, WEIGHTS
from betterthan.infer.paired import Differences
from betterthan.spelling import option, verb

#: Which instances hang together: by instance, or in their order.
Groups = Mapping[str, str] | Sequence[str]


@dataclass(frozen=True)
class Pairing:
    """Two systems and their differences; a judgment is 1 for a win, 0 for a tie, −1 for a loss.

    `unit` says what hangs together: the column or `given` for scores, the unit of judgments; empty where nothing does.
    """

    a: str
    b: str
    kind: str
    differences: Differences
    unit: str
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How often the first system won, tied and lost."""
        signs = np.sign(self.differences.values)
        wins, ties, losses = (int(np.sum(signs == sign)) for sign in (1, 0, -1))
        return wins, ties, losses

    @property
    def units(self) -> int:
        """How many groups there are, or instances where nothing hangs together."""
        return len(np.unique(self.differences.group))

    @property
    def facts(self) -> dict[str, str]:
        """What the signature says of the evidence."""
        facts = {"evidence": self.kind, "compare": f"{self.a} against {self.b}"}
        if self.kind == "scores":
            return {**facts, "groups": self.unit if self.differences.grouped else "none"}
        return {**facts, "unit": self.unit or "row"}


def pair(
    evidence: Any, a: str | None, b: str | None, groups: Groups | None = None, *, tolerance: float = 0.0
) -> Pairing:
    """Return what two systems did on the same evidence; without names it must hold two systems."""
    evidence = as_evidence(evidence)
    if isinstance(evidence, Scores):
        return _scores(_only(evidence), a, b, groups, tolerance)
    if groups is not None:
        raise PlanError("groups are for scores", remedy="Judgments are grouped by their item, ranking or judge column.")
    judgments = evidence.to_judgments() if isinstance(evidence, Rankings) else evidence
    return _judgments(judgments, evidence.kind, a, b)


def _only(evidence: Scores) -> ScoreTable:
    if len(evidence.tables) > 1:
        titles = ", ".join(repr(table.title) for table in evidence.tables[:10])
        raise PlanError(
            f"systems are compared on one metric and data set, and there are {len(evidence.tables)}: {titles}",
            remedy=f"Choose one with {option('where', {'metric': 'NAME'})}.",
        )
    return evidence.tables[0]


def _two(systems: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two names, refusing what is not there."""
    if a is None and b is None and len(systems) == 2:
        return systems[0], systems[1]
    for name in (a, b):
        if name is None:
            raise PlanError(f"name the two systems to compare; there are: {', '.join(systems[:20])}.")
        if name not in systems:
            raise PlanError(f"no system {name!r} in this evidence. {nearest(name, systems)}")
    if a == b:
        raise PlanError(f"{a!r} cannot be compared with itself. Name two systems.")
    return str(a), str(b)


def _scores(table: ScoreTable, a: str | None, b: str | None, groups: Groups | None, tolerance: float) -> Pairing:
    a, b = _two(table.systems, a, b)
    first, second = (table.values[:, table.systems.index(name)] for name in (a, b))
    both = ~np.isnan(first) & ~np.isnan(second)
    if not np.any(both):
        raise EvidenceError(f"{a!r} and {b!r} have no instance in common", remedy="Check the names of the instances.")
    group = _group_codes(table, groups)
    unit = "given" if groups is not None else table.grouped_by
    differences = Differences(first[both], second[both], group[both], tolerance)
    return Pairing(a, b, "scores", differences, unit, tuple(_unmatched(table, a, b, both)))


def _judgments(evidence: Judgments, kind: str, a: str | None, b: str | None) -> Pairing:
    unit = evidence.units[:1]
    tally = evidence.tally(*unit)
    a, b = _two(tally.systems, a, b)
    one, two = tally.systems.index(a), tally.systems.index(b)
    straight, turned = (tally.left == one) & (tally.right == two), (tally.left == two) & (tally.right == one)
    rows = np.flatnonzero(straight | turned)
    times = np.round(tally.times[rows]).astype(np.int64)
    if np.any(times != tally.times[rows]):
        raise EvidenceError(
            "fractional counts cannot be compared one by one",
            remedy=f"Use whole counts, or pass them as {option('weight', 'COLUMN')}.",
        )
    if times.sum() == 0:
        raise EvidenceError(
            f"{a!r} and {b!r} were never compared with each other", remedy=f"Rank them instead: {verb('rank')}."
        )
    outcome = np.where(straight[rows], tally.outcome[rows], (LEFT + RIGHT) - tally.outcome[rows])
    value = np.repeat(np.select([outcome == LEFT, outcome == TIE], [1.0, 0.5], 0.0), times)
    codes = tally.units[unit[0]].codes[rows] if unit else np.arange(len(rows))
    group = np.repeat(codes, times) if unit else np.arange(len(value))
    findings = []
    if np.any(tally.weight[rows] != 1.0):
        findings.append(WEIGHTS.found())
    return Pairing(a, b, kind, Differences(value, 1 - value, group), unit[0] if unit else "", tuple(findings))


def _group_codes(table: ScoreTable, groups: Groups | None) -> IntArray:
    if groups is None:
        return np.arange(len(table.instances)) if table.groups is None else table.groups.codes
    if isinstance(groups, Mapping):
        lacking = [instance for instance in table.instances if instance not in groups]
        if lacking:
            raise EvidenceError(
                f"groups name no group for the instance {lacking[0]!r} ({len(lacking)} such instances)."
            )
        named = [groups[instance] for instance in table.instances]
    else:
        named = list(groups)
    if len(named) != len(table.instances):
        raise EvidenceError(f"groups must have one entry per instance: {len(table.instances)}, got {len(named)}.")
    codes: IntArray = np.unique(np.array(named, dtype=str), return_inverse=True)[1].astype(np.int64)
    return codes


def _unmatched(table: ScoreTable, a: str, b: str, both: BoolArray) -> list[Finding]:
    """Say which instances only one of the two was scored on."""
    findings = []
    for name, other in ((a, b), (b, a)):
        lacks = np.isnan(table.values[:, table.systems.index(name)]) & ~np.isnan(
            table.values[:, table.systems.index(other)]
        )
        if np.any(lacks):
            shown = ", ".join(repr(table.instances[place]) for place in np.flatnonzero(lacks)[:3])
            more = f" and {int(lacks.sum()) - 3:,} more" if lacks.sum() > 3 else ""
            findings.append(UNMATCHED.found(system=name, lacking=f"{shown}{more}", matched=int(both.sum())))
    return findings
