"""Findings about a fitted model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from betterthan.evidence import Account
from betterthan.findings import Finding, counted, kinds, marked
from betterthan.models import solver
from betterthan.verbs.rank import board_findings as support


def few_clusters(sizes: Mapping[str, int] | None, terms: int) -> list[Finding]:
    """Report errors based on few units."""
    limits = kinds.resampling.FEW_CLUSTERS.thresholds
    least = max(limits["clusters_least"], limits["per_term"] * terms)
    return [
        kinds.resampling.FEW_CLUSTERS.found(clusters=number, column=unit, terms=terms)
        for unit, number in (sizes or {}).items()
        if number < least
    ]


def findings_of(
    account: Account, names: Sequence[str], solution: solver.FitSolution, ties: str | None
) -> tuple[Finding, ...]:
    """Return findings on omitted terms and unreliable estimates."""
    # Judgments without an answer are expected here: no warning.
    findings = [replace(finding, level="info", hint="") for finding in support.refused(account)]
    if np.any(solution.aliased):
        findings.append(kinds.fitting.ALIASED.found(terms=marked(names, solution.aliased)))
    if np.any(solution.infinite):
        findings.append(kinds.fitting.SEPARATION.found(terms=marked(names, solution.infinite)))
    if not solution.converged:
        findings.append(
            kinds.fitting.NOT_CONVERGED.found(model="log-linear", where=counted(solution.iterations, "iteration"))
        )
    if ties == "none":
        findings.append(kinds.ties.NO_TIES.found())
    if ties == "half":
        findings.append(kinds.ties.HALF_TIES.found())
    return tuple(findings)
