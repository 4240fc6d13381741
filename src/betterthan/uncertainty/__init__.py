"""Uncertainty of rankings: draws of strengths, intervals, scales, rank ranges and clusters."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.uncertainty import ranks_and_clusters as ranks_and_clusters
    from betterthan.uncertainty import resampling as resampling
    from betterthan.uncertainty import scales as scales
    from betterthan.uncertainty import task_draws as task_draws
    from betterthan.uncertainty.anytime_decisions import decide_anytime as decide_anytime
    from betterthan.uncertainty.decisions import Decisions as Decisions
    from betterthan.uncertainty.draws import Draws as Draws
    from betterthan.uncertainty.shrinkage import shrunk as shrunk

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "anytime_decisions": "decide_anytime",
        "decisions": "Decisions",
        "draws": "Draws",
        "ranks_and_clusters": "*",
        "resampling": "*",
        "scales": "*",
        "shrinkage": "shrunk",
        "task_draws": "*",
    },
)
