"""The outlook of a policy on judgments that grow: what it asks next, and what every pair still needs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.verbs.collect import match_tables
from betterthan.verbs.collect.collection_scope import with_systems
from betterthan.verbs.collect.collection_state import CollectionState, on_all_pairs, pair_at, place_of
from betterthan.verbs.collect.judged_evidence import judged_data_set
from betterthan.verbs.collect.policies.base import Policy, policy_of
from betterthan.verbs.collect.trueskill_beliefs import trueskill_rating

#: Comparisons that one table of a policy that goes from system to system is made for.
_AHEAD = 20


@dataclass(frozen=True)
class Outlook:
    """The weight of every pair to be asked next, how many judgments it needs, and tables for people."""

    weight: FloatArray
    needed: FloatArray
    settled: bool
    pairs: tuple[dict[str, Any], ...]
    forecast: tuple[dict[str, Any], ...]


def outlook_of(
    evidence: Any,
    systems: tuple[str, ...],
    pending: FloatArray,
    *,
    policy: str,
    unit: str | None,
    level: float,
    margin: float | None,
) -> Outlook:
    """Ask a policy; pairs are those of `systems` in their order, and `pending` counts what is being judged."""
    _, data = judged_data_set(evidence, unit, "a campaign")
    counts = on_all_pairs(with_systems(data.pairs(), systems, []))
    ours = _places(counts.systems, systems)  # everything else has its systems by name
    known = CollectionState(counts, trueskill_rating(data, counts.size), level, margin, clustered=True)
    held = np.zeros(len(ours))
    held[ours] = pending
    return Outlook(
        _weights(policy_of(policy), known, held)[ours],
        known.needed[ours],
        settled=not np.any(known.decisions.undecided),
        pairs=tuple(vars(each) for each in match_tables.pairs(known)),
        forecast=tuple(vars(each) for each in match_tables.forecast(known)),
    )


def _places(named: tuple[str, ...], systems: tuple[str, ...]) -> IntArray:
    """Return the positions of the pairs of systems among the pairs of the same systems in another order."""
    at = np.array([named.index(name) for name in systems])
    first, second = pair_at(len(systems))
    return np.asarray(place_of(len(systems))[at[first], at[second]])


def _weights(policy: Policy, known: CollectionState, pending: FloatArray) -> FloatArray:
    """Return the chances of the next comparison, or, of a policy that takes turns, the mean over those that follow."""
    allowed = np.ones(len(pending), dtype=bool)
    if not policy.turns:
        return policy.chances(known, pending, allowed)
    rng, total = np.random.default_rng(0), np.zeros(len(pending))
    pending = pending.copy()
    for _ in range(_AHEAD):
        chances = policy.chances(known, pending, allowed)
        if not chances.sum() > 0:
            break
        total += chances / chances.sum()
        pending[rng.choice(len(chances), p=chances / chances.sum())] += 1
    return total
