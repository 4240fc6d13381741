"""Refitting of resamples: one object per family of models, which also says what resampling a fit takes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from betterthan.base import FloatArray, IntArray

if TYPE_CHECKING:
    from betterthan.models.base import Fit


@dataclass(frozen=True, eq=False)
class Refitting(ABC):
    """Estimates again for batches of resamples of a statistic, near its fit.

    Making one takes next to no time: what all resamples share is prepared on first use. The properties are those of a
    model whose every resample is refitted, quickly; families of models with a likelihood override them.
    """

    fit: "Fit"
    statistic: Any

    @abstractmethod
    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit a batch as the statistic's units draw it: strengths (systems × resamples), how many had no maximum."""

    def prepare(self) -> None:  # noqa: B027 (many models have nothing to prepare)
        """Prepare what all resamples share, before several threads ask for it."""

    @property
    def nearly_linear(self) -> bool:
        """Would one step of Newton's method lead where refitting a resample leads, in much less time?"""
        return False

    @property
    def little_known(self) -> IntArray:
        """The systems that one step would not place as a refit does."""
        return np.empty(0, dtype=np.int64)

    @property
    def work(self) -> float:
        """How many pairs or so a refit goes through, where many resamples would take minutes; 0 elsewhere."""
        return 0.0

    @property
    def terms(self) -> Any:
        """What judgments add to the gradients at the estimate, None where that does not determine a resample."""
        return None

    def over(self, units: Any) -> Self:
        """Return the same for other units of the same statistic."""
        return replace(self, statistic=replace(self.statistic, units=units))
