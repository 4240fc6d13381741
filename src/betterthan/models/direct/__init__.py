"""Strengths computed directly from counts or scores: one function serves the estimate and all resamples."""
