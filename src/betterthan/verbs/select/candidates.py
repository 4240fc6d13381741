"""The candidate models, each with its alternatives."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from betterthan.base import PlanError
from betterthan.models import Model, build_model


@dataclass(frozen=True)
class CandidateModel:
    """A requested model, and the models of its alternatives (one, where there are none)."""

    text: str
    alternatives: tuple[tuple[str, Model], ...]


def compete(texts: Sequence[str], seed: int) -> tuple[CandidateModel, ...]:
    """Build the models that compete."""
    found = tuple(_candidate(text, seed) for text in texts)
    for place, one in enumerate(found):
        for other in found[:place]:
            if {model for _, model in one.alternatives} == {model for _, model in other.alternatives}:
                raise PlanError(f"{one.text!r} is the same as {other.text!r}. Name it once.")
    return found


def _candidate(text: str, seed: int) -> CandidateModel:
    """Build a model; an option may list alternatives: `elo(k=16|32)`."""
    found = tuple((each, build_model(each, seed=seed)) for each in alternatives(text))
    for place, (each, model) in enumerate(found):
        if any(model == other for _, other in found[:place]):
            raise PlanError(f"{text}: the alternative {each!r} is there twice. List each value once.")
    return CandidateModel(text, found)


def alternatives(text: str) -> Iterator[str]:
    """Write out all combinations of the alternatives.

    >>> list(alternatives("elo(k=16|32,initial=0)"))
    ['elo(k=16,initial=0)', 'elo(k=32,initial=0)']
    """
    match = re.fullmatch(r"([^(]*)\((.*)\)", text)
    if not match or "|" not in match[2]:
        yield text
        return
    options = [_values(option) for option in match[2].split(",")]
    for chosen in product(*options):
        yield f"{match[1]}({','.join(chosen)})"


def _values(option: str) -> list[str]:
    """Return an option once for every value that it lists."""
    name, equals, values = option.partition("=")
    return [f"{name.strip()}{equals}{value.strip()}" for value in values.split("|")]
