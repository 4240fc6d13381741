"""Compute the table of chances: what the policy asks next, given all answers so far."""

from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, parallel
from betterthan.campaign.policies.chance_table import Chances
from betterthan.options import CampaignOptions
from betterthan.readers import read
from betterthan.verbs.collect import (
    CollectionState,
    Policy,
    collection_state,
    judged_data_set,
    match_tables,
    policy_of,
    trueskill_rating,
    with_systems,
)
from betterthan.verbs.rank import rank

#: Comparisons that one table of a policy that goes from system to system is made for.
_AHEAD = 20


def table_of(
    columns: dict[str, list[Any]], systems: tuple[str, ...], options: CampaignOptions, held: FloatArray, version: int
) -> Chances:
    """Make the table; `columns` are judgments or rankings by the first criterion, `held` what is being judged."""
    if not next(iter(columns.values())):
        return Chances.all_alike(len(systems))
    with parallel.one_blas_thread():
        _, data = judged_data_set(read(columns), options.unit, "a campaign")
        counts = collection_state.on_all_pairs(with_systems(data.pairs(), systems, []))
        # The campaign numbers systems in its own order, everything else by name.
        ours = _places(counts.systems, systems)
        known = CollectionState(
            counts, trueskill_rating(data, counts.size), options.level, options.margin, clustered=True
        )
        policy = policy_of(options.policy)
        pending = np.zeros(len(ours))
        pending[ours] = held
        weight = _weights(policy, known, pending)
        return Chances(
            version,
            weight[ours],
            known.needed[ours],
            settled=not np.any(known.decisions.undecided),
            pairs=tuple(vars(each) for each in match_tables.pairs(known)),
            forecast=tuple(vars(each) for each in match_tables.forecast(known)),
        )


def board_of(columns: dict[str, list[Any]], options: CampaignOptions) -> dict[str, Any]:
    """Return the leaderboard of `rank`, for display while judges continue."""
    if not next(iter(columns.values())):
        return {}
    found: dict[str, Any] = rank(read(columns), ci="analytic", unit=options.unit, level=options.level).to_dict()
    return found


def _places(named: tuple[str, ...], systems: tuple[str, ...]) -> IntArray:
    """Return the positions of the campaign's pairs among the pairs of systems in another order."""
    at = np.array([named.index(name) for name in systems])
    first, second = collection_state.pair_at(len(systems))
    return np.asarray(collection_state.place_of(len(systems))[at[first], at[second]])


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
