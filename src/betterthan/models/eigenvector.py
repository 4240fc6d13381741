"""Eigenvector centrality: a win counts as much as the one who was beaten."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csgraph

from betterthan.engine.table import FloatArray
from betterthan.findings import Finding
from betterthan.models.base import number, register
from betterthan.models.direct.counts import FromCounts, win_matrix
from betterthan.reduce.pairs import PairCounts

_PRECISION = 1e-12


@register
@dataclass(frozen=True, kw_only=True)
class Eigenvector(FromCounts):
    """The principal eigenvector of the matrix of wins.

    Assumes that a win is worth the strength of the loser. Consumes any evidence, as pair counts, a tie counting half;
    the score is a centrality, summing to 1. Systems that are compared more often gain by it. Where no system was
    beaten in turn there is no such eigenvector, and a ten-thousandth of a win over everybody is added. It has no
    likelihood.

    Kendall (1955), Further contributions to the theory of paired comparisons, Biometrics 11.
    """

    limit: int = 10_000

    name: ClassVar[str] = "eigenvector"
    score: ClassVar[str] = "centrality"

    def __post_init__(self) -> None:
        number("limit", self.limit, least=1)

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the centralities."""
        columns = [self._centrality(win_matrix(counts, outcomes[:, :, column])) for column in range(outcomes.shape[2])]
        return np.stack(columns, axis=1)

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Say where there is no eigenvector."""
        if not _acyclic(win_matrix(counts, counts.outcomes)):
            return {"resolution": 1e-10}
        message = "no system was beaten by another that it beat in turn: there is no principal eigenvector"
        return {
            "findings": (Finding("no-cycle", "warning", message, "use bradley-terry or win-rate"),),
            "resolution": 1e-10,
        }

    def _centrality(self, wins: Any) -> FloatArray:
        size = wins.shape[0]
        total = float(wins.sum()) or 1.0
        everybody = 1e-4 * total / size**2 if _acyclic(wins) else 0.0
        # Adding a multiple of the identity keeps the eigenvectors and stops the iteration from swinging.
        shift = total / size
        centrality = np.full(size, 1 / size)
        for _ in range(self.limit):
            new = wins @ centrality + shift * centrality + everybody
            new /= new.sum()
            if np.max(np.abs(new - centrality)) < _PRECISION:
                break
            centrality = new
        result: FloatArray = new
        return result


def _acyclic(wins: Any) -> bool:
    count, _ = csgraph.connected_components(wins > 0, directed=True, connection="strong")
    return bool(count == wins.shape[0])
