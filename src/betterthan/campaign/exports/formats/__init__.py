"""Campaigns as input formats: every verb reads them like any other file."""
