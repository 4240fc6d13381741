"""pass^k: whether all of k samples are right."""

from dataclasses import dataclass
from math import comb
from typing import ClassVar

from betterthan.base import registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.samples import OfSamples


@register_metric
@dataclass(frozen=True)
class PassAll(OfSamples):
    """pass^k: the chance that all of k samples are right, from n samples, unbiased.

    Yao et al. (2024), τ-bench: a benchmark for tool-agent-user interaction in real-world domains.
    """

    k: int = 1

    name: ClassVar[str] = "pass-all"

    def __post_init__(self) -> None:
        registry.number("k", self.k, least=1, most=1e6, whole=True)

    def of_counts(self, samples: int, correct: int) -> float:
        """Return the share of sets of k samples that are all right."""
        return comb(correct, self.k) / comb(samples, self.k)
