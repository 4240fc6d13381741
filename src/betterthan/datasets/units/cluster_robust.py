"""Cluster-robust covariances of maximum likelihood estimates, with small-sample corrections.

Judgments of one cluster (an item, a judge, a ranking) may depend on each other; clusters are independent. The sandwich
estimator puts the outer product of the clusters' gradients between two inverse information matrices. With few clusters
it is too small, and its error is not normal. So gradients are bias-reduced (CR2, Bell and McCaffrey 2002), and the
degrees of freedom of t follow from the same working model (Satterthwaite's approximation). Both are exact for linear
models whose errors are independent and normal. They need no rows: a cluster's gradient and its information are enough.
For very many small clusters the plain correction G/(G−1) is used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets.units.crossed_variance import crossed_covariance

#: Numbers that the correction of single clusters may need.
_NUMBERS = 20_000_000
#: Work (clusters · parameters³) that it is worth: few clusters need it, many only where some are large.
_FEW, _WORK_FEW, _WORK_MANY = 200, 2e9, 5e7
#: Of many clusters, those with more than this share of all are large.
_LARGE = 1e-3
#: Directions that a cluster alone decides leave nothing of its gradient; shares within this of 1 are such.
_ALONE = 1e-8
#: Share of a variance that clusters must show: less is no estimate of it.
_SEEN = 0.9


def small_sample_correction(sizes: FloatArray, parameters: int) -> IntArray:
    """Return which clusters are to be corrected by their information: all, or the largest of very many.

    `sizes` are the weights of the clusters. The influence of a small one of many is negligible. That of a judge who
    gave a tenth of all judgments is not.
    """
    clusters = len(sizes)
    work = _WORK_FEW if clusters <= _FEW else _WORK_MANY
    most = min(work / max(parameters, 1) ** 3, _NUMBERS / max(parameters, 1) ** 2)
    if clusters <= most:
        return np.arange(clusters)
    largest = np.argsort(-sizes, kind="stable")[: min(_FEW, int(most))]
    return np.sort(largest[sizes[largest] > _LARGE * sizes.sum()])


@dataclass(frozen=True)
class Clusters:
    """Clusters at the estimate: their gradients, and their information where the correction needs it.

    `scores` are clusters × parameters, dense or sparse. `information` is that of the clusters `which` (see
    `corrected`), by default of all. `times` is the count of each cluster: identical ones are given once.
    """

    scores: Any
    information: FloatArray  # clusters × parameters × parameters
    which: IntArray | None = None
    times: FloatArray | None = None


@dataclass(frozen=True)
class Robust:
    """The covariance of estimates with one-way or two-way clustered observations.

    `bread` is the inverse information of all clusters together. With two ways (items and judges) the third of `ways`
    are their crossings. Covariances follow by inclusion and exclusion (Cameron, Gelbach and Miller 2011); each way adds
    to that of the crossings and never reduces it.

    >>> scores = np.array([[1.0], [-2.0], [1.5], [-0.5]])
    >>> error, freedom = Robust(np.eye(1) / 4, (Clusters(scores, np.ones((4, 1, 1))),)).error(np.eye(1))
    >>> error.round(4), freedom.round(4)
    (array([0.7906]), array([3.]))
    """

    bread: FloatArray
    ways: tuple[Clusters, ...]

    @classmethod
    def crossed(
        cls,
        bread: FloatArray,
        factors: Sequence[tuple[IntArray, int]],
        way: Callable[[IntArray, int], Clusters],
    ) -> "Robust":
        """Make it from the levels of one or two factors (codes, and how many there are) and what makes clusters."""
        every = list(factors)
        if len(every) == 2:
            (one, _), (two, levels) = every
            found, both = np.unique(one * levels + two, return_inverse=True)
            every.append((both.ravel(), len(found)))
        return cls(bread, tuple(way(codes, levels) for codes, levels in every))

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of the estimates."""
        first, *others = (way.covariance for way in self._ways)
        return self._back(crossed_covariance(first, *others) if others else first)

    def error(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return standard errors and degrees of freedom of contrasts (contrasts × parameters).

        Both are NaN for what clusters cannot contradict, because single ones decide it alone.
        """
        contrasts = np.asarray(contrasts, dtype=np.float64)
        variance = _squares(contrasts, self.covariance)
        inner = contrasts @ self._root
        freedom = self._ways[0].freedom(inner)
        if len(self.ways) > 1:
            one, two = (_squares(inner, way.covariance) for way in self._ways[:2])
            other = self._ways[1].freedom(inner)
            with np.errstate(invalid="ignore", divide="ignore"):
                freedom = variance**2 / (one**2 / freedom + two**2 / other)
        return np.where(np.isnan(freedom), np.nan, np.sqrt(np.maximum(variance, 0.0))), freedom

    @cached_property
    def _root(self) -> FloatArray:
        """R with R R' = bread: in coordinates of R the bread is 1, and parameters of any unit are comparable."""
        variance = np.diag(self.bread)
        known = np.flatnonzero((variance > 1e-200) & (variance < 1e200))  # others come from a fit without a maximum
        unit = np.sqrt(variance[known])
        value, vector = np.linalg.eigh(self.bread[np.ix_(known, known)] / unit / unit[:, None])
        root = np.zeros((len(variance), len(known)))
        root[known] = unit[:, None] * vector * np.sqrt(np.maximum(value, 0.0))
        return root

    def _back(self, matrix: FloatArray) -> FloatArray:
        covariance: FloatArray = self._root @ matrix @ self._root.T
        return (covariance + covariance.T) / 2

    @cached_property
    def _ways(self) -> "tuple[_Way, ...]":
        return tuple(_Way.of(clusters, self._root) for clusters in self.ways)


@dataclass(frozen=True)
class _Way:
    """One way of clustering, in coordinates in which the bread is the identity.

    There the information of a cluster, U λ U', is also its share of the fit: the gradient, corrected for it, is
    U (1 − λ)^(−½) U' times the observed one.
    """

    covariance: FloatArray
    share: FloatArray  # λ: clusters × directions
    direction: FloatArray  # U: clusters × parameters × directions
    times: FloatArray
    others: float  # how many clusters there are that are too small to be corrected

    @classmethod
    def of(cls, clusters: Clusters, root: FloatArray) -> "_Way":
        """Turn the coordinates, and correct the gradients of the clusters that have their information with them."""
        scores, number = clusters.scores, clusters.scores.shape[0]
        times = np.ones(number) if clusters.times is None else clusters.times
        which = np.arange(number) if clusters.which is None else clusters.which
        value, direction = np.linalg.eigh(root.T @ clusters.information @ root)
        share = np.clip(value, 0.0, 1.0)
        turned = np.einsum("gpr,gp->gr", direction, _dense(scores[which]) @ root)
        fixed = np.einsum("gpr,gr->gp", direction, turned * _widened(share))
        covariance = (fixed * times[which, None]).T @ fixed
        others = float(times.sum() - times[which].sum())
        if others > 0:
            small = times.copy()
            small[which] = 0.0
            squares = _dense(scores.T @ scipy.sparse.diags_array(small) @ scores)  # they may be too many to be dense
            covariance = covariance + root.T @ squares @ root * times.sum() / max(times.sum() - 1.0, 1.0)
        return cls(covariance, share, direction, times[which], others)

    def freedom(self, contrasts: FloatArray) -> FloatArray:
        """Return the degrees of freedom of contrasts, NaN where single clusters decide too much of them alone."""
        wide, times, whole = _widened(self.share), self.times, np.sum(contrasts**2, axis=1)
        # What clusters add to the variance has the covariance diag(own) − V V' under the working model.
        turned = np.einsum("gpr,kp->kgr", self.direction, contrasts, optimize=True)
        own = np.einsum("kgr,gr->kg", turned**2, self.share * wide**2)
        seen = np.einsum("gpr,kgr->kgp", self.direction, turned * (self.share * wide), optimize=True)
        crossed = np.einsum("g,kgp,kgq->kpq", times, seen, seen, optimize=True)
        shared = np.sum(seen**2, axis=2)
        trace = (own - shared) @ times
        squares = (own**2 - 2 * own * shared) @ times + np.sum(crossed**2, axis=(1, 2))
        if self.others > 0:  # each has its share of the remainder after the corrected ones
            rest = np.maximum(whole - np.einsum("kgr,gr->kg", turned**2, self.share) @ times, 0.0)
            trace, squares = trace + rest, squares + rest**2 / max(self.others - 1.0, 1.0)
        # Unbiased unless clusters decide something alone: the variance of that is lost.
        return np.where(trace > _SEEN * whole, trace**2 / np.maximum(squares, 1e-300), np.nan)


def _dense(matrix: Any) -> FloatArray:
    return np.asarray(matrix.todense() if hasattr(matrix, "todense") else matrix)


def _widened(share: FloatArray) -> FloatArray:
    """Return (1 − λ)^(−½), and nothing in directions that a cluster decides alone."""
    left = 1.0 - share
    return np.where(left > _ALONE, 1.0 / np.sqrt(np.maximum(left, _ALONE)), 0.0)


def _squares(contrasts: FloatArray, matrix: FloatArray) -> FloatArray:
    squares: FloatArray = np.einsum("kp,pq,kq->k", contrasts, matrix, contrasts, optimize=True)
    return squares
