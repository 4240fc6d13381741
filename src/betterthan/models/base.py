"""What every model offers, and how models are found by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from betterthan.engine.table import FloatArray
from betterthan.errors import ModelError, PlanError
from betterthan.findings import Finding
from betterthan.reduce.pairs import PairCounts


@dataclass(frozen=True)
class Fit:
    """Strengths on the log scale, centred on the systems that can be compared, and how they were found.

    `estimable` marks the systems whose strength the evidence determines; `open_low` and `open_high` mark those whose
    interval has no lower or upper end because they never won or never lost against the others; `apart` marks those
    that cannot be compared with the others at all.
    """

    systems: tuple[str, ...]
    log_strength: FloatArray
    converged: bool
    iterations: int
    log_likelihood: float | None
    estimable: NDArray[np.bool_]
    open_low: NDArray[np.bool_]
    open_high: NDArray[np.bool_]
    apart: NDArray[np.bool_]
    parameters: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


#: Estimates again for many resamples (3 × pairs × resamples) with the given generator:
#: strengths (systems × resamples), and how many of the resamples had no maximum.
Refit = Callable[[FloatArray, np.random.Generator], tuple[FloatArray, int]]


class Model(Protocol):
    """Options are frozen in the constructor; fitting returns a new value."""

    name: ClassVar[str]

    def fit(self, counts: PairCounts) -> Fit:
        """Estimate the strengths."""

    def refitter(self, fit: Fit, counts: PairCounts) -> Refit:
        """Prepare what all resamples share, and return the function that refits a batch of them."""

    def draw(
        self, fit: Fit, counts: PairCounts, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw strengths (systems × draws) from the estimate's own normal distribution."""

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float]:
        """Return the chances that system `a` beats, ties with and loses to system `b`."""


_REGISTRY: dict[str, type[Any]] = {}
_M = TypeVar("_M", bound=type[Any])


def register(model: _M) -> _M:
    """Enter a model under its name (a class decorator)."""
    _REGISTRY[model.name] = model
    return model


def known() -> tuple[str, ...]:
    """Return the names of all models."""
    return tuple(sorted(_REGISTRY))


def build(text: str, **defaults: Any) -> Model:
    """Make a model from `name` or `name(option=value, …)`; defaults that it has no option for are left out.

    >>> build("bradley-terry(ties=drop)").ties
    'drop'
    """
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text)
    if not match or match[1] not in _REGISTRY:
        raise PlanError(f"unknown model {text!r}; known: {', '.join(known())}.")
    model = _REGISTRY[match[1]]
    types = {option.name: option.type for option in fields(model)}
    options = {name: value for name, value in defaults.items() if name in types and value is not None}
    for part in filter(None, (piece.strip() for piece in (match[2] or "").split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in types:
            raise PlanError(
                f"{match[1]}: unknown option {part!r}; known: {', '.join(types) or 'none'} (as name=value)."
            )
        options[name] = _value(value)
    try:
        instance: Model = model(**options)
    except ValueError as error:
        raise ModelError(f"{match[1]}: {error}") from None
    return instance


def _value(text: str) -> Any:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
