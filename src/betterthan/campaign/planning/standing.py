"""The current standing of a campaign, computed without a server."""

from betterthan.campaign.exports.judgment_export import columns_of, deciding
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.policies.policy_chances import table_of
from betterthan.campaign.service.campaign import Campaign


def standing_of(campaign: Campaign) -> Chances:
    """Return the table of chances for everything that was judged."""
    with campaign.writer.lock:
        state = campaign.writer.state
        rows = deciding(state.kept, campaign.material, state.options)
        held = state.load.held.astype(float)
    return table_of(columns_of(rows, state.options), campaign.material.systems, state.options, held, state.number)
