"""Bradley–Terry: the chance to win depends on the difference of two log-strengths."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.models.base import register
from betterthan.models.likelihood.links import Link, Logistic
from betterthan.models.likelihood.pairs import PairLikelihood
from betterthan.named import one_of
from betterthan.reduce.pairs import decided


@register
@dataclass(frozen=True, kw_only=True)
class BradleyTerry(PairLikelihood):
    """Maximum-likelihood Bradley–Terry strengths.

    Assumes that every judgment of a pair has the same chance, P(a beats b) = e^a / (e^a + e^b). Consumes judgments, as
    pair counts; the score is the worth e^a, up to a factor. Ties count half for each side, or are dropped.

    Bradley & Terry (1952), Rank analysis of incomplete block designs, Biometrika 39.
    """

    ties: Literal["half", "drop"] = "half"

    name: ClassVar[str] = "bradley-terry"
    link: ClassVar[Link] = Logistic()

    def __post_init__(self) -> None:
        one_of("ties", self.ties, "half", "drop")

    def outcomes(self, counted: FloatArray) -> FloatArray:
        """Give ties half to each side, or leave them out."""
        won, lost = decided(counted, self.ties)
        return np.stack([won, np.zeros_like(won), lost])
