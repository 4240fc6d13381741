"""Who met whom: islands, bridges, thin spots."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, marked
from betterthan.findings.comparisons import FEW_COMPARISONS, NEVER_MET, THIN_GRAPH
from betterthan.models.direct.counts import islands, one_sided
from betterthan.reduce.pairs import PairCounts


def check(case: Case) -> list[Finding]:
    """Look for groups that never met, links that hang on one pair, and systems with few comparisons."""
    findings = [*islands(case.counts), *one_sided(case.counts)]
    size, pairs = case.counts.size, len(case.counts.first)
    possible = size * (size - 1) // 2
    if pairs < possible:
        findings.append(NEVER_MET.found(missing=possible - pairs, pairs=possible, share=1 - pairs / possible))
    of_each = case.counts.per_system().sum(axis=0)
    few = of_each < FEW_COMPARISONS.thresholds["few"]
    if np.any(few):
        findings.append(FEW_COMPARISONS.found(systems=marked(case.counts.systems, few), least=of_each.min()))
    inner = [place for place in bridges(case.counts)
             if not few[[case.counts.first[place], case.counts.second[place]]].any()]  # fmt: skip
    if inner and size > 2:
        findings.append(THIN_GRAPH.found(pair=case.pair(inner[0]), number=len(inner)))
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
