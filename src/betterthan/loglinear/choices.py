"""What a model consists of."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from betterthan.errors import PlanError
from betterthan.plan import check_level
from betterthan.spelling import option

Ties = Literal["davidson", "fixed", "drop", "half", "rao-kupper"]
#: Ties have an effect that is estimated.
ESTIMATED = ("davidson", "rao-kupper")
POSITION, UNDECIDED = "position", "undecided"


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Formulas and treatments, as `fit` describes them."""

    ties: Ties = "davidson"
    subject: str | None = None
    object: str | None = None
    terms: str | None = None
    residual: bool = False
    contrast: str | None = None
    position: bool | str = False
    undecided: str | None = None
    by: tuple[str, ...] = ()
    reference: str | None = None
    cluster: str | None = None
    random: str | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.ties not in get_args(Ties):
            raise PlanError(f"ties must be one of {', '.join(get_args(Ties))}, got {self.ties!r}.")
        if self.terms is not None and self.object is None:
            raise PlanError(
                f"{option('terms')} is a formula of what is known about systems",
                remedy=f"Pass the table of systems as {option('object')}.",
            )
        if self.terms is not None and self.subject is not None:
            raise PlanError(
                f"{option('terms')} already says what depends on who judged",
                remedy=f"Leave out {option('subject')} or {option('terms')}.",
            )
        if self.residual and (self.object is None or self.terms is not None):
            raise PlanError(
                f"{option('residual')} adds the systems' own effects to those of a whole table",
                remedy=f"Pass {option('object')} without {option('terms')}.",
            )
        if self.undecided is not None and self.ties not in ESTIMATED:
            raise PlanError(
                f"{option('ties', self.ties)} has no tie parameter, which {option('undecided')} is about",
                remedy=f"Use {' or '.join(option('ties', each) for each in ESTIMATED)}, or leave it out.",
            )
        if self.random is not None and self.cluster is not None:
            raise PlanError(
                "random effects and clustered standard errors are alternatives",
                remedy=f"Choose {option('random')} or {option('cluster')}.",
            )

    def facts(self) -> dict[str, str]:
        """Return what was chosen as the signature's facts."""
        given: dict[str, Any] = {name: value for name, value in self.__dict__.items() if value not in {None, False, ()}}
        texts = {name: "yes" if value is True else str(value) for name, value in given.items()}
        return texts | ({"by": "+".join(self.by)} if self.by else {})
