"""The one data set that a picture is of."""

from typing import Any

from betterthan.errors import PlanError
from betterthan.evidence.read import as_evidence
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import rank
from betterthan.leaderboard.reduction import Reduction, one_reduction, several
from betterthan.models.base import Model
from betterthan.plan import Plan
from betterthan.spelling import option


def one_board(evidence: Any, model: str | None = None, **choices: Any) -> Leaderboard:
    """Rank one data set by one model, Bradley–Terry by default."""
    found = rank(evidence, model=model or "bradley-terry", **choices)
    if isinstance(found, Leaderboard):
        return found
    if len(found.titles) > 1:
        raise several(found.titles, "this picture")
    raise PlanError(f"this picture is of one model, and there are: {', '.join(found.models)}. Choose one.")


def one_part(evidence: Any, plan: Plan, model: Model) -> Reduction:
    """Return one data set, as a model sees it."""
    evidence = as_evidence(evidence)
    if plan.tolerance and evidence.kind != "scores":
        raise PlanError(
            f"{option('tolerance')} is for scores, but this evidence is {evidence.kind}", remedy="Leave it out."
        )
    return one_reduction(evidence, plan, [model], "this picture")[0]
