"""Minimum violations: the order that contradicts the fewest judgments."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.findings import kinds
from betterthan.models.base import register_model
from betterthan.models.direct.counts import FromCounts
from betterthan.models.direct.linear_order import LinearOrder, best_order

#: Larger groups are searched heuristically in resamples, where an exact answer would be computed a thousand times.
_OF_RESAMPLES = 11


@register_model
@dataclass(frozen=True, kw_only=True)
class MinimumViolations(FromCounts):
    """The ranking that contradicts as few judgments as possible.

    Assumes nothing about how judgments come about. Consumes any evidence, as pair counts; a judgment is violated
    where the lower system won, and ties are never violated. The score is the place, averaged over all rankings that
    violate equally few. The answer is exact where no more than `exact` systems beat each other in circles; beyond, no
    single system can be moved to violate less, and a finding says so. Resamples are searched like that from 12
    systems on. It has no likelihood.

    Lopez (2012), Putting human assessments of machine translation systems in order, WMT.
    """

    exact: int = 18

    name: ClassVar[str] = "minimum-violations"
    score: ClassVar[str] = "place"
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        registry.number("exact", self.exact, least=1, most=22, whole=True)

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return places with their sign turned, so that higher is better."""
        most = min(self.exact, _OF_RESAMPLES)
        found = [_ordered(counts, outcomes[:, :, column], most).place for column in range(outcomes.shape[2])]
        return -np.stack(found, axis=1)

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return the number of violated judgments, whether it is minimal, and whether another order is as good."""
        found = _ordered(counts, counts.outcomes, self.exact)
        decided = float(counts.outcomes[[0, 2]].sum())
        findings = () if found.exact else (kinds.fitting.NOT_EXACT.found(limit=self.exact),)
        # Systems that were never compared have no defined order; a finding says so.
        if found.exact and not found.unique and counts.groups[0] == 1:
            findings = (kinds.fitting.SEVERAL_ORDERS.found(share=found.violated / decided if decided else 0.0),)
        return {
            "strength": -found.place,
            "lower_is_better": True,
            "resolution": 1e-6,
            "findings": findings,
            "parameters": {"violated": found.violated, "decided": decided},
        }


def _ordered(counts: PairCounts, outcomes: FloatArray, most: int) -> LinearOrder:
    wins = np.zeros((counts.size, counts.size))
    wins[counts.first, counts.second] = outcomes[0]
    wins[counts.second, counts.first] = outcomes[2]
    return best_order(wins, most)
