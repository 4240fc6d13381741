"""pass@k: whether any of k samples is right."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from betterthan.base import registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.samples import OfSamples


@register_metric
@dataclass(frozen=True)
class PassAt(OfSamples):
    """pass@k: the chance that at least one of k samples is right, from n samples, unbiased.

    Chen et al. (2021), Evaluating large language models trained on code.
    """

    k: int = 1

    name: ClassVar[str] = "pass-at"

    def __post_init__(self) -> None:
        registry.number("k", self.k, least=1, most=1e6, whole=True)

    def of_counts(self, samples: int, correct: int) -> float:
        """Return 1 less the chance that k samples drawn without replacement are all wrong."""
        if samples - correct < self.k:
            return 1.0
        return 1.0 - prod(1.0 - self.k / drawn for drawn in range(samples - correct + 1, samples + 1))
