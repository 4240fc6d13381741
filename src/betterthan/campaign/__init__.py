"""Campaigns: people and programs judge outputs, and nothing they say is lost."""
