"""Shared code for formats of other tools."""
