"""Commands, run as people run them."""

from tests.cli.conftest import run

__all__ = ["run"]
