"""Formats of evidence, one file each: found by being there."""
