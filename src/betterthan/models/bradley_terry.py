"""Bradley–Terry: the win probability depends on the difference of two log-strengths."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.models.base import decided, register_model
from betterthan.models.likelihood.links import Link, Logistic
from betterthan.models.likelihood.pairs import PairLikelihood


@register_model
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
        registry.one_of("ties", self.ties, "half", "drop")

    def outcomes(self, counted: FloatArray) -> FloatArray:
        """Count ties as half a win for each side, or drop them."""
        won, lost = decided(counted, self.ties)
        return np.stack([won, np.zeros_like(won), lost])
