"""The table of chances that comparisons are drawn by: made by a policy in another process, used until the next one."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from betterthan.arrays import FloatArray


@dataclass(frozen=True)
class Chances:
    """How likely every pair is to be asked for next, up to a factor.

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
        """Return the table with which a campaign begins: nothing is known of any pair."""
        pairs = systems * (systems - 1) // 2
        return cls(0, np.ones(pairs), np.full(pairs, np.inf))
