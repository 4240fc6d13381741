"""Aggregation mechanisms, one file each: statistics in, a fit out."""

from betterthan.models.bradley_terry import BradleyTerry

__all__ = ["BradleyTerry"]
