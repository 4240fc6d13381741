"""Token F1 of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.words import f_score, plain_answer, shared


@register_metric
@dataclass(frozen=True)
class TokenF1(ByItem):
    """F1 of the words of an answer after SQuAD's normalisation; of several references the best.

    Rajpurkar et al. (2016), SQuAD: 100,000+ questions for machine comprehension of text, EMNLP.
    """

    name: ClassVar[str] = "token-f1"
    per_second: ClassVar[float] = 50_000

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare the words with those of the nearest reference; two empty answers agree."""
        said = plain_answer(output).split()
        return max(_f1(said, plain_answer(text).split()) for text in references)


def _f1(said: list[str], wanted: list[str]) -> float:
    if not said or not wanted:
        return float(said == wanted)
    return f_score(shared(said, wanted), len(said), len(wanted))
