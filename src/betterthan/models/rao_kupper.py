"""Rao–Kupper: Bradley–Terry with ties when the difference is below a threshold."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.models.base import register_model
from betterthan.models.likelihood.links import Link, RaoKupperLink
from betterthan.models.likelihood.pairs import PairLikelihood


@register_model
@dataclass(frozen=True, kw_only=True)
class RaoKupper(PairLikelihood):
    """Maximum-likelihood strengths and the tie parameter θ of Rao and Kupper's model.

    Assumes P(win) = e^a / (e^a + θ·e^b), P(loss) = e^b / (e^b + θ·e^a), and a tie otherwise (θ ≥ 1). Consumes
    judgments with their ties, as pair counts; the score is the worth e^a, up to a factor.

    Rao & Kupper (1967), Ties in paired-comparison experiments, JASA 62.
    """

    name: ClassVar[str] = "rao-kupper"
    link: ClassVar[Link] = RaoKupperLink()
    parameter: ClassVar[str] = "theta"
