"""Metrics: from outputs and references to scores, one per file, found by name.

What metrics share is in `families`, a user's own are in `own`, and what they measure is read by `outputs`.
"""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.metrics.base import FromSums as FromSums
    from betterthan.metrics.base import Influence as Influence
    from betterthan.metrics.base import Measured as Measured
    from betterthan.metrics.base import Metric as Metric
    from betterthan.metrics.base import WrongOutputError as WrongOutputError
    from betterthan.metrics.base import build_metric as build_metric
    from betterthan.metrics.base import known_metrics as known_metrics
    from betterthan.metrics.own.function import FunctionMetric as FunctionMetric
    from betterthan.metrics.own.program import ProgramMetric as ProgramMetric

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "base": "FromSums Influence Measured Metric WrongOutputError build_metric known_metrics",
        "own.function": "FunctionMetric",
        "own.program": "ProgramMetric",
    },
)
