"""The judgments that a collection goes on from."""

from typing import Any

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import DataSets, data_sets
from betterthan.errors import PlanError
from betterthan.spelling import verb


def judged(evidence: Any, unit: str | None, what: str) -> tuple[DataSets, DataSet]:
    """Return the judgments of one data set, refusing scores."""
    sets = data_sets(evidence, unit=unit)
    if sets.kind == "scores":
        raise PlanError(
            f"{what} is about judgments of pairs, but this evidence is scores",
            remedy=f"To plan how many items you need, use {verb('power')}.",
        )
    return sets, sets.only(what)


def order_wanted(data: DataSet) -> str:
    """Return the order in which judgments are taken one by one: their own, or any where they have none."""
    return "auto" if data.judgments is None or data.judgments.ordered else "average"
