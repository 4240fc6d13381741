"""Eigenvector centrality: a win counts as much as the beaten system's strength."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csgraph

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.findings import kinds
from betterthan.models.base import register_model
from betterthan.models.direct.counts import FromCounts, win_matrix

_PRECISION = 1e-12


@register_model
@dataclass(frozen=True, kw_only=True)
class Eigenvector(FromCounts):
    """The principal eigenvector of the matrix of wins.

    Assumes that a win is worth the strength of the loser. Consumes any evidence, as pair counts, a tie counting half;
    the score is a centrality, summing to 1. Systems that are compared more often gain by it. Where no system was
    beaten in turn there is no such eigenvector, and a ten-thousandth of a win over everybody is added. It has no
    likelihood.

    Kendall (1955), Further contributions to the theory of paired comparisons, Biometrics 11.
    """

    limit: int = 1000

    name: ClassVar[str] = "eigenvector"
    score: ClassVar[str] = "centrality"

    def __post_init__(self) -> None:
        registry.number("limit", self.limit, least=1, whole=True)

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the centralities."""
        matrices = (win_matrix(counts, outcomes[:, :, column]) for column in range(outcomes.shape[2]))
        return np.stack([self._centrality(wins)[0] for wins in matrices], axis=1)

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return facts on the iteration, and on a missing eigenvector."""
        wins = win_matrix(counts, counts.outcomes)
        strength, iterations, converged = self._centrality(wins)
        facts = {"strength": strength, "resolution": 1e-10, "iterations": iterations, "converged": converged}
        parts = _strong_parts(wins)
        if parts == 1:
            return facts
        return {
            **facts,
            "findings": ((kinds.fitting.ZERO_CENTRALITY if parts < counts.size else kinds.fitting.NO_CYCLE).found(),),
        }

    def _centrality(self, wins: Any) -> tuple[FloatArray, int, bool]:
        """Return the centralities, after how many iterations, and whether those were enough."""
        size = wins.shape[0]
        total = float(wins.sum()) or 1.0
        everybody = 1e-4 * total / size**2 if _strong_parts(wins) == size else 0.0
        # Adding a multiple of the identity keeps the eigenvectors and stops the iteration from swinging.
        shift = total / size
        centrality, change, iteration = np.full(size, 1 / size), np.inf, 0
        while change >= _PRECISION and iteration < self.limit:
            new = wins @ centrality + shift * centrality + everybody
            new /= new.sum()
            change = float(np.max(np.abs(new - centrality)))
            centrality, iteration = new, iteration + 1
        return centrality, iteration, change < _PRECISION


def _strong_parts(wins: Any) -> int:
    """Count the groups within which wins lead from everybody to everybody; without any cycle, each system is one."""
    count, _ = csgraph.connected_components(wins > 0, directed=True, connection="strong")
    return int(count)
