"""Estimates with confidence intervals."""
