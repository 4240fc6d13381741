"""The table of chances from which comparisons are drawn."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from betterthan.base import FloatArray


@dataclass(frozen=True)
class Chances:
    """The chance of every pair to be asked next, up to a factor.

    `version` is the number of the last line of the log that it knows of. `needed` is how many more judgments a pair is
    expected to need. `settled` says that nothing is left to ask. `pairs` and `forecast` are for people.
    """

    version: int
    weight: FloatArray
    needed: FloatArray
    settled: bool = False
    pairs: tuple[dict[str, Any], ...] = ()
    forecast: tuple[dict[str, Any], ...] = ()

    @classmethod
    def all_alike(cls, systems: int) -> Self:
        """Return the table with which a campaign begins: no pair is known."""
        pairs = systems * (systems - 1) // 2
        return cls(0, np.ones(pairs), np.full(pairs, np.inf))
