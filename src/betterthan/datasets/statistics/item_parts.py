"""Contributions of items to corpus-level metrics, whose score is not the mean over items."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, digest_of, spelling
from betterthan.datasets.units.crossed_variance import add_up
from betterthan.datasets.units.units import RowWeights
from betterthan.engine import Coded
from betterthan.evidence import ScoreTable

if TYPE_CHECKING:
    from betterthan.metrics import Metric


@dataclass(frozen=True)
class ItemParts:
    """Contributions of items (items × systems × numbers), NaN where a system has no output; resamples weight items."""

    #: Blocks of units that are left out in turn: enough to tell how skewed a score is.
    BLOCKS: ClassVar[int] = 200

    systems: tuple[str, ...]
    parts: FloatArray
    metric: "Metric"
    lower_is_better: bool
    units: RowWeights

    @staticmethod
    def of(table: ScoreTable, groups: Coded | None = None) -> "ItemParts":
        """Keep the parts of every item; the item is the unit, or its group."""
        if table.parts is None:
            raise EvidenceError(
                "these scores do not say what each item adds to the score of the whole test set",
                remedy=f"Score the outputs with {spelling.verb('score')}, or use {spelling.option('model', 'mean')}.",
            )
        units = RowWeights.of(len(table.items), {} if groups is None else {"group": groups}, "item")
        from betterthan.metrics import build_metric  # noqa: PLC0415 (only of scores that metrics computed)

        return ItemParts(table.systems, table.parts, build_metric(table.metric), table.negated, units)

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def there(self) -> BoolArray:
        """Which systems have an output on which items."""
        return ~np.isnan(self.parts[..., 0])

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count the outputs of each system, by their units (units × systems)."""
        return add_up(self.there, unit, units)

    def whole(self, times: FloatArray) -> FloatArray:
        """Return the score of every system (systems × resamples), items counted as often as `times` says."""
        there = self.there
        return np.stack(
            [
                self.metric.whole(self.parts[there[:, place], place], times[there[:, place]])
                for place in range(self.size)
            ]
        )

    def some_units(self, amount: int, rng: np.random.Generator) -> "ItemParts":
        """Return the items of that many units, drawn without replacement, in their order."""
        from betterthan.datasets.statistics.subsample import some_rows  # noqa: PLC0415 (few ask for samples)

        rows, units = some_rows(self.units, amount, rng)
        return replace(self, parts=self.parts[rows], units=units)

    def without(self, blocks: int = BLOCKS) -> FloatArray:
        """Return the score of every system without each block of units in turn (systems × blocks)."""
        unit = self.units.factors[0] if self.units.factors else np.arange(len(self.parts))
        block = unit % min(blocks, self.units.size)
        return self.whole((block[:, None] != np.arange(block.max() + 1)).astype(float))


def parts_digest(table: ScoreTable, scores: str) -> str:
    """Return a short digest of parts and scores that no order of items changes, given that of the scores."""
    if table.parts is None:
        return scores
    rows = table.parts.reshape(len(table.items), -1) + 0.0  # one zero only
    return digest_of([scores, table.metric], rows[np.lexsort(rows.T)])
