"""Advice on policies: when choosing pairs saves judgments, and when uniform sampling is better."""

from dataclasses import replace

import numpy as np

from betterthan.base import scipy
from betterthan.findings import Finding, kinds
from betterthan.verbs.collect.collection_state import CollectionState

#: What replays on real judgments showed (docs/guides/collect.md).
_GOOD_FOR = {
    "unresolved": "settled single pairs with less than half of the judgments that uniform needs. For clusters and for "
    "one ranking of all systems, uniform was as good or better",
    "information": "reached as many clusters with about 80 % of the judgments that uniform needs. It settled few "
    "pairs, and uniform came closer to the final ranking",
    "sort": "reached as many clusters with about 90 % of the judgments that uniform needs. Uniform settled pairs "
    "sooner",
    "uncertain": "asked for the pairs that are hardest to separate. Uniform settled pairs sooner and ranked better",
    "wmt": "saved nothing compared with uniform, neither for pairs nor for clusters",
    "trueskill-quality": "saved nothing compared with uniform, neither for pairs nor for clusters",
}


def collecting(known: CollectionState, policy: str) -> tuple[Finding, ...]:
    """Describe the use of a policy, and where uniform sampling is better."""
    name = policy.partition("(")[0].strip()
    if name not in _GOOD_FOR:
        return ()
    findings = [kinds.collecting.POLICY.found(policy=name, result=_GOOD_FOR[name])]
    chance = misfit(known)
    if chance is not None and chance < kinds.collecting.UNIFORM.thresholds["p"]:
        findings.append(kinds.collecting.UNIFORM.found(p=chance))
    return tuple(findings)


def misfit(known: CollectionState) -> float | None:
    """Return the chance of pairs as far from Bradley–Terry as these if it were true; None where too few are judged.

    Pearson's chi-square of the shares won (ties half), whose variance ties make smaller.
    """
    record, counts = known.decisions.record, known.counts
    often = record.units >= kinds.collecting.UNIFORM.thresholds["judgments_of_a_pair"]
    kept = replace(counts, first=counts.first[often], second=counts.second[often], outcomes=counts.outcomes[:, often])
    # Systems without such a pair are groups of their own, and cancel out.
    degrees = len(kept.first) - (counts.size - kept.groups[0])
    if degrees < 1:
        return None
    tied = float(counts.outcomes[1].sum() / counts.outcomes.sum())
    expected = known.beats[often]
    variance = np.maximum(expected * (1 - expected) - tied / 4, 1e-3)
    square = float(np.sum(record.units[often] * (record.share[often] - expected) ** 2 / variance))
    return float(scipy.special.chdtrc(degrees, square))
