"""What a plan was made for: it is refused for other evidence, or the result says what is different."""

from betterthan import __version__
from betterthan.datasets.sets import DataSets
from betterthan.datasets.summary import direction_of
from betterthan.errors import PlanError
from betterthan.findings import Finding
from betterthan.findings.reading import DATA_CHANGED, VERSION_CHANGED
from betterthan.options.rank import Plan
from betterthan.spelling import option


def need_alike(plan: Plan, sets: DataSets) -> None:
    """Refuse a plan that was made for another kind of evidence, or for scores of which less was better."""
    if plan.kind not in {None, sets.kind}:
        raise PlanError(
            f"the plan was made for {plan.kind}, and this evidence is {sets.kind}",
            remedy="Choose a plan that was made for the same kind, or leave it out.",
        )
    found = direction_of(data.scores.negated if data.scores is not None else None for data in sets)
    if plan.direction not in {None, found}:
        which = "scores" if plan.direction == "less" else "scores of some metrics"
        raise PlanError(
            f"in the {which} that the plan was made for, less is better, and these are read in another way",
            remedy=f"Name the metrics with {option('lower_is_better')}, or leave the plan out.",
        )


def what_changed(plan: Plan, digest: str) -> tuple[Finding, ...]:
    """Say that a plan was made for other data, or by another version."""
    data = () if plan.data in {None, digest} else (DATA_CHANGED.found(planned=plan.data, found=digest),)
    same = plan.version in {None, __version__}
    return data if same else (*data, VERSION_CHANGED.found(planned=plan.version, found=__version__))
