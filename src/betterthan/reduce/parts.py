"""What items add to the score of a whole test set, for the metrics whose score is not the mean over items."""

import hashlib
from dataclasses import dataclass

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.engine.table import Coded
from betterthan.errors import EvidenceError
from betterthan.evidence.scores import ScoreTable
from betterthan.metrics.base import Metric, build
from betterthan.reduce.units import RowWeights
from betterthan.spelling import option, verb

#: Blocks of units that are left out in turn: enough to tell how skewed a score is.
BLOCKS = 200


@dataclass(frozen=True)
class ItemParts:
    """Instances × systems × numbers, NaN where a system has no output; a resample says how often instances occur."""

    systems: tuple[str, ...]
    parts: FloatArray
    metric: Metric
    lower_is_better: bool
    units: RowWeights

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def there(self) -> BoolArray:
        """Which systems have an output on which instances."""
        return ~np.isnan(self.parts[..., 0])

    def whole(self, times: FloatArray) -> FloatArray:
        """Return the score of every system (systems × resamples), instances counted as often as `times` says."""
        there = self.there
        return np.stack([
            self.metric.whole(self.parts[there[:, place], place], times[there[:, place]]) for place in range(self.size)
        ])  # fmt: skip

    def without(self, blocks: int = BLOCKS) -> FloatArray:
        """Return the score of every system without each block of units in turn (systems × blocks)."""
        unit = self.units.factors[0] if self.units.factors else np.arange(len(self.parts))
        block = unit % min(blocks, self.units.size)
        return self.whole((block[:, None] != np.arange(block.max() + 1)).astype(float))


def parts_digest(table: ScoreTable, scores: str) -> str:
    """Return a short fingerprint of parts and scores that no order of instances changes, given that of the scores."""
    if table.parts is None:
        return scores
    rows = table.parts.reshape(len(table.instances), -1) + 0.0  # one zero only
    text = hashlib.sha256("\0".join([scores, table.metric]).encode(errors="surrogatepass"))
    text.update(np.ascontiguousarray(rows[np.lexsort(rows.T)]).tobytes())
    return text.hexdigest()[:12]


def keep_parts(table: ScoreTable, groups: Coded | None = None) -> ItemParts:
    """Keep the parts of every instance; the instance is the unit, or its group."""
    if table.parts is None:
        raise EvidenceError(
            "these scores do not say what each item adds to the score of the whole test set",
            remedy=f"Score the outputs with {verb('score')}, or use {option('model', 'mean')}.",
        )
    units = RowWeights.of(len(table.instances), {} if groups is None else {"group": groups}, "item")
    return ItemParts(table.systems, table.parts, build(table.metric), table.negated, units)
