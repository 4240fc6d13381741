"""Making the table of chances: what the policy wants to ask next, given everything that was said so far."""

from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.campaign.chances import Chances
from betterthan.collect.describe import forecast, pairs
from betterthan.collect.judged import judged
from betterthan.collect.known import Known, on_all_pairs, pair_at, place_of
from betterthan.collect.policies.base import Policy, policy_of
from betterthan.collect.ratings import rating
from betterthan.collect.scope import with_systems
from betterthan.evidence.read import read
from betterthan.leaderboard.rank import rank
from betterthan.options.campaign import CampaignOptions
from betterthan.parallel import one_blas_thread

#: Comparisons that one table of a policy that goes from system to system is made for.
_AHEAD = 20


def table_of(
    columns: dict[str, list[Any]], systems: tuple[str, ...], options: CampaignOptions, held: FloatArray, version: int
) -> Chances:
    """Make the table; `columns` are judgments or rankings by the first criterion, `held` what is being judged."""
    if not next(iter(columns.values())):
        return Chances.all_alike(len(systems))
    with one_blas_thread():
        _, data = judged(read(columns), options.unit, "a campaign")
        counts = on_all_pairs(with_systems(data.pairs(), systems, []))
        # The campaign numbers systems in its own order, everything else by name.
        ours = _places(counts.systems, systems)
        known = Known(counts, rating(data, counts.size), options.level, options.margin, clustered=True)
        policy = policy_of(options.policy)
        pending = np.zeros(len(ours))
        pending[ours] = held
        weight = _weights(policy, known, pending)
        return Chances(
            version, weight[ours], known.needed[ours], settled=not np.any(known.decisions.undecided),
            pairs=tuple(vars(each) for each in pairs(known)), forecast=tuple(vars(each) for each in forecast(known)),
        )  # fmt: skip


def board_of(columns: dict[str, list[Any]], options: CampaignOptions) -> dict[str, Any]:
    """Return the leaderboard as `rank` gives it, for people to look at while judges go on."""
    if not next(iter(columns.values())):
        return {}
    found: dict[str, Any] = rank(read(columns), ci="analytic", unit=options.unit, level=options.level).to_dict()
    return found


def _places(named: tuple[str, ...], systems: tuple[str, ...]) -> IntArray:
    """Return where each of the campaign's pairs is among the pairs of systems in another order."""
    at = np.array([named.index(name) for name in systems])
    first, second = pair_at(len(systems))
    return np.asarray(place_of(len(systems))[at[first], at[second]])


def _weights(policy: Policy, known: Known, pending: FloatArray) -> FloatArray:
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
