"""Metrics compared with human judgments and with each other."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.correlate.correlate_metrics import correlate as correlate

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "correlate_metrics": "correlate",
    },
)
