"""Predictions from strengths: a decision radius, tuned on development judgments, separates win, tie and loss."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from betterthan.base import FloatArray, IntArray
from betterthan.models import RESOLUTION, Fit, Model

#: Bounds of the tuned slopes (in standard deviations of the strengths) and thresholds. At these bounds chances are
#: practically 0 or 1, or independent of the strengths, and always finite.
_SLOPES, _THRESHOLDS = (1e-3, 50.0), (1e-6, 8.0)
_LOG_ROOT_TAU = 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True)
class Cut:
    """P(win) = Φ((gap − r) / s) and P(loss) = Φ((−gap − r) / s), the rest are ties.

    Held as slope 1/s and threshold r/s, in which the likelihood has one maximum only.
    """

    slope: float
    threshold: float

    @property
    def radius(self) -> float:
        """Return r, in standard deviations of the strengths."""
        return self.threshold / self.slope

    def log_chances(self, gap: FloatArray) -> FloatArray:
        """Return the logarithms of the chances of win, tie and loss (3 × pairs)."""
        at, away = self.slope * gap, np.abs(self.slope * gap)
        inner, outer = special.log_ndtr(self.threshold - away), special.log_ndtr(-self.threshold - away)
        with np.errstate(divide="ignore"):  # at a threshold of 0 nobody ties
            tie = inner + np.log(-np.expm1(outer - inner))  # both ends are far in the same tail
        return np.stack([special.log_ndtr(at - self.threshold), tie, special.log_ndtr(-at - self.threshold)])

    def chances(self, gap: FloatArray) -> FloatArray:
        """Return the chances of win, tie and loss (3 × pairs)."""
        return np.exp(self.log_chances(gap))

    def slopes(self, gap: FloatArray, log_chances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how the logarithms change with the scaled gap, and with the threshold (each 3 × pairs)."""
        at = self.slope * gap
        lower, upper = (-0.5 * (side * at - self.threshold) ** 2 - _LOG_ROOT_TAU for side in (1.0, -1.0))
        win, loss = np.exp(lower - log_chances[0]), np.exp(upper - log_chances[2])
        if self.threshold == 0.0:
            return np.stack([win, np.zeros_like(win), -loss]), np.zeros((3, len(gap)))
        down, up = np.exp(lower - log_chances[1]), np.exp(upper - log_chances[1])
        return np.stack([win, up - down, -loss]), np.stack([-win, up + down, -loss])


def tune(gap: FloatArray, counts: FloatArray) -> Cut:
    """Find radius and scale with the least log loss on counts (3 × pairs); without ties the radius is 0."""
    met = counts.sum(axis=0) > 0
    gap, shares = gap[met], counts[:, met] / counts.sum()
    tied = float(shares[1].sum())

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        cut = Cut(*parameters.tolist())
        log_chances = cut.log_chances(gap)
        by_gap, by_threshold = cut.slopes(gap, log_chances)
        value = -float(np.sum(shares * np.where(shares > 0, log_chances, 0.0)))
        return value, -np.array([np.sum(shares * by_gap * gap), np.sum(shares * by_threshold)])

    thresholds = _THRESHOLDS if tied else (0.0, 0.0)
    start = [0.5, float(np.clip(special.ndtri((1 + tied) / 2), *thresholds))]
    found = optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[_SLOPES, thresholds], options={"ftol": 1e-13, "gtol": 1e-8}
    )
    return Cut(*found.x.tolist())


def tune_accuracy(gap: FloatArray, counts: FloatArray) -> float:
    """Find the radius within which to predict ties: the smallest of those with the most right predictions."""
    met = counts.sum(axis=0) > 0
    won, tied, lost = counts[:, met]
    right = np.where(gap[met] > 0, won, np.where(gap[met] < 0, lost, 0.0))
    level, place = np.unique(np.abs(gap[met]), return_inverse=True)
    gained = np.cumsum(np.bincount(place, tied - right))
    radius = np.append((level[:-1] + level[1:]) / 2, level[-1])
    if level[0] > 0:
        radius, gained = np.append(0.0, radius), np.append(0.0, gained)
    else:
        radius[0] = 0.0
    return float(radius[np.argmax(np.round(gained, 9))])  # weights add up to the last digit only


def outcomes(gap: FloatArray, radius: float) -> FloatArray:
    """Return the outcome predicted of every pair, as a one among zeros (3 × pairs)."""
    tie = np.abs(gap) <= radius
    return np.stack([~tie & (gap > 0), tie, ~tie & (gap < 0)]).astype(float)


def for_all(fit: Fit, systems: tuple[str, ...]) -> Fit:
    """Return the fit with all systems; one that training did not see is predicted like an average one."""
    place = {system: number for number, system in enumerate(fit.systems)}
    known = np.array([place.get(system, -1) for system in systems])
    strength = np.append(fit.strength, np.nan)[known]
    absent = ~np.isfinite(strength)
    middle = float(np.mean(strength[~absent])) if not np.all(absent) else 0.0
    marks = {name: np.append(getattr(fit, name), False)[known] for name in ("estimable", "open_low", "open_high")}
    spread = None if fit.spread is None else np.append(fit.spread, np.mean(fit.spread))[known]
    return Fit(
        systems=systems,
        strength=np.where(absent, middle, strength),
        apart=absent,
        converged=fit.converged,
        log_likelihood=fit.log_likelihood,
        parameters=fit.parameters,
        spread=spread,
        **marks,
    )


def gaps(strength: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Return differences of strengths in their standard deviations; what is rounding of a solver is no difference."""
    spread = float(np.std(strength))
    gap = (strength[first] - strength[second]) / (spread if spread > RESOLUTION * np.max(np.abs(strength)) else 1.0)
    return np.where(np.abs(gap) > RESOLUTION, gap, 0.0)


def own_chances(model: Model, fit: Fit, first: IntArray, second: IntArray) -> FloatArray | None:
    """Return the chances of a model with a likelihood for ties (3 × pairs), None where it has none."""
    if fit.log_likelihood is None:
        return None
    chances = model.chances(fit, first, second)
    return chances if chances is not None and np.any(chances[1] > 0) else None
