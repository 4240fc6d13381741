"""Aggregation mechanisms, one file each, found by its name: statistics in, a fit out.

The folders hold what families of models share: `likelihood/`, `ordered/` and `direct/`.
"""
