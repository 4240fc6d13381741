"""Davidson: Bradley–Terry with ties, more likely the closer two systems are."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.models.base import register
from betterthan.models.likelihood.links import DavidsonLink, Link
from betterthan.models.likelihood.pairs import PairLikelihood


@register
@dataclass(frozen=True, kw_only=True)
class Davidson(PairLikelihood):
    """Maximum-likelihood strengths and the tie parameter ν of Davidson's model.

    Assumes P(win) : P(tie) : P(loss) = e^a : ν·e^((a+b)/2) : e^b. Consumes judgments with their ties, as pair counts;
    the score is the worth e^a, up to a factor. log ν is the "undecided" effect of log-linear models.

    Davidson (1970), On extending the Bradley–Terry model to accommodate ties, JASA 65.
    """

    name: ClassVar[str] = "davidson"
    link: ClassVar[Link] = DavidsonLink()
    parameter: ClassVar[str] = "nu"
