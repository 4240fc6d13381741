"""The command line: one file per verb, which parses, calls one function and prints."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.cli.main import main as main

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "main": "main",
    },
)
