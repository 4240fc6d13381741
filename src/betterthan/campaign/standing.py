"""What is settled right now, for whoever looks without a server."""

from betterthan.campaign.campaign import Campaign
from betterthan.campaign.chances import Chances
from betterthan.campaign.choosing import columns_of
from betterthan.campaign.evidence import rows_of
from betterthan.campaign.policy import table_of


def standing(campaign: Campaign) -> Chances:
    """Return the table of chances for everything that was judged."""
    with campaign.writer.lock:
        state = campaign.writer.state
        criterion = state.options.asked[0][0]
        rows = [row for row in rows_of(state.kept, campaign.material) if row.criterion == criterion]
        held = state.load.held.astype(float)
    return table_of(columns_of(rows, state.options), campaign.material.systems, state.options, held, state.number)
