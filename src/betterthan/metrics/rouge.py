"""ROUGE-1, ROUGE-2 and ROUGE-L."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from betterthan.base import optional_library, registry
from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.words import f_score, shared, words


@register_metric
@dataclass(frozen=True)
class Rouge(ByItem):
    """F1 of shared words (rouge-1), pairs of words (rouge-2) or the longest common subsequence (rouge-l).

    Words of every script count, without stemming; of several references the best. Lin (2004), ROUGE: a package for
    automatic evaluation of summaries.
    """

    of: Literal["1", "2", "l"] = "l"

    name: ClassVar[str] = "rouge"
    per_second: ClassVar[float] = 20_000

    def __post_init__(self) -> None:
        registry.one_of("of", self.of, "1", "2", "l")

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare with the nearest reference; two empty texts agree."""
        said = words(output)
        return max(self._against(said, words(text)) for text in references)

    def _against(self, said: list[str], wanted: list[str]) -> float:
        if not said or not wanted:
            return float(said == wanted)
        if self.of == "l":
            common = optional_library("rapidfuzz.distance", "metrics", "the metric rouge-l").LCSseq
            return f_score(int(common.similarity(said, wanted)), len(said), len(wanted))
        if self.of == "2":
            said, wanted = _pairs(said), _pairs(wanted)
            if not said and not wanted:  # two single words have no pair to compare
                return 0.0
        return f_score(shared(said, wanted), len(said), len(wanted))


def _pairs(tokens: list[str]) -> list[str]:
    return [f"{one} {two}" for one, two in pairwise(tokens)]
