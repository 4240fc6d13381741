"""PageRank: a random walk from losers to winners with random restarts."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.models.base import register_model
from betterthan.models.direct.counts import FromCounts, win_matrix

_PRECISION = 1e-12


@register_model
@dataclass(frozen=True, kw_only=True)
class PageRank(FromCounts):
    """The long-run visits of a walk from a system to those that beat it, in proportion to how often each did.

    Assumes that losing passes strength on; with chance 1 − `damping`, and from systems that never lost, the walk goes
    anywhere. Consumes any evidence, as pair counts, a tie counting half; the score is the share of visits. Systems
    that are compared more often gain by it. It has no likelihood.

    Page, Brin, Motwani & Winograd (1999), The PageRank citation ranking, Stanford InfoLab.
    """

    damping: float = 0.85

    name: ClassVar[str] = "pagerank"
    score: ClassVar[str] = "share of visits"

    def __post_init__(self) -> None:
        registry.number("damping", self.damping, least=0, most=0.999)

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the shares of visits."""
        columns = [self._visits(win_matrix(counts, outcomes[:, :, column])) for column in range(outcomes.shape[2])]
        return np.stack(columns, axis=1)

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return facts on the convergence of the iteration."""
        del counts
        return {"resolution": 1e-10}

    def _visits(self, wins: Any) -> FloatArray:
        size = wins.shape[0]
        wins = wins / (float(wins.max()) or 1.0)  # weights may be tiny
        lost = np.asarray(wins.sum(axis=0))
        never = lost == 0
        moves = wins @ sparse.diags_array(1 / np.where(never, 1.0, lost))
        visits = np.full(size, 1 / size)
        for _ in range(100_000):  # every step shrinks the error by the damping
            anywhere = (1 - self.damping + self.damping * visits[never].sum()) / size
            new = self.damping * (moves @ visits) + anywhere
            if np.max(np.abs(new - visits)) < _PRECISION:
                break
            visits = new
        shares: FloatArray = new / new.sum()
        return shares
