"""Examine the judges: agreement with each other, self-consistency, and outliers.

The unit is a comparison: two systems on one item (without an item column: two systems), as a win, tie or loss of the
first of them by name. Alpha and kappas are the usual ones, or on demand symmetric: which system is called first is
arbitrary, and with more than two systems the usual ones depend on it. Findings about judges do not depend on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError
from betterthan.evidence import Judgments
from betterthan.findings import Finding, kinds
from betterthan.inference import rater_agreement
from betterthan.options import Chance
from betterthan.verbs.diagnose.judges.copied_judgments import find_copies
from betterthan.verbs.diagnose.judges.judge_findings import (
    on_agreement,
    on_copies,
    on_few,
    on_following,
    on_repeats,
    on_shares,
    on_speed,
)
from betterthan.verbs.diagnose.judges.judge_kinds import judge_kinds
from betterthan.verbs.diagnose.judges.judge_rates import follows_order, left_wins, tied
from betterthan.verbs.diagnose.judges.judge_report import CohenKappa, Judge, JudgeReport
from betterthan.verbs.diagnose.judges.judging_speed import hasty, paces
from betterthan.verbs.diagnose.judges.votes import Mask, Verdicts, Votes

#: What a test finds must also matter: half the others' insight, a tenth of the wins, every seventh judgment tied.
_INSIGHT = kinds.judges.JUDGE_AGAINST_REST.thresholds["insight"]
_LEAN, _TIES = (kind.thresholds["difference"] for kind in (kinds.judges.JUDGE_LEFT_BIAS, kinds.judges.JUDGE_TIES))


def judges(
    evidence: Judgments,
    *,
    level: float = 0.95,
    chance: Chance = "observed",
    seed: int = 0,
    kinds_of_judges: Sequence[str] = (),
) -> JudgeReport | None:
    """Examine every judge; None where the evidence does not name judges.

    A judgment counts once whatever its weight; weights only matter for the common order.
    """
    if "judge" not in evidence.roles:
        return None
    lacking: list[Finding] = []
    try:
        votes = Votes.of(evidence)
    except EvidenceError:  # rows without a judge, or an item, say nothing about judges
        votes = Votes.of(replace(evidence, on_error="skip-most"))
        lacking = [kinds.judges.JUDGE_MISSING.found()]
    verdicts = Verdicts.of(votes)
    group = verdicts.group if votes.by_item else None
    symmetric = chance == "symmetric"
    agreed = rater_agreement.measure_agreement(verdicts.counts, group, confidence=level, symmetric=symmetric, seed=seed)
    even = rater_agreement.krippendorff(verdicts.counts, symmetric=True)
    repeats = verdicts.own[verdicts.own.sum(axis=1) > 1] if votes.by_item else verdicts.own[:0]
    consistent = float(np.mean(repeats.max(axis=1) == repeats.sum(axis=1))) if len(repeats) else None
    consistency = rater_agreement.fleiss(repeats, symmetric=symmetric)
    follows, left, ties = follows_order(votes), left_wins(votes), tied(votes)
    pace = paces(evidence, votes.names)
    tables, shared = verdicts.with_others(votes.size)
    kappa = rater_agreement.kappas(tables, symmetric=symmetric)
    # A judge who agrees with others on the same comparisons may have seen unusual ones, but judged them with care.
    least = np.maximum(_INSIGHT * (np.inf if even is None else even), 2 / np.sqrt(np.maximum(shared, 1)))
    agrees = votes.by_item & (rater_agreement.kappas(tables, symmetric=True) >= least)
    marks = {
        "judge-against-rest": follows.below & (follows.insight < _INSIGHT) & ~agrees,
        "judge-left-bias": left.elsewhere & (np.abs(left.share - left.expected) >= _LEAN),
        "judge-ties": ties.elsewhere & (np.abs(ties.share - ties.expected) >= _TIES),
        "judge-speed": hasty(pace),
    }
    copies, compared = find_copies(votes, verdicts)
    marks["judge-copies"] = np.zeros(votes.size, dtype=bool)
    marks["judge-copies"][copies.ravel()] = True
    # Of two judges, each one's table with the others is the table of both.
    cohen = CohenKappa.of(tables[0], symmetric=symmetric) if votes.size == 2 else None
    findings = [
        *lacking,
        *on_agreement(agreed, cohen, even, votes, level),
        *on_repeats(len(repeats), consistent, consistency, rater_agreement.agreement_share(repeats)),
        *on_following(marks["judge-against-rest"], follows, votes.names),
        *on_shares(kinds.judges.JUDGE_LEFT_BIAS, marks["judge-left-bias"], left, votes.names),
        *on_shares(kinds.judges.JUDGE_TIES, marks["judge-ties"], ties, votes.names),
        *on_copies(copies, votes.names, compared=compared),
        *on_speed(marks["judge-speed"], pace, votes.names),
        *on_few(votes),
    ]
    columns: dict[str, NDArray[Any]] = {
        "judgments": ties.number,
        "ties": ties.share,
        "left": left.share,
        "kappa": kappa,
        "shared": shared,
        "follows": follows.share,
        "expected": follows.expected,
        "z": follows.z,
        "pace": pace,
    }
    return JudgeReport(
        judges=_each(votes.names, columns, marks),
        judgments=float(votes.times.sum()),
        comparisons=len(verdicts.counts),
        by_item=votes.by_item,
        agreement=agreed,
        cohen=cohen,
        repeated=len(repeats),
        consistent=consistent,
        consistency=consistency,
        findings=tuple(findings),
        kinds=judge_kinds(votes, verdicts, kinds_of_judges, symmetric=symmetric, seed=seed)
        if kinds_of_judges
        else None,
    )


def _each(names: Sequence[str], columns: Mapping[str, NDArray[Any]], marks: Mapping[str, Mask]) -> tuple[Judge, ...]:
    """Make one record per judge, who agrees worst first."""
    cells: dict[str, list[Any]] = {
        name: [value if there else None for value, there in zip(column.tolist(), np.isfinite(column), strict=True)]
        for name, column in columns.items()
    }
    doubts = [tuple(code for code, mark in marks.items() if mark[place]) for place in range(len(names))]
    every = [
        Judge(name=name, doubts=doubt, **dict(zip(cells, row, strict=True)))
        for name, doubt, *row in zip(names, doubts, *cells.values(), strict=True)
    ]
    return tuple(sorted(every, key=lambda judge: (judge.z is None, judge.z or 0.0, judge.name)))
