"""The event log of a campaign, and the state computed from it."""
