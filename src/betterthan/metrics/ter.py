"""TER, by sacrebleu."""

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.sacre import FromSacrebleu


@register_metric
@dataclass(frozen=True)
class Ter(FromSacrebleu):
    """Translation edit rate, by sacrebleu: edits and shifts per 100 words of the references; slow.

    `case=mixed` distinguishes upper and lower case.
    """

    case: Literal["lower", "mixed"] = "lower"

    name: ClassVar[str] = "ter"
    bounds: ClassVar[tuple[float, float] | None] = (0, inf)
    per_second: ClassVar[float] = 25
    item_score: ClassVar[str] = "the TER of a single item"
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    def __post_init__(self) -> None:
        registry.one_of("case", self.case, "lower", "mixed")

    def made(self, metrics: Any) -> Any:
        """Make sacrebleu's TER."""
        return metrics.TER(case_sensitive=self.case == "mixed")

    def statistic(self, sums: FloatArray) -> FloatArray:
        """Return edits per 100 words of the references."""
        edits, words = sums
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(words > 0, 100 * edits / words, np.where(edits > 0, 100.0, 0.0))
