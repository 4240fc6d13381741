"""The judgments that a collection goes on from."""

from typing import Any

from betterthan.errors import PlanError
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.read import as_evidence
from betterthan.leaderboard.reduction import Judged, one_reduction
from betterthan.models.base import Model
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.trueskill import TrueSkill
from betterthan.plan import Plan
from betterthan.reduce.pairs import PairCounts
from betterthan.spelling import verb

#: What pairs are counted for, and strengths are estimated by.
MODEL = BradleyTerry()


def judged(evidence: Any, resample: str | None, what: str, *, in_order: bool = False) -> Judged:
    """Return the judgments of one data set, refusing scores; `in_order`: they are also wanted one by one."""
    evidence = as_evidence(evidence)
    if evidence.kind == "scores":
        raise PlanError(
            f"{what} is about judgments of pairs, but this evidence is scores",
            remedy=f"To plan how many instances you need, use {verb('power')}.",
        )
    models: list[Model] = [MODEL, ordered(evidence)] if in_order else [MODEL]  # rows are read once for both
    reduction, _ = one_reduction(evidence, Plan(resample=resample), models, what)
    assert isinstance(reduction, Judged)
    return reduction


def ordered(evidence: Any) -> TrueSkill:
    """Return the model that takes judgments in their order, or in one that nothing changes where they have none."""
    unordered = isinstance(evidence, Judgments) and not evidence.ordered
    return TrueSkill(order="average" if unordered else "auto")


def counted(reduction: Judged) -> PairCounts:
    """Return the outcomes of every pair that met, and their units."""
    if "+" in reduction.unit:
        raise PlanError(
            f"decisions about pairs need one unit, not {reduction.unit}. Choose item, judge, ranking or row."
        )
    return reduction.pairs(MODEL)


def check_margin(margin: float | None) -> None:
    """Refuse what is no indifference zone of a share."""
    if margin is not None and not (isinstance(margin, (int, float)) and 0 < margin < 0.5):
        raise PlanError(
            f"margin must be above 0 and below 0.5, got {margin!r}: shares won (ties half) between 0.5 − margin and "
            "0.5 + margin count as equivalent; 0.05 is common."
        )
