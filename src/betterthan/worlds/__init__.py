"""Simulated evidence with known truth."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.worlds import equal_worlds as equal_worlds
    from betterthan.worlds import simulated as simulated
    from betterthan.worlds.simulated import Arena as Arena

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "equal_worlds": "*",
        "simulated": "* Arena",
    },
)
