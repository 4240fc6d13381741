"""Uncertainty of rankings: draws of strengths, intervals, scales, rank ranges and clusters."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.uncertainty import ranks_and_clusters as ranks_and_clusters
    from betterthan.uncertainty import resampling as resampling
    from betterthan.uncertainty import scales as scales
    from betterthan.uncertainty.anytime_decisions import decide_anytime as decide_anytime
    from betterthan.uncertainty.decisions import Decisions as Decisions
    from betterthan.uncertainty.decisions import decide as decide
    from betterthan.uncertainty.draws import Draws as Draws
    from betterthan.uncertainty.scales import Scale as Scale
    from betterthan.uncertainty.shrinkage import shrunk as shrunk
    from betterthan.uncertainty.task_draws import TaskDraws as TaskDraws
    from betterthan.uncertainty.task_draws import over_tasks as over_tasks

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "anytime_decisions": "decide_anytime",
        "decisions": "Decisions decide",
        "draws": "Draws",
        "ranks_and_clusters": "*",
        "resampling": "*",
        "scales": "* Scale",
        "shrinkage": "shrunk",
        "task_draws": "TaskDraws over_tasks",
    },
)
