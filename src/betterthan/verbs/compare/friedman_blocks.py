"""Blocks of Friedman's test: items or judges who scored or ranked all systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine import MISSING
from betterthan.evidence import Rankings


@dataclass(frozen=True)
class Blocks:
    """Blocks × systems, higher is better; `of` names the blocks where they are not items."""

    systems: tuple[str, ...]
    values: FloatArray
    of: str = ""


def ranked_blocks(rankings: Rankings, by: Sequence[str]) -> Blocks | None:
    """Return the ranks of complete rankings, averaged over those of one judge (or item) where these repeat.

    Rankings of one judge are no independent blocks. Where items and judges both repeat, judges are the blocks. Rankings
    that count differently have no such test.
    """
    if np.any(rankings.weight != rankings.weight[0]):
        return None
    ranks = np.full((len(rankings.weight), len(rankings.systems)), np.nan)
    ranks[rankings.ranking, rankings.system] = rankings.rank
    unit = "judge" if "judge" in by else next((name for name in by if name in rankings.about), "ranking")
    block = rankings.about[unit].codes if unit in rankings.about else np.arange(len(ranks))
    complete = np.flatnonzero(~np.any(np.isnan(ranks), axis=1) & (block != MISSING))
    values = -ranks[complete]
    return Blocks(rankings.systems, means(values, block[complete]) if len(values) else values, unit)


def means(values: FloatArray, group: IntArray) -> FloatArray:
    """Return the mean of every group, in the order of their codes."""
    _, place = np.unique(group, return_inverse=True)
    sums = np.stack([np.bincount(place, column) for column in values.T], axis=1)
    found: FloatArray = sums / np.bincount(place)[:, None]
    return found
