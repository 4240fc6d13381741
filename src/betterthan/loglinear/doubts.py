"""Doubts about a fitted model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from betterthan.evidence.account import Account
from betterthan.findings import Finding, counted, marked
from betterthan.findings.fit import ALIASED, NOT_CONVERGED, SEPARATION
from betterthan.findings.resampling import FEW_CLUSTERS
from betterthan.findings.ties import HALF_TIES, NO_TIES
from betterthan.leaderboard import support
from betterthan.loglinear.solve import Solution


def few_clusters(sizes: Mapping[str, int] | None, terms: int) -> list[Finding]:
    """Doubt errors that rest on few units."""
    limits = FEW_CLUSTERS.thresholds
    least = max(limits["clusters_least"], limits["per_term"] * terms)
    return [
        FEW_CLUSTERS.found(clusters=number, column=unit, terms=terms)
        for unit, number in (sizes or {}).items()
        if number < least
    ]


def findings_of(account: Account, names: Sequence[str], solution: Solution, ties: str | None) -> tuple[Finding, ...]:
    """Say what was left out, and what cannot be trusted."""
    # Judgments without an answer are expected here: no warning.
    findings = [replace(finding, level="info", hint="") for finding in support.refused(account)]
    if np.any(solution.aliased):
        findings.append(ALIASED.found(terms=marked(names, solution.aliased)))
    if np.any(solution.infinite):
        findings.append(SEPARATION.found(terms=marked(names, solution.infinite)))
    if not solution.converged:
        findings.append(NOT_CONVERGED.found(model="log-linear", where=counted(solution.iterations, "iteration")))
    if ties == "none":
        findings.append(NO_TIES.found())
    if ties == "half":
        findings.append(HALF_TIES.found())
    return tuple(findings)
