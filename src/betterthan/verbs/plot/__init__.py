"""Pictures of evidence, by name."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.plot import plot_kinds as plot_kinds
    from betterthan.verbs.plot.plot_kinds import plot as plot

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "plot_kinds": "* plot",
    },
)
