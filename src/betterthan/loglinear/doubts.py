"""Doubts about a fitted model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from betterthan.evidence.account import Account
from betterthan.findings import Finding, listed
from betterthan.leaderboard import support
from betterthan.loglinear.solve import Solution


def few_clusters(column: str | None, clusters: Sequence[str], terms: int) -> list[Finding]:
    """Doubt errors that rest on few clusters."""
    if column is None or len(clusters) >= max(20, 2 * terms):
        return []
    message = f"standard errors rest on {len(clusters)} values of {column} for {terms} terms, and are too small"
    return [Finding("few-clusters", "warning", message, "collect more, or use random effects", float(len(clusters)))]


def findings_of(account: Account, names: Sequence[str], solution: Solution, ties: str | None) -> tuple[Finding, ...]:
    """Say what was left out, and what cannot be trusted."""
    # Judgments without an answer are expected here: no warning.
    findings = [
        replace(finding, level="info", hint="", value=float(account.refused)) for finding in support.refused(account)
    ]
    if np.any(solution.aliased):
        message = f"{listed(names, solution.aliased)}: other terms already say the same"
        findings.append(
            Finding("aliased", "warning", message, "their coefficients cannot be estimated and are left out")
        )
    if np.any(solution.infinite):
        message = f"{listed(names, solution.infinite)}: the likelihood grows without end"
        hint = "estimates and errors of these terms mean nothing: some outcomes never occurred"
        findings.append(Finding("separation", "warning", message, hint))
    if not solution.converged:
        message = f"no convergence in {solution.iterations} steps"
        findings.append(Finding("not-converged", "warning", message, "look for terms that grow without end"))
    if ties == "none":
        findings.append(Finding("no-ties", "info", "there are no ties, and so no effect of being undecided"))
    if ties == "half":
        message = "ties counted half are no counts: deviance and criteria are rough"
        findings.append(Finding("half-ties", "info", message, "use davidson"))
    return tuple(findings)
