"""Link functions: probabilities of win, tie and loss given the gap of strengths and the tie width.

A link prepares outcomes (3 × pairs, perhaps × resamples) once, and then gives value, gradient and curvature of their
log-likelihood per pair, by the gap and by the width. A link without ties has no width.
"""

from typing import Protocol

import numpy as np

from betterthan.base import FloatArray, scipy

Prepared = tuple[FloatArray, ...]
#: Resamples all take steps of the same matrix, and one may lead below zero, where no width can be.
_LEAST_WIDTH = 1e-9
_LOG_ROOT_TAU = 0.5 * np.log(2 * np.pi)


class Link(Protocol):
    """Probabilities of the three outcomes, and the derivatives that the likelihood needs."""

    @property
    def width(self) -> float | None:
        """Where the search for the width starts; None for a link that knows no ties."""

    @property
    def logits(self) -> float:
        """How many units of the logistic scale one unit of strength is, roughly."""

    def without_ties(self) -> "Link":
        """Return the link without ties."""

    def prepare(self, outcomes: FloatArray) -> Prepared:
        """Precompute the parts of outcomes that the likelihood needs."""

    def value(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> float:
        """Return the log-likelihood, −inf for a width that cannot be."""

    def gradient(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by gap and by width, per pair (and resample)."""

    def curvature(
        self, prepared: Prepared, gap: FloatArray, width: FloatArray | float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the negative second derivatives per pair: gap and gap, gap and width, width and width."""

    def chances(self, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances of win, tie and loss."""


class Logistic:
    """Bradley–Terry: P(win) = σ(gap); the row of ties is ignored."""

    width = None
    logits = 1.0

    def without_ties(self) -> Link:
        """Return itself."""
        return self

    def prepare(self, outcomes: FloatArray) -> Prepared:
        """Precompute wins and their total."""
        won, _, lost = outcomes
        return won, won + lost

    def value(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> float:
        """Return the log-likelihood."""
        del width
        won, total = prepared
        # log σ(gap) − gap = log σ(−gap): one logarithm serves both sides, and neither tail overflows.
        # np.logaddexp would say the same in three times the time.
        both = np.maximum(-gap, 0.0) + np.log1p(np.exp(-np.abs(gap)))
        return float(np.sum((won - total) * gap - total * both))

    def gradient(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return wins beyond the expected ones."""
        del width
        won, total = prepared
        expected = logistic(gap)
        expected *= total
        return np.subtract(won, expected, out=expected), np.empty(0)

    def curvature(
        self, prepared: Prepared, gap: FloatArray, width: FloatArray | float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the information about the gap."""
        del width
        chance = logistic(gap)
        information: FloatArray = prepared[1] * chance * (1 - chance)
        return information, np.empty(0), np.empty(0)

    def chances(self, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances; ties have none."""
        del width
        win = logistic(gap)
        return win, np.zeros_like(win), 1 - win


class DavidsonLink:
    """P(win) : P(tie) : P(loss) = e^(gap/2) : e^width : e^(−gap/2); e^width is Davidson's ν."""

    width = -1.0
    logits = 1.0

    def without_ties(self) -> Link:
        """Return Bradley–Terry."""
        return Logistic()

    def prepare(self, outcomes: FloatArray) -> Prepared:
        """Precompute half the lead in wins, ties, and their total."""
        won, tied, lost = outcomes
        return (won - lost) / 2, tied, won + tied + lost

    def value(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> float:
        """Return the log-likelihood."""
        lead, tied, total = prepared
        size = np.abs(gap) / 2
        log_sum = size + np.log1p(np.exp(width - size) + np.exp(-2 * size))
        return float(np.sum(lead * gap + tied * width - total * log_sum))

    def gradient(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return half the lead, and the ties, beyond the expected ones."""
        lead, tied, total = prepared
        up = np.exp(np.clip(gap / 2, -300.0, 300.0))
        down = 1 / up
        nu = np.exp(width)
        share = total / (up + down + nu)
        by_gap: FloatArray = lead - share * (up - down) / 2
        by_width: FloatArray = tied - share * nu
        return by_gap, by_width

    def curvature(
        self, prepared: Prepared, gap: FloatArray, width: FloatArray | float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the covariance of half the lead and the ties."""
        total = prepared[2]
        win, tie, loss = self.chances(gap, width)
        lead = (win - loss) / 2
        return total * ((win + loss) / 4 - lead**2), -total * tie * lead, total * tie * (1 - tie)

    def chances(self, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances of win, tie and loss."""
        win, tie, loss = scipy.special.softmax(np.stack(np.broadcast_arrays(gap / 2, width, -gap / 2)), axis=0)
        return win, tie, loss


class RaoKupperLink:
    """P(win) = σ(gap − width), P(loss) = σ(−gap − width), the rest are ties; e^width is Rao and Kupper's θ."""

    width = 0.4
    logits = 1.0

    def without_ties(self) -> Link:
        """Return Bradley–Terry."""
        return Logistic()

    def prepare(self, outcomes: FloatArray) -> Prepared:
        """Precompute wins, ties and losses."""
        won, tied, lost = outcomes
        return won, tied, lost

    def value(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> float:
        """Return the log-likelihood."""
        if not np.all(width > 0):
            return -np.inf
        won, tied, lost = prepared
        not_won, not_lost = np.logaddexp(0.0, width - gap), np.logaddexp(0.0, width + gap)
        # P(tie) = (1 − e^(−2·width)) · σ(width + gap) · σ(width − gap), and log σ(x) = x − log(1 + e^x).
        tie = np.log(-np.expm1(-2 * width)) + 2 * width - not_lost - not_won
        return float(np.sum(tied * tie - won * not_won - lost * not_lost))

    def gradient(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by gap and by width."""
        won, tied, lost = prepared
        not_win, not_loss = logistic(width - gap), logistic(width + gap)
        rest = 1 + 2 / np.expm1(2 * np.maximum(width, _LEAST_WIDTH))
        by_gap: FloatArray = (won + tied) * not_win - (lost + tied) * not_loss
        by_width: FloatArray = tied * (1 + rest) - (won + tied) * not_win - (lost + tied) * not_loss
        return by_gap, by_width

    def curvature(
        self, prepared: Prepared, gap: FloatArray, width: FloatArray | float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the negative second derivatives."""
        won, tied, lost = prepared
        win, loss = logistic(gap - width), logistic(-gap - width)
        up, down = (won + tied) * win * (1 - win), (lost + tied) * loss * (1 - loss)
        return up + down, down - up, up + down + tied / np.sinh(width) ** 2

    def chances(self, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances of win, tie and loss."""
        win, loss = logistic(gap - width), logistic(-gap - width)
        return win, -np.expm1(-2 * width) * logistic(width + gap) * logistic(width - gap), loss


class Probit:
    """P(win) = Φ(gap − width), P(loss) = Φ(−gap − width), the rest are ties; without a width nobody ties."""

    logits = 1.702  # no logistic curve comes closer to the normal one

    def __init__(self, *, ties: bool = True) -> None:
        self.width = 0.3 if ties else None

    def without_ties(self) -> Link:
        """Return the link of width 0."""
        return Probit(ties=False)

    def prepare(self, outcomes: FloatArray) -> Prepared:
        """Precompute wins, ties and losses."""
        won, tied, lost = outcomes
        return won, tied, lost

    def value(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> float:
        """Return the log-likelihood."""
        won, tied, lost = prepared
        if self.width is None:
            return float(np.sum(won * scipy.special.log_ndtr(gap) + lost * scipy.special.log_ndtr(-gap)))
        if not np.all(width > 0):
            return -np.inf
        decided = won * scipy.special.log_ndtr(gap - width) + lost * scipy.special.log_ndtr(-gap - width)
        return float(np.sum(decided + tied * _log_between(gap, width)))

    def gradient(self, prepared: Prepared, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by gap and by width."""
        won, tied, lost = prepared
        if self.width is None:
            return won * _mills(gap) - lost * _mills(-gap), np.empty(0)
        width = np.maximum(width, _LEAST_WIDTH)
        up, down = gap - width, -gap - width
        win, loss = won * _mills(up), lost * _mills(down)
        edge_up, edge_down = _edges(up, down, gap, width)
        by_gap: FloatArray = win - loss + tied * (edge_down - edge_up)
        by_width: FloatArray = tied * (edge_down + edge_up) - win - loss
        return by_gap, by_width

    def curvature(
        self, prepared: Prepared, gap: FloatArray, width: FloatArray | float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the negative second derivatives."""
        won, tied, lost = prepared
        if self.width is None:
            return won * _bend(gap) + lost * _bend(-gap), np.empty(0), np.empty(0)
        up, down = gap - width, -gap - width
        win, loss = won * _bend(up), lost * _bend(down)
        edge_up, edge_down = _edges(up, down, gap, width)
        # φ′(x) = −x·φ(x)
        same = -(up * edge_up + down * edge_down)
        gap_gap = win + loss + tied * (same + (edge_down - edge_up) ** 2)
        gap_width = (
            loss - win + tied * (up * edge_up - down * edge_down + (edge_down - edge_up) * (edge_down + edge_up))
        )
        width_width = win + loss + tied * (same + (edge_down + edge_up) ** 2)
        return gap_gap, gap_width, width_width

    def chances(self, gap: FloatArray, width: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances of win, tie and loss."""
        if self.width is None:
            return scipy.special.ndtr(gap), np.zeros_like(gap), scipy.special.ndtr(-gap)
        return scipy.special.ndtr(gap - width), np.exp(_log_between(gap, width)), scipy.special.ndtr(-gap - width)


def _mills(x: FloatArray) -> FloatArray:
    """Return φ(x) / Φ(x), also far in the tail."""
    ratio: FloatArray = np.exp(-0.5 * x * x - _LOG_ROOT_TAU - scipy.special.log_ndtr(x))
    return ratio


def _bend(x: FloatArray) -> FloatArray:
    """Return minus the second derivative of log Φ."""
    ratio = _mills(x)
    return ratio * (ratio + x)


def _log_between(gap: FloatArray, width: FloatArray | float) -> FloatArray:
    """Return log(Φ(gap + width) − Φ(gap − width)), taken in the tail where it keeps its digits."""
    size = np.abs(gap)
    upper, lower = scipy.special.log_ndtr(width - size), scipy.special.log_ndtr(-width - size)
    log: FloatArray = upper + np.log1p(-np.exp(np.minimum(lower - upper, -1e-15)))
    return log


def _edges(
    up: FloatArray, down: FloatArray, gap: FloatArray, width: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Return the densities at both ends of the tie, relative to its chance."""
    log = _log_between(gap, width) + _LOG_ROOT_TAU
    return np.exp(-0.5 * up * up - log), np.exp(-0.5 * down * down - log)


def logistic(gap: FloatArray) -> FloatArray:
    """Return 1 / (1 + e^−gap): that of scipy.special up to rounding, which takes longer to load than a small fit.

    >>> logistic(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    with np.errstate(over="ignore"):  # the reciprocal of infinity is the 0 that it should be
        chance: FloatArray = np.negative(gap)
        np.exp(chance, out=chance)
    chance += 1.0
    return np.divide(1.0, chance, out=chance)


def log_total(strength: FloatArray) -> FloatArray:
    """Return log Σ e^strength over the last axis, which stays; the largest ones are taken out for precision.

    >>> log_total(np.log([1.0, 2.0, 5.0])).round(12) == np.log(8).round(12)
    array([ True])
    """
    largest = strength.max(axis=-1, keepdims=True)
    at_it = strength == largest
    number = at_it.sum(axis=-1, keepdims=True)
    rest = np.sum(np.where(at_it, 0.0, np.exp(strength - largest)), axis=-1, keepdims=True)
    total: FloatArray = np.log1p(rest / number) + np.log(number) + largest
    return total
