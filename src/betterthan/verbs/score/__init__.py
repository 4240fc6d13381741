"""Scores of outputs, by metrics that compare them with references."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.score.measure_outputs import measure as measure
    from betterthan.verbs.score.score_outputs import score as score

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "measure_outputs": "measure",
        "score_outputs": "score",
    },
)
