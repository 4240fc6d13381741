"""Compute the table of chances: what the policy asks next, given all answers so far."""

from typing import Any

from betterthan.base import FloatArray, parallel
from betterthan.campaign.policies.chance_table import Chances
from betterthan.options import CampaignOptions
from betterthan.readers import read
from betterthan.verbs.collect import outlook_of
from betterthan.verbs.rank import rank


def table_of(
    columns: dict[str, list[Any]], systems: tuple[str, ...], options: CampaignOptions, held: FloatArray, version: int
) -> Chances:
    """Make the table; `columns` are judgments or rankings by the first criterion, `held` what is being judged."""
    if not next(iter(columns.values())):
        return Chances.all_alike(len(systems))
    with parallel.one_blas_thread():
        found = outlook_of(
            read(columns),
            systems,
            held,
            policy=options.policy,
            unit=options.unit,
            level=options.level,
            margin=options.margin,
        )
    return Chances(version, found.weight, found.needed, found.settled, found.pairs, found.forecast)


def board_of(columns: dict[str, list[Any]], options: CampaignOptions) -> dict[str, Any]:
    """Return the leaderboard of `rank`, for display while judges continue."""
    if not next(iter(columns.values())):
        return {}
    found: dict[str, Any] = rank(read(columns), unit=options.unit, level=options.level, horizon="anytime").to_dict()
    return found
