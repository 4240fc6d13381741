"""Judges: how far they agree, and who stands out."""
