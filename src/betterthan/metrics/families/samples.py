"""Metrics of several samples per item: their number, and how many are right."""

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from betterthan.metrics.base import ByItem, WrongOutputError
from betterthan.metrics.families.values import right


class OfSamples(ByItem):
    """A metric of n samples of which c are right; `k` of them are asked about."""

    k: int
    samples: ClassVar[bool] = True
    references: ClassVar[bool] = False

    def score(self, output: str, references: Sequence[str]) -> float:
        """Count the samples that are right."""
        del references
        verdicts = [right(str(each)) for each in json.loads(output)]
        if len(verdicts) < self.k:
            raise WrongOutputError(
                0,
                f"there are {len(verdicts)} samples, fewer than k = {self.k}",
                "Choose a smaller k, or take more samples.",
            )
        return self.of_counts(len(verdicts), sum(verdicts))

    @abstractmethod
    def of_counts(self, samples: int, correct: int) -> float:
        """Return the score from the number of samples and of right ones."""
