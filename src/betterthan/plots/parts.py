"""The one data set that a picture is of."""

from collections.abc import Sequence
from typing import Any

from betterthan.errors import PlanError
from betterthan.evidence.read import as_evidence
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import rank
from betterthan.leaderboard.reduction import Reduction, reductions
from betterthan.models.base import Model
from betterthan.plan import Plan


def one_board(evidence: Any, model: str | None = None, **choices: Any) -> Leaderboard:
    """Rank one data set by one model, Bradley–Terry by default."""
    found = rank(evidence, model=model or "bradley-terry", **choices)
    if isinstance(found, Leaderboard):
        return found
    if len(found.titles) > 1:
        raise _several(found.titles)
    raise PlanError(f"this picture is of one model, and there are: {', '.join(found.models)}. Choose one.")


def one_part(evidence: Any, plan: Plan, model: Model) -> Reduction:
    """Return one data set, as a model sees it."""
    evidence = as_evidence(evidence)
    if plan.tolerance and evidence.kind != "scores":
        raise PlanError(f"tolerance makes ties of scores, but this evidence is {evidence.kind}. Leave it out.")
    parts, _ = reductions(evidence, plan, [model])
    if len(parts) > 1:
        raise _several([part.title for part in parts])
    return parts[0]


def _several(titles: Sequence[str]) -> PlanError:
    shown = ", ".join(repr(title) for title in titles[:10])
    return PlanError(
        f"this picture is of one metric and data set, and there are {len(titles)}: {shown}. "
        "Choose one with --where metric=NAME (where={'metric': 'NAME'})."
    )
