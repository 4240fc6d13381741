"""Davidson: Bradley–Terry with ties, which are more likely between similar systems."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.models.base import register_model
from betterthan.models.likelihood.links import DavidsonLink, Link
from betterthan.models.likelihood.pairs import PairLikelihood


@register_model
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
