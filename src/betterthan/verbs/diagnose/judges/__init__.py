"""Judges: their agreement, and outlying judges."""
