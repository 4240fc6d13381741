"""Item response theory: difficulty and discrimination of items, abilities of systems."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.items.analyse_items import items as items

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "analyse_items": "items",
    },
)
