"""Metrics: from outputs and references to scores, one metric per file, each found by its name.

What metrics share is in `families`, a user's own are in `own`, and what they measure is read by `outputs`.
"""
