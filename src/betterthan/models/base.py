"""The base class of models, and their registry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, ModelError, Registry, spelling
from betterthan.findings import Finding
from betterthan.models.refitting import Refitting

#: How a model takes judgments: as in the file, by a time column, `auto` (by time where there is one), or in any order.
Order = Literal["auto", "file", "time", "average"]
#: Differences of strengths up to this are rounding of a solver, not an order.
RESOLUTION = 1e-7


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Strengths, higher is better, and how they were computed.

    `estimable` marks the systems whose strength the evidence determines. `open_low` and `open_high` mark those whose
    interval has no lower or upper end because they never won or never lost against the others. `apart` marks those
    that cannot be compared with the others at all. `trace` is what a sampler went through (sweeps × systems).
    """

    systems: tuple[str, ...]
    strength: FloatArray
    estimable: BoolArray
    open_low: BoolArray
    open_high: BoolArray
    apart: BoolArray
    converged: bool = True
    iterations: int = 0
    log_likelihood: float | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    resolution: float = RESOLUTION
    lower_is_better: bool = False  # of the score that is shown: the strength with its sign turned
    trace: FloatArray | None = None
    spread: FloatArray | None = None  # a rating's own; it says nothing about the ranking and is shown nowhere

    @cached_property
    def placed(self) -> BoolArray:
        """Mark the systems that the evidence places: they won and lost, and can be compared with the others."""
        return ~(self.open_low | self.open_high | self.apart)

    @classmethod
    def plain(cls, systems: tuple[str, ...], strength: FloatArray, **facts: Any) -> "Fit":
        """Make the fit of a model that always has an answer for every system."""
        no, yes = np.zeros(len(systems), dtype=bool), np.ones(len(systems), dtype=bool)
        return cls(
            **{
                "systems": systems,
                "strength": strength,
                "estimable": yes,
                "open_low": no,
                "open_high": no,
                "apart": no,
                "resolution": 0.0,
                **facts,
            }
        )


#: Repeats the estimate with other random choices (an order of judgments, a sampler's numbers).
Rerun = Callable[[np.random.Generator], FloatArray]


class Model(Protocol):
    """The protocol of models: options are frozen in the constructor, and fitting returns a new value.

    `accepts` names the kinds of evidence it can rank, and `consumes` the statistics it can be fitted to, the one it
    prefers first. `score` names its score. `logarithmic` says that strengths are logarithms of worths, which the
    scales worth, log, elo, winrate and expected can show. `bounds` are those of a score of its own; `smooth` says that
    it changes little by little with the evidence. `exempt` names the properties that every model should have and this
    one cannot, with the reason. `ModelBase` has all that most models share.
    """

    name: ClassVar[str]
    score: ClassVar[str]
    logarithmic: ClassVar[bool]
    bounds: ClassVar[tuple[float, float] | None]
    smooth: ClassVar[bool]
    exempt: ClassVar[Mapping[str, str]]

    @property
    def accepts(self) -> tuple[str, ...]:
        """Kinds of evidence."""

    @property
    def consumes(self) -> tuple[type, ...]:
        """Statistics it can be fitted to."""

    @property
    def order(self) -> Order:
        """The order in which it takes judgments; `average` for one that does not mind, or tries many."""

    @property
    def ties(self) -> str | None:
        """The treatment of ties, None if it is not an option."""

    def fit(self, statistic: Any) -> Fit:
        """Estimate the strengths."""

    def fit_near(self, statistic: Any, strength: FloatArray, parameters: Mapping[str, float]) -> Fit:
        """Estimate the strengths, beginning where they were with a little less evidence."""

    def refitter(self, fit: Fit, statistic: Any) -> Refitting:
        """Return what refits batches of resamples."""

    def rerunner(self, statistic: Any) -> Rerun | None:
        """Return the function that repeats the estimate with other random choices, None if it makes none."""

    def draw(self, fit: Fit, statistic: Any, *, clustered: bool, draws: int, rng: np.random.Generator) -> FloatArray:
        """Draw strengths (systems × draws) from the estimate's own normal distribution."""

    def covariance(self, fit: Fit, statistic: Any, *, clustered: bool) -> FloatArray | None:
        """Return the covariance of the strengths, perhaps followed by other parameters, None if it has none."""

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray | None:
        """Return the chances that systems `a` beat, tie with and lose to systems `b` (3 × pairs), None if it has none.

        Systems are given by their places in the fit.
        """

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float] | None:
        """Return the chances of two systems."""


