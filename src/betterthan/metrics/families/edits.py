"""Edit distances, by rapidfuzz."""

from abc import abstractmethod
from collections.abc import Sequence
from math import inf
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, optional_library
from betterthan.metrics.base import FromSums, Measured


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many insertions, deletions and substitutions turn one sequence into another."""
    levenshtein = optional_library("rapidfuzz.distance", "metrics", "an edit distance").Levenshtein
    return int(levenshtein.distance(one, other))


class ErrorRate(FromSums):
    """Edits per token of the reference; of several references, the one with the lowest rate.

    Where the reference is empty, every token of the output is an error.
    """

    per_second: ClassVar[float] = 50_000
    bounds: ClassVar[tuple[float, float] | None] = (0, inf)
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    @abstractmethod
    def tokens(self, text: str) -> Sequence[str]:
        """Split a text into what is counted."""

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Count edits and tokens of the reference."""
        parts = np.empty((len(outputs), 2))
        for place, (output, against) in enumerate(zip(outputs, references, strict=True)):
            said = self.tokens(output)
            counted = [(distance(said, wanted), len(wanted)) for wanted in map(self.tokens, against)]
            parts[place] = min(counted, key=lambda found: found[0] / max(found[1], 1))
        return Measured(self.statistic(parts.T), parts)

    def statistic(self, sums: FloatArray) -> FloatArray:
        """Return edits per token."""
        edits, tokens = sums
        rates: FloatArray = edits / np.where(tokens > 0, tokens, 1.0)
        return rates
