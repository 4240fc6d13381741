"""Who met whom: islands, bridges, thin spots."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.engine.table import FloatArray
from betterthan.findings import Finding, listed
from betterthan.models.direct.counts import islands, one_sided

_FEW = 20
#: Beyond this many systems the matrix of all pairs is not made.
_MOST = 3_000


def check(case: Case) -> list[Finding]:
    """Look for groups that never met, links that hang on one pair, and systems with few comparisons."""
    findings = [*islands(case.counts), *one_sided(case.counts)]
    size, pairs = case.counts.size, len(case.counts.first)
    possible = size * (size - 1) // 2
    if pairs < possible:
        share = 1 - pairs / possible
        message = f"{possible - pairs:,} of {possible:,} pairs of systems never met: they are compared through others"
        findings.append(Finding("never-met", "info", message, value=share))
    of_each = case.counts.per_system().sum(axis=0)
    few = of_each < _FEW
    if np.any(few):
        message = f"{listed(case.counts.systems, few)}: fewer than {_FEW} comparisons each"
        findings.append(Finding("few-comparisons", "warning", message, "collect more", float(of_each.min())))
    if size <= _MOST:
        lone = np.flatnonzero(leverage(case) > 1 - 1e-6)
        inner = [int(place) for place in lone if not few[[case.counts.first[place], case.counts.second[place]]].any()]
        if inner and size > 2:
            message = (
                f"without the comparisons of {case.pair(inner[0])} the systems would fall apart into two groups "
                f"({len(inner)} such pair{'s' if len(inner) > 1 else ''})"
            )
            findings.append(
                Finding("thin-graph", "warning", message, "compare other pairs across the gap", float(len(inner)))
            )
    return findings


def leverage(case: Case) -> FloatArray:
    """Return how much of what links the two systems of every pair is their own comparisons: 1 where nothing else does.

    It is the pair's number of comparisons times the resistance between its systems, comparisons taken as conductors.
    """
    incidence = case.counts.incidence
    laplacian = (incidence * case.met) @ incidence.T
    inverse = np.linalg.pinv(laplacian.toarray(), hermitian=True)
    first, second = case.counts.first, case.counts.second
    resistance = inverse[first, first] + inverse[second, second] - 2 * inverse[first, second]
    share: FloatArray = case.met * resistance
    return share
