"""Campaigns as evidence: `rank`, `diagnose` and the others open them like any file."""
