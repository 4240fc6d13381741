"""Weights of tasks as text, as names and numbers, or in a file."""

import json
from collections.abc import Mapping

from betterthan.options.named_numbers import Words, number_of, numbers_of

#: How sentences call weights.
_WORDS = Words("weights", "weight", "task", "task=2,other=1")


def weights_text(given: Mapping[str, float] | str) -> str:
    """Return weights as one text, which a signature can hold; a file is read."""
    numbers = {str(name): number_of(name, value, _WORDS) for name, value in _items(given)}
    plain = {name: f"{value:g}" if float(f"{value:g}") == value else repr(value) for name, value in numbers.items()}
    if any(sign in name for name in plain for sign in ",=\\{"):
        return json.dumps(numbers, ensure_ascii=False)
    return ",".join(f"{name}={value}" for name, value in plain.items())


def weight_numbers(given: str) -> dict[str, float]:
    """Read weights from a text, or from a file of names and weights."""
    return numbers_of(given, _WORDS)


def _items(given: Mapping[str, float] | str) -> list[tuple[str, float]]:
    return list((given if isinstance(given, Mapping) else weight_numbers(str(given))).items())
