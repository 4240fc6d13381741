"""The judgments that a collection continues from."""

from typing import Any

from betterthan.base import PlanError, spelling
from betterthan.datasets import DataSet, DataSets, JudgedSet, data_sets


def judged_data_set(evidence: Any, unit: str | None, what: str) -> tuple[DataSets, JudgedSet]:
    """Return the judgments of one data set, refusing scores."""
    sets = data_sets(evidence, unit=unit)
    judged = sets.judged
    if not judged:
        raise PlanError(
            f"{what} is about judgments of pairs, but this evidence is scores",
            remedy=f"To plan how many items you need, use {spelling.verb('power')}.",
        )
    sets.only(what)
    return sets, judged[0]


def order_wanted(data: DataSet) -> str:
    """Return the order in which judgments are taken one by one: their own, or any where they have none."""
    return "auto" if data.ordered else "average"
