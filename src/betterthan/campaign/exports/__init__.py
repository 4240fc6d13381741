"""Exports from a campaign: evidence for every verb, tables and archives."""
