"""Character error rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import register_metric
from betterthan.metrics.families.edits import ErrorRate


@register_metric
@dataclass(frozen=True)
class Cer(ErrorRate):
    """Character error rate: character edits per character of the reference; it can exceed 1."""

    name: ClassVar[str] = "cer"
    item_score: ClassVar[str] = "the error rate of a single item"

    def tokens(self, text: str) -> Sequence[str]:
        """Take every character, without white space at the ends."""
        return text.strip()
