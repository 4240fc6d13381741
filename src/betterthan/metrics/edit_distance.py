"""Edit distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import registry
from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.edits import distance


@register_metric
@dataclass(frozen=True)
class EditDistance(ByItem):
    """Levenshtein distance to the nearest reference, in characters; `of=words` counts words."""

    of: Literal["characters", "words"] = "characters"

    name: ClassVar[str] = "edit-distance"
    per_second: ClassVar[float] = 50_000
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    def __post_init__(self) -> None:
        registry.one_of("of", self.of, "characters", "words")

    def score(self, output: str, references: Sequence[str]) -> float:
        """Count the edits."""
        if self.of == "words":
            return min(distance(output.split(), text.split()) for text in references)
        return min(distance(output, text) for text in references)
