"""Brier score of probabilities."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import ByItem, WrongOutputError, register_metric
from betterthan.metrics.families.values import is_positive, label, number_of, one_reference

_REMEDY = "Give a probability of the positive label, or a JSON object of labels with their probabilities."


@register_metric
@dataclass(frozen=True)
class Brier(ByItem):
    """Squared error of probabilities: of the positive label, or summed over a JSON object of labels.

    For one probability the truth is 1 or 0, true or false, yes or no; `positive` names the label where it is another
    word. Brier (1950), Verification of forecasts expressed in terms of probability.
    """

    positive: str = ""

    name: ClassVar[str] = "brier"
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare with the truth."""
        truth = one_reference(references)
        if not output.lstrip().startswith("{"):
            value = number_of(output)
            if not 0 <= value <= 1:
                raise WrongOutputError(0, f"the output {output!r} is not a probability", _REMEDY)
            return (value - is_positive(truth, self.positive)) ** 2
        chances = _chances(output)
        if label(truth) not in chances:
            raise WrongOutputError(0, f"the truth {truth!r} has no probability", _REMEDY)
        return sum((chance - (name == label(truth))) ** 2 for name, chance in chances.items())


def _chances(output: str) -> dict[str, float]:
    """Read probabilities by label."""
    try:
        given = json.loads(output)
        chances = {label(name): float(chance) for name, chance in given.items()} if isinstance(given, Mapping) else {}
    except (ValueError, TypeError, RecursionError):
        chances = {}
    if not chances or not all(0 <= chance <= 1 for chance in chances.values()):
        raise WrongOutputError(0, "the output holds no probabilities", _REMEDY)
    if abs(sum(chances.values()) - 1) > 0.01:
        raise WrongOutputError(0, f"the probabilities sum to {sum(chances.values()):.3g}, not 1", _REMEDY)
    return chances
