"""pass^k: are all of k samples right?"""

from dataclasses import dataclass
from math import comb
from typing import ClassVar

from betterthan.metrics.base import register
from betterthan.metrics.families.samples import OfSamples
from betterthan.named import number


@register
@dataclass(frozen=True)
class PassAll(OfSamples):
    """pass^k: the chance that all of k samples are right, from n samples, unbiased.

    Yao et al. (2024), τ-bench: a benchmark for tool-agent-user interaction in real-world domains.
    """

    k: int = 1

    name: ClassVar[str] = "pass-all"

    def __post_init__(self) -> None:
        number("k", self.k, least=1, most=1e6, whole=True)

    def of_counts(self, samples: int, correct: int) -> float:
        """Return the share of sets of k samples that are all right."""
        return comb(correct, self.k) / comb(samples, self.k)
