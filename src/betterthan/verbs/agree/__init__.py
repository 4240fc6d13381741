"""Agreement: how far judges agree on the same items."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.agree.agree_ratings import agree as agree

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "agree_ratings": "agree",
    },
)