class ModelBase:
    """Defaults of a model: no order, no choice of ties, no randomness, likelihood or chances."""

    exempt: ClassVar[Mapping[str, str]] = {}
    logarithmic: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float] | None] = None
    smooth: ClassVar[bool] = True
    accepts: tuple[str, ...] = ("judgments", "rankings", "scores")
    order: Order = "average"
    ties: str | None = None

    def fit_near(self, statistic: Any, strength: FloatArray, parameters: Mapping[str, float]) -> Fit:
        """Begin again: most models need no start."""
        del strength, parameters
        fit: Fit = self.fit(statistic)  # type: ignore[attr-defined]
        return fit

    def rerunner(self, statistic: Any) -> Rerun | None:
        """Make no random choices."""
        del statistic
        return None

    def draw(self, fit: Fit, statistic: Any, *, clustered: bool, draws: int, rng: np.random.Generator) -> FloatArray:
        """Refuse: without a likelihood there is no normal distribution of the estimate."""
        del fit, statistic, clustered, draws, rng
        raise ModelError(
            f"{self.name} has no likelihood, so there are no analytic intervals",  # type: ignore[attr-defined]
            remedy=f"Use {spelling.option('ci', 'bootstrap')}.",
        )

    def covariance(self, fit: Fit, statistic: Any, *, clustered: bool) -> FloatArray | None:
        """Have none."""
        del fit, statistic, clustered
        return None

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray | None:
        """Return None: there are no outcome probabilities."""
        del fit, a, b
        return None

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float] | None:
        """Return the chances of one pair."""
        chances = self.chances(fit, np.array([a]), np.array([b]))
        if chances is None:
            return None
        win, tie, loss = chances[:, 0].tolist()
        return win, tie, loss


_MODELS = Registry("model", "betterthan.models", "betterthan.models", shared=("base", "refitting"))
register_model = _MODELS.register


def known_models() -> tuple[str, ...]:
    """Return the names of all models."""
    return _MODELS.names()


def build_model(text: str, **defaults: Any) -> Model:
    """Make a model from `name` or `name(option=value, …)`; defaults that it has no option for are left out.

    >>> build_model("bradley-terry(ties=drop)").ties
    'drop'
    """
    try:
        model: Model = _MODELS.make(text, defaults)
    except ValueError as error:
        raise ModelError(str(error)) from None
    return model


def draw_normal(covariance: FloatArray, draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw around zero (systems × draws), in mirrored pairs: the centre of the draws stays where the estimate is."""
    values, vectors = np.linalg.eigh(covariance)
    # An eigenvalue of 0 is computed as rounding error, whose root would separate equal systems.
    values[values < len(values) * np.finfo(float).eps * values[-1]] = 0.0
    half = rng.standard_normal((len(values), (draws + 1) // 2))
    normal = np.concatenate([half, -half], axis=1)[:, :draws]
    drawn: FloatArray = (vectors * np.sqrt(values)) @ normal
    return drawn


def decided(outcomes: FloatArray, ties: str = "half") -> tuple[FloatArray, FloatArray]:
    """Return wins of the first and of the second side (3 × anything): ties are `half` a win for each, or `drop`ped."""
    won, tied, lost = outcomes
    return (won + tied / 2, lost + tied / 2) if ties == "half" else (won, lost)
