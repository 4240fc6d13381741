"""Sample sizes: how many items or judgments a comparison needs."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.power.plan_sample_size import power as power

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "plan_sample_size": "power",
    },
)
