"""A user's own metric: a Python function."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar

from betterthan.base import PlanError
from betterthan.metrics.base import ByItem, WrongOutputError
from betterthan.metrics.own.returned_score import score_of


@dataclass(frozen=True)
class FunctionMetric(ByItem):
    """A function of an output and its references that returns a number, named `module:function`."""

    text: str

    name: ClassVar[str] = "function"
    per_second: ClassVar[float] = 1000

    @cached_property
    def function(self) -> Any:
        """The function."""
        module, _, name = self.text.partition(":")
        try:
            found: Any = _imported(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as error:
            raise PlanError(
                f"the metric {self.text} cannot be loaded: {error}",
                remedy="Write it as module:function, with the module on Python's path.",
            ) from None
        if not callable(found):
            raise PlanError(
                f"the metric {self.text} is no function", remedy="Name one that takes (output, references)."
            )
        return found

    def score(self, output: str, references: Sequence[str]) -> float:
        """Call the function."""
        function = self.function
        try:
            found = function(output, list(references))
        except Exception as error:
            what = str(error).strip().splitlines()
            raise WrongOutputError(
                0, f"{self.text} failed with {type(error).__name__}{': ' + what[0] if what else ''}", "Correct it."
            ) from error
        return score_of(found, self.text)


def _imported(module: str) -> Any:
    """Import a module, also from the current folder, which a command does not look into."""
    here = os.getcwd()
    if here in sys.path:
        return import_module(module)
    sys.path.append(here)
    try:
        return import_module(module)
    finally:
        sys.path.remove(here)
