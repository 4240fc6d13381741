"""Standard errors of strengths and of their differences, with degrees of freedom by the units of dependence."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import crossed_error

#: Deviations beyond this many standard deviations (by quartiles) come from resamples that hardly determine a system.
_WILD = 6.0
#: The distance between quartiles of a normal distribution, in standard deviations.
_QUARTILES = 1.349


@dataclass(frozen=True)
class StrengthErrors:
    """Covariances of strengths by one unit of dependence, or by two crossed ones, and their degrees of freedom.

    Two crossed units have three covariances: by the unit of which there are more, by the scarcer one, and by their
    combinations.
    """

    covariances: tuple[FloatArray, ...]
    freedom: tuple[float, ...]
    nested: tuple[bool, ...] = (False,)  # whether units belong to one system each, such as its runs

    @classmethod
    def of_one(cls, away: FloatArray, freedom: float) -> "StrengthErrors":
        """Take the deviations of strengths (systems × draws) that one unit of dependence makes."""
        return cls((covariance(away),), (freedom,))

    @classmethod
    def of_two(
        cls,
        ways: tuple[FloatArray, FloatArray],
        common: FloatArray,
        freedom: tuple[float, float],
        nested: tuple[bool, bool] = (False, False),
    ) -> "StrengthErrors":
        """Take the deviations that each of two crossed units makes, and those of their combinations."""
        first, second = (0, 1) if freedom[0] >= freedom[1] else (1, 0)
        found = covariance(ways[first]), covariance(ways[second]), covariance(common)
        return cls(found, (freedom[first], freedom[second]), (nested[first], nested[second]))

    def singles(self) -> tuple[FloatArray, FloatArray]:
        """Return the variance of every strength, and its degrees of freedom."""
        size = len(self.covariances[0])
        return self._combined([np.diag(each) for each in self.covariances], [np.full(size, f) for f in self.freedom])

    def differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the variances of differences of strengths, and their degrees of freedom."""
        freedom = [
            _of_two_samples(np.diag(each), first, second, known) if nested else np.full(len(first), known)
            for each, known, nested in zip(self.covariances, self.freedom, self.nested, strict=False)
        ]
        return self._combined([_of_difference(each, first, second) for each in self.covariances], freedom)

    @staticmethod
    def _combined(variances: list[FloatArray], freedom: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        if len(variances) == 1:
            return variances[0], freedom[0]
        many, few, common = variances
        return crossed_error(many, few, common, freedom[0], freedom[1])


def _of_two_samples(variance: FloatArray, first: IntArray, second: IntArray, freedom: float) -> FloatArray:
    """Return the degrees of freedom of a difference of two systems with units of their own (Welch)."""
    one, two = variance[first], variance[second]
    squares = one**2 + two**2
    return np.where(squares > 0, (one + two) ** 2 / np.where(squares > 0, squares, 1), 1.0) * freedom


def covariance(away: FloatArray) -> FloatArray:
    """Return the covariance of deviations from an estimate (systems × draws), those of wild resamples cut."""
    ordered = np.sort(away, axis=1)
    last = ordered.shape[1] - 1
    spread = (ordered[:, round(0.75 * last)] - ordered[:, round(0.25 * last)]) / _QUARTILES
    limit = np.where(spread > 0, _WILD * spread, np.inf)[:, None]
    cut = np.clip(away, -limit, limit)
    found: FloatArray = cut @ cut.T / away.shape[1]
    return found


def _of_difference(covariances: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    own = np.diag(covariances)
    return np.maximum(own[first] + own[second] - 2 * covariances[first, second], 0.0)
