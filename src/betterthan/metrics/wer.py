"""Word error rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import register_metric
from betterthan.metrics.families.edits import ErrorRate


@register_metric
@dataclass(frozen=True)
class Wer(ErrorRate):
    """Word error rate: word edits per word of the reference; it can exceed 1."""

    name: ClassVar[str] = "wer"
    item_score: ClassVar[str] = "the error rate of a single item"

    def tokens(self, text: str) -> Sequence[str]:
        """Split at white space."""
        return text.split()
