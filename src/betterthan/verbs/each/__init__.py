"""Several data sets: a verb of one data set, run on each of them, and the means over them."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.each.each_data_set import run_on_each as run_on_each

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "each_data_set": "run_on_each",
    },
)
