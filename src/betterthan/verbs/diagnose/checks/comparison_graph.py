"""The comparison graph: unconnected groups, bridges, rarely compared pairs."""

import numpy as np

from betterthan.datasets import PairCounts
from betterthan.findings import Finding, kinds, marked
from betterthan.models import isolated_groups, one_sided_systems
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 30


def check(case: ExaminedData) -> list[Finding]:
    """Look for groups that never met, links that depend on one pair, and systems with few comparisons."""
    findings = [*isolated_groups(case.counts), *one_sided_systems(case.counts)]
    size, pairs = case.counts.size, len(case.counts.first)
    possible = size * (size - 1) // 2
    if pairs < possible:
        findings.append(
            kinds.comparisons.NEVER_MET.found(missing=possible - pairs, pairs=possible, share=1 - pairs / possible)
        )
    of_each = case.counts.per_system().sum(axis=0)
    few = of_each < kinds.comparisons.FEW_COMPARISONS.thresholds["few"]
    if np.any(few):
        findings.append(
            kinds.comparisons.FEW_COMPARISONS.found(systems=marked(case.counts.systems, few), least=of_each.min())
        )
    inner = [
        place for place in bridges(case.counts) if not few[[case.counts.first[place], case.counts.second[place]]].any()
    ]
    if inner and size > 2:
        findings.append(kinds.comparisons.THIN_GRAPH.found(pair=case.pair(inner[0]), number=len(inner)))
    return findings


def bridges(counts: PairCounts) -> list[int]:
    """Return the pairs without which a group of systems falls apart (Tarjan's low links, without recursion)."""
    links: list[list[tuple[int, int]]] = [[] for _ in range(counts.size)]
    for place, (one, two) in enumerate(zip(counts.first.tolist(), counts.second.tolist(), strict=True)):
        links[one].append((two, place))
        links[two].append((one, place))
    seen, low = [-1] * counts.size, [0] * counts.size
    found, time = [], 0
    for start in range(counts.size):
        if seen[start] >= 0:
            continue
        seen[start] = low[start] = time
        time += 1
        stack = [(start, -1, iter(links[start]))]
        while stack:
            system, came_by, rest = stack[-1]
            for other, place in rest:
                if place == came_by:
                    continue
                if seen[other] < 0:
                    seen[other] = low[other] = time
                    time += 1
                    stack.append((other, place, iter(links[other])))
                    break
                low[system] = min(low[system], seen[other])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    low[above] = min(low[above], low[system])
                    if low[system] > seen[above]:
                        found.append(came_by)
    return sorted(found)
