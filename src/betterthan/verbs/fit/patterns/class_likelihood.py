"""The likelihood of latent classes: every judge belongs to one class with its own strengths.

A judge's patterns are independent given the class, and the class is not known: chances are summed over classes. EM
climbs from random starts, and Newton's method with the observed information (Louis 1982) finds the last digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.models import solver
from betterthan.verbs.fit.patterns.pattern_likelihood import Likelihood

_EM_STEPS = 100
#: EM hands over to Newton where a step gains less than this.
_EM_GAIN = 1e-2
#: Starts agree where their log-likelihoods are as close as this.
AGREE = 1e-5


@dataclass(frozen=True)
class Mixture:
    """A likelihood for each class over the same parameters, and the judge of every pattern."""

    classes: Sequence[Likelihood]
    row: IntArray  # the cell of every pattern
    weight: FloatArray  # of every pattern
    unit: IntArray  # the judge of every pattern
    units: int

    @property
    def size(self) -> int:
        """How many parameters patterns have; the logits of classes but the last follow."""
        return self.classes[0].size

    def logs(self, point: FloatArray) -> FloatArray:
        """Return the log-likelihood of every judge in every class, with the log of its share (judges × classes)."""
        shares = scipy.special.log_softmax(np.append(point[self.size :], 0.0))
        found = [self._by_unit(one.log_chances(point[: self.size])[self.row]) for one in self.classes]
        logs: FloatArray = np.stack(found, axis=1) + shares
        return logs

    def posterior(self, point: FloatArray) -> FloatArray:
        """Return the chances of every judge to belong to each class."""
        return np.asarray(scipy.special.softmax(self.logs(point), axis=1))

    def climb(self, chances: FloatArray) -> solver.Maximum:
        """Climb from the chances of judges to belong to classes: EM, then Newton's method."""
        point, before = np.zeros(self.size + len(self.classes) - 1), -np.inf
        for _ in range(_EM_STEPS):
            point = self._maximised(point, chances)
            logs = self.logs(point)
            value = float(scipy.special.logsumexp(logs, axis=1).sum())
            if value - before < _EM_GAIN:
                break
            before, chances = value, np.asarray(scipy.special.softmax(logs, axis=1))
        return self.refine(point)

    def refine(self, start: FloatArray) -> solver.Maximum:
        """Find the maximum near a point."""
        # Without a bound, a step may leave for another maximum.
        return solver.newton(
            self.at, start, rounding=1e-14 * float(self.weight.sum()), reach=lambda step: 4 * _largest(step)
        )

    def _maximised(self, point: FloatArray, chances: FloatArray) -> FloatArray:
        """Maximise the likelihood of judges who belong to classes with these chances."""
        share = np.maximum(chances.mean(axis=0), 1e-12)
        cells = [self._by_cell(chances[:, place]) for place in range(len(self.classes))]

        def at(theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            parts = [one.at(theta, cell) for one, cell in zip(self.classes, cells, strict=True)]
            value, gradient, information = parts[0]
            for more in parts[1:]:
                value, gradient, information = value + more[0], gradient + more[1], information + more[2]
            return value, gradient, information

        # As near to the maximum as a step of EM gains: it moves with the next step.
        found = solver.newton(at, point[: self.size], rounding=_EM_GAIN / 10, reach=_largest)
        return np.append(found.point, np.log(share[:-1] / share[-1]))

    def at(self, point: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and observed information; where that is indefinite, that of known classes."""
        value, gradient, known, lost = self.moments(point)
        information = known - lost
        try:
            np.linalg.cholesky(information)
        except np.linalg.LinAlgError:
            return value, gradient, known
        return value, gradient, information

    def moments(self, point: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """Return log-likelihood, gradient, the information if classes were known, and what not knowing them loses."""
        theta, more = point[: self.size], len(self.classes) - 1
        logs = self.logs(point)
        total = scipy.special.logsumexp(logs, axis=1)
        chances = np.exp(logs - total[:, None])
        share = scipy.special.softmax(np.append(point[self.size :], 0.0))
        known, lost = np.zeros((2, len(point), len(point)))
        scores = np.zeros((len(self.classes), self.units, len(point)))
        for place, one in enumerate(self.classes):
            _, _, whole, missing = one.moments(theta, self._by_cell(chances[:, place]))
            known[: self.size, : self.size] += whole
            lost[: self.size, : self.size] += missing
            np.add.at(scores[place], self.unit, self._padded(self.weight[:, None] * one.scores(theta)[self.row], more))
            scores[place, :, self.size :] = (np.arange(more) == place) - share[:-1]
        mean = np.einsum("uk,kup->up", chances, scores)
        known[self.size :, self.size :] += self.units * (np.diag(share[:-1]) - np.outer(share[:-1], share[:-1]))
        for place in range(len(self.classes)):
            apart = scores[place] - mean
            lost += apart.T @ (chances[:, [place]] * apart)
        return float(total.sum()), mean.sum(axis=0), known, lost

    def _by_unit(self, values: FloatArray) -> FloatArray:
        return np.bincount(self.unit, self.weight * values, self.units).astype(np.float64)

    def _by_cell(self, chances: FloatArray) -> FloatArray:
        return np.bincount(self.row, self.weight * chances[self.unit], len(self.classes[0].cells)).astype(np.float64)

    @staticmethod
    def _padded(rows: FloatArray, more: int) -> FloatArray:
        return np.pad(rows, ((0, 0), (0, more)))


def _largest(step: FloatArray) -> float:
    return float(np.abs(step).max(initial=0.0))
