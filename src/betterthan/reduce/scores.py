"""Scores as they were given, for models that average them."""

import hashlib
from dataclasses import dataclass

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.table import Coded
from betterthan.evidence.scores import ScoreTable
from betterthan.reduce.ratings import Ratings
from betterthan.reduce.units import RowWeights


@dataclass(frozen=True)
class ScoreMatrix:
    """Instances × systems, higher is better, NaN where a score is missing.

    A resample says how often each instance occurs; where items and judges are the units, how often each judge's
    ratings of each item do.
    """

    systems: tuple[str, ...]
    values: FloatArray
    lower_is_better: bool  # as given: held negated here
    units: RowWeights
    ratings: Ratings | None = None  # where judges are units too

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def digest(self) -> str:
        """Return a short fingerprint that no order of instances changes."""
        text = hashlib.sha256("\0".join(self.systems).encode(errors="surrogatepass"))
        values = (self.values if self.ratings is None else self.ratings.values) + 0.0  # one zero only
        order = np.lexsort((*self.units.factors, *values.T))
        for column in (values, *self.units.factors):
            text.update(np.ascontiguousarray(column[order]).tobytes())
        return text.hexdigest()[:12]


def keep_scores(table: ScoreTable, groups: Coded | None = None) -> ScoreMatrix:
    """Keep the scores; the instance is the unit, or its group."""
    units = RowWeights.of(len(table.instances), {} if groups is None else {"group": groups}, "item")
    return ScoreMatrix(table.systems, table.values, table.negated, units)


def keep_ratings(table: ScoreTable) -> ScoreMatrix:
    """Keep the scores of every judge; items and judges are the units."""
    ratings = Ratings.of(table)
    return ScoreMatrix(table.systems, table.values, table.negated, ratings.units, ratings)
