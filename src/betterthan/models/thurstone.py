"""Thurstone: comparison of normally distributed impressions."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.models.base import decided, register_model
from betterthan.models.likelihood.links import Link, Probit
from betterthan.models.likelihood.pairs import PairLikelihood


@register_model
@dataclass(frozen=True, kw_only=True)
class Thurstone(PairLikelihood):
    """Maximum-likelihood strengths of Thurstone's Case V, with a threshold below which impressions are called equal.

    Assumes that the difference of two impressions is normal with mean a − b and variance 1: P(win) = Φ(a − b − ε),
    P(loss) = Φ(b − a − ε), a tie otherwise. Consumes judgments, as pair counts; the score is the mean impression, in
    standard deviations of a difference. Ties set the threshold ε, count half for each side, or are dropped.

    Thurstone (1927), A law of comparative judgment, Psychological Review 34; Glenn & David (1960), Biometrics 16.
    """

    ties: Literal["threshold", "half", "drop"] = "threshold"

    name: ClassVar[str] = "thurstone"
    score: ClassVar[str] = "impression"
    logarithmic: ClassVar[bool] = False
    link: ClassVar[Link] = Probit()
    parameter: ClassVar[str] = "epsilon"

    def __post_init__(self) -> None:
        registry.one_of("ties", self.ties, "threshold", "half", "drop")

    def outcomes(self, counted: FloatArray) -> FloatArray:
        """Keep ties, count them as half a win for each side, or drop them."""
        if self.ties == "threshold":
            return counted
        won, lost = decided(counted, self.ties)
        return np.stack([won, np.zeros_like(won), lost])

    def natural(self, width: float) -> float:
        """Report the threshold as it is."""
        return width

    def width(self, natural: float) -> float:
        """Return the threshold as it is."""
        return natural
