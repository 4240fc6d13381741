"""pass@k: is any of k samples right?"""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from betterthan.metrics.base import register
from betterthan.metrics.families.samples import OfSamples
from betterthan.named import number


@register
@dataclass(frozen=True)
class PassAt(OfSamples):
    """pass@k: the chance that at least one of k samples is right, from n samples, unbiased.

    Chen et al. (2021), Evaluating large language models trained on code.
    """

    k: int = 1

    name: ClassVar[str] = "pass-at"

    def __post_init__(self) -> None:
        number("k", self.k, least=1, most=1e6, whole=True)

    def of_counts(self, samples: int, correct: int) -> float:
        """Return 1 less the chance that k samples drawn without replacement are all wrong."""
        if samples - correct < self.k:
            return 1.0
        return 1.0 - prod(1.0 - self.k / drawn for drawn in range(samples - correct + 1, samples + 1))
