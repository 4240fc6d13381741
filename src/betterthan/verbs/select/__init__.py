"""Choosing the ranking model by its predictions of held-out judgments."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.select import corrected_intervals as corrected_intervals
    from betterthan.verbs.select import divisible_evidence as divisible_evidence
    from betterthan.verbs.select import prediction_scores as prediction_scores
    from betterthan.verbs.select import tuned_predictions as tuned_predictions
    from betterthan.verbs.select import unit_splits as unit_splits
    from betterthan.verbs.select.select_model import select as select

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "corrected_intervals": "*",
        "divisible_evidence": "*",
        "prediction_scores": "*",
        "select_model": "select",
        "tuned_predictions": "*",
        "unit_splits": "*",
    },
)
