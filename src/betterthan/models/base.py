"""What every model offers, and how models are found by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from betterthan.engine.table import FloatArray
from betterthan.errors import ModelError, PlanError
from betterthan.findings import Finding

#: Differences of strengths up to this are rounding of a solver, not an order.
RESOLUTION = 1e-7


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Strengths, higher is better, and how they were found.

    `estimable` marks the systems whose strength the evidence determines; `open_low` and `open_high` mark those whose
    interval has no lower or upper end because they never won or never lost against the others; `apart` marks those
    that cannot be compared with the others at all. `trace` is what a sampler went through (sweeps × systems).
    """

    systems: tuple[str, ...]
    strength: FloatArray
    estimable: NDArray[np.bool_]
    open_low: NDArray[np.bool_]
    open_high: NDArray[np.bool_]
    apart: NDArray[np.bool_]
    converged: bool = True
    iterations: int = 0
    log_likelihood: float | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    resolution: float = RESOLUTION
    lower_is_better: bool = False  # of the score that is shown: the strength with its sign turned
    trace: FloatArray | None = None
    spread: FloatArray | None = None  # a rating's own; it says nothing about the ranking and is shown nowhere

    @classmethod
    def plain(cls, systems: tuple[str, ...], strength: FloatArray, **facts: Any) -> "Fit":
        """Make the fit of a model that always has an answer for every system."""
        no, yes = np.zeros(len(systems), dtype=bool), np.ones(len(systems), dtype=bool)
        return cls(**{
            "systems": systems, "strength": strength, "estimable": yes, "open_low": no, "open_high": no, "apart": no,
            "resolution": 0.0, **facts,
        })  # fmt: skip


#: Estimates again for a batch of resamples, as the statistic's units draw them, with the given generator:
#: strengths (systems × resamples), and how many of the resamples had no maximum.
Refit = Callable[[FloatArray, np.random.Generator], tuple[FloatArray, int]]
#: Repeats the estimate with other random choices (an order of judgments, a sampler's numbers).
Rerun = Callable[[np.random.Generator], FloatArray]


class Model(Protocol):
    """Options are frozen in the constructor; fitting returns a new value.

    `accepts` names the kinds of evidence it can rank, and `consumes` the statistics it can be fitted to, the one it
    prefers first. `score` names its score; `logarithmic` says that strengths are logarithms of worths, which the
    scales worth, log, elo and winrate can show. `exempt` names the properties that every model should have and this
    one cannot, with the reason.
    """

    name: ClassVar[str]
    score: ClassVar[str]
    logarithmic: ClassVar[bool]
    exempt: ClassVar[Mapping[str, str]]

    @property
    def accepts(self) -> tuple[str, ...]:
        """Kinds of evidence."""

    @property
    def consumes(self) -> tuple[type, ...]:
        """Statistics it can be fitted to."""

    def fit(self, evidence: Any) -> Fit:
        """Estimate the strengths."""

    def refitter(self, fit: Fit, evidence: Any) -> Refit:
        """Prepare what all resamples share, and return the function that refits a batch of them."""

    def rerunner(self, evidence: Any) -> Rerun | None:
        """Return the function that repeats the estimate with other random choices, None if it makes none."""

    def draw(self, fit: Fit, evidence: Any, *, clustered: bool, draws: int, rng: np.random.Generator) -> FloatArray:
        """Draw strengths (systems × draws) from the estimate's own normal distribution."""

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float] | None:
        """Return the chances that system `a` beats, ties with and loses to system `b`, None if it has none."""


class WithoutLikelihood:
    """What models share that have no likelihood, no chances and make no random choices."""

    exempt: ClassVar[Mapping[str, str]] = {}
    logarithmic: ClassVar[bool] = False
    accepts: tuple[str, ...] = ("judgments", "rankings", "scores")

    def rerunner(self, evidence: Any) -> Rerun | None:
        """Make no random choices."""
        del evidence
        return None

    def draw(self, fit: Fit, evidence: Any, *, clustered: bool, draws: int, rng: np.random.Generator) -> FloatArray:
        """Refuse: without a likelihood there is no normal distribution of the estimate."""
        del fit, evidence, clustered, draws, rng
        raise ModelError(
            f"{self.name} has no likelihood, so there are no analytic intervals. "  # type: ignore[attr-defined]
            "Use --ci bootstrap (ci='bootstrap')."
        )

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float] | None:
        """Have none."""
        del fit, a, b
        return None


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
        name = text.partition("(")[0].strip()
        if name in _REGISTRY:
            raise PlanError(f"the options of {text!r} cannot be read; write {name}(option=value, option=value).")
        near = get_close_matches(name.lower(), known(), n=1, cutoff=0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise PlanError(f"unknown model {text!r}; known: {', '.join(known())}.{hint}")
    model = _REGISTRY[match[1]]
    types = {option.name: option.type for option in fields(model)}
    options = {name: value for name, value in defaults.items() if name in types and value is not None}
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in (match[2] or "").split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in types:
            raise PlanError(
                f"{match[1]}: unknown option {part!r}; known: {', '.join(types) or 'none'} (as name=value)."
            )
        if name in given:
            raise PlanError(f"{match[1]}: the option {name!r} is given twice. Give it once.")
        given[name] = _value(value, types[name])
    options |= given
    try:
        instance: Model = model(**options)
    except ValueError as error:
        raise ModelError(f"{match[1]}: {error}") from None
    return instance


def one_of(option: str, value: Any, *allowed: str) -> None:
    """Refuse an option's value that is not among those allowed."""
    if value not in allowed:
        raise ValueError(f"{option} must be {' or '.join(map(repr, allowed))}, got {value!r}")


def number(
    option: str, value: Any, *, least: float, most: float = 1e9, above: bool = False, whole: bool = False
) -> None:
    """Refuse an option's value that is not a number in a range; `above`: the least itself is not allowed."""
    good = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool) and least <= value <= most
    if not good or (above and value == least):
        words = f"above {least:g}" if above else f"of at least {least:g}"
        shown = f"{value:g}" if isinstance(value, float) else repr(value)
        raise ValueError(
            f"{option} must be a {'whole ' if whole else ''}number {words} and at most {most:g}, got {shown}"
        )


def draw_normal(covariance: FloatArray, draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw around zero (systems × draws), in mirrored pairs: the centre of the draws stays where the estimate is."""
    values, vectors = np.linalg.eigh(covariance)
    half = rng.standard_normal((len(values), (draws + 1) // 2))
    normal = np.concatenate([half, -half], axis=1)[:, :draws]
    drawn: FloatArray = (vectors * np.sqrt(np.maximum(values, 0.0))) @ normal
    return drawn


def _value(text: str, kind: Any) -> Any:
    """Read an option as what it is declared to be: 25 is 25.0 where a fraction is allowed."""
    kinds = [kind] if isinstance(kind, type) else list(get_args(kind))
    for convert in (int, float):
        if convert in kinds:
            try:
                return convert(text)
            except ValueError:
                continue
    return text
