"""Metrics of sacrebleu: statistics per segment, and scores from their sums."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from betterthan.base import optional_library
from betterthan.metrics.base import FromSums, Measured


class FromSacrebleu(FromSums):
    """A metric whose segment statistics sacrebleu extracts; the score of a segment is that of its own statistics."""

    per_second: ClassVar[float] = 1000

    @abstractmethod
    def made(self, metrics: Any) -> Any:
        """Make sacrebleu's own metric."""

    @cached_property
    def own(self) -> Any:
        """Sacrebleu's metric with these options."""
        return self.made(optional_library("sacrebleu.metrics", "metrics", f"the metric {self.name}"))

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Extract the statistics of every segment; outputs that share their references come one after the other."""
        own, last, against, rows = self.own, None, None, []
        for output, given in zip(outputs, references, strict=True):
            if given is not last:
                last = given
                against = own._extract_reference_info([own._preprocess_segment(text) for text in given])
            rows.append(own._compute_segment_statistics(own._preprocess_segment(output), against))
        parts = np.array(rows, dtype=float)
        return Measured(self.of_segments(parts.T), parts)

    def of_segments(self, statistics: Any) -> Any:
        """Return the scores of single segments."""
        return self.statistic(statistics)

    def signature(self, references: str) -> str:
        """Return sacrebleu's signature."""
        self.own.num_refs = -1 if references == "var" else int(references)
        return str(self.own.get_signature())
