"""What is settled right now, for whoever looks without a server."""

from betterthan.campaign.campaign import Campaign
from betterthan.campaign.chances import Chances
from betterthan.campaign.evidence import columns_of, deciding
from betterthan.campaign.policy import table_of


def standing(campaign: Campaign) -> Chances:
    """Return the table of chances for everything that was judged."""
    with campaign.writer.lock:
        state = campaign.writer.state
        rows = deciding(state.kept, campaign.material, state.options)
        held = state.load.held.astype(float)
    return table_of(columns_of(rows, state.options), campaign.material.systems, state.options, held, state.number)
