"""The additive fit of incomplete scores: every score is the sum of an item's and a system's effect."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.datasets import RatingMatrix


@dataclass(frozen=True)
class Influences:
    """What single rows add to the means of systems, to first order.

    `parts` (rows × systems) add up to 0 and `sizes` to 1 for every system. With weights w of the rows the mean moves by
    Σ w · parts / Σ w · sizes.
    """

    mean: FloatArray
    parts: FloatArray
    sizes: FloatArray

    @classmethod
    def plain(cls, values: FloatArray) -> "Influences":
        """Take every system's mean over its own scores."""
        present = ~np.isnan(values)
        number = np.maximum(present.sum(axis=0), 1)
        mean = np.where(present, values, 0.0).sum(axis=0) / number
        return cls(mean, np.where(present, values - mean, 0.0) / number, present / number)

    @classmethod
    def rated(cls, ratings: RatingMatrix) -> "Influences":
        """Take every system's mean over its own items, each of which is a mean over judges."""
        total = np.maximum(ratings.share.sum(axis=0), 1e-300)
        mean = ratings.weighted.sum(axis=0) / total
        return cls(mean, ratings.gradients(mean), ratings.share / total)


@dataclass(frozen=True)
class AdditiveFit:
    """Least squares of scores (items × systems, NaN where missing) on items and systems.

    The mean of a system is the one expected over all items. Systems that no chain of common items links have
    different `label`s; their means are those over the items of their own label.
    """

    values: FloatArray

    @cached_property
    def present(self) -> FloatArray:
        """1 where there is a score."""
        return (~np.isnan(self.values)).astype(np.float64)

    @cached_property
    def label(self) -> IntArray:
        """The component of every system in the graph of common items."""
        _, label = scipy.sparse.csgraph.connected_components(self.present.T @ self.present, directed=False)
        return np.asarray(label, dtype=np.int64)

    @property
    def apart(self) -> BoolArray:
        """Mark the systems that are not linked with the largest component, and those without any score."""
        scored = self.present.sum(axis=0) > 0
        largest = int(np.argmax(np.bincount(self.label[scored])))
        apart: BoolArray = ~scored | (self.label != largest)
        return apart

    @cached_property
    def _number(self) -> FloatArray:
        """How many scores every item has."""
        number: FloatArray = np.maximum(self.present.sum(axis=1), 1.0)
        return number

    @cached_property
    def _linked(self) -> FloatArray:
        """1 for every item and label that the item belongs to (items × labels)."""
        linked: FloatArray = (self.present @ (self.label[:, None] == np.arange(self.label.max() + 1)) > 0).astype(float)
        return linked

    @cached_property
    def _inverse(self) -> FloatArray:
        """The generalised inverse of the normal equations of systems, after items are eliminated."""
        laplacian = np.diag(self.present.sum(axis=0)) - self.present.T @ (self.present / self._number[:, None])
        return np.asarray(np.linalg.pinv(laplacian, rcond=1e-10, hermitian=True))

    @cached_property
    def _system(self) -> FloatArray:
        filled = np.nan_to_num(self.values)
        centred = filled - self.present * (filled.sum(axis=1) / self._number)[:, None]
        effect: FloatArray = self._inverse @ centred.sum(axis=0)
        return effect

    @cached_property
    def _item(self) -> FloatArray:
        gaps = self.present * (np.nan_to_num(self.values) - self._system)
        effect: FloatArray = gaps.sum(axis=1) / self._number
        return effect

    @cached_property
    def _of_label(self) -> FloatArray:
        """The mean effect of the items of every label."""
        means: FloatArray = self._item @ self._linked / np.maximum(self._linked.sum(axis=0), 1.0)
        return means

    @cached_property
    def mean(self) -> FloatArray:
        """The mean of every system, as expected over all items; NaN for a system without any score."""
        known = self.present.sum(axis=0) > 0
        return np.where(known, self._system + self._of_label[self.label], np.nan)

    @cached_property
    def _kernel(self) -> FloatArray:
        """How residuals of systems (columns) move the means of systems (rows)."""
        same = self.label[:, None] == self.label
        items = np.maximum(self._linked.sum(axis=0), 1.0)[self.label]
        average = same * (self.present / self._number[:, None]).sum(axis=0) / items[:, None]
        kernel: FloatArray = self._inverse - average @ self._inverse
        return kernel

    @cached_property
    def _own_share(self) -> FloatArray:
        """The share of an item in the mean over the items of each system's label (items × systems)."""
        shares: FloatArray = (self._linked / np.maximum(self._linked.sum(axis=0), 1.0))[:, self.label]
        return shares

    @cached_property
    def influences(self) -> Influences:
        """What every item adds to the means, and its share of their variance."""
        residual = self.present * (np.nan_to_num(self.values) - self._system - self._item[:, None])
        between = self._item[:, None] - self._of_label[self.label]
        return Influences(self.mean, residual @ self._kernel.T + between * self._own_share, self._variance_shares)

    @cached_property
    def _variance_shares(self) -> FloatArray:
        """The share of every item in the variance of the means, if items and residuals are independent draws."""
        inner = self.present @ self._kernel.T
        noise = self.present @ (self._kernel**2).T - inner**2 / self._number[:, None]
        noise = np.maximum(noise, 0.0) + self._own_share**2 / self._number[:, None]
        residual = self.present * (np.nan_to_num(self.values) - self._system - self._item[:, None])
        scored = self.present.sum(axis=1) > 0
        labels = len(np.unique(self.label[self.present.sum(axis=0) > 0]))
        freedom = self.present.sum() - scored.sum() - np.sum(self.present.sum(axis=0) > 0) + labels
        within = float(np.sum(residual**2)) / max(float(freedom), 1.0)
        spread = float(np.var(self._item[scored])) if np.any(scored) else 0.0
        items = max(spread - within * float(np.mean(1 / self._number[scored])), 0.0)
        variance = within * noise + items * self._own_share**2
        variance = np.where(variance.sum(axis=0) > 0, variance, self._own_share)
        shares: FloatArray = variance / np.maximum(variance.sum(axis=0), 1e-300)
        return shares

    def of_ratings(self, ratings: RatingMatrix) -> Influences:
        """Return what ratings add, where the scores are the items' means over judges."""
        item = ratings.units.factors[0]
        expected = self._system + self._item[item, None]
        residual = ratings.weighted - ratings.share * expected
        number = self._number[item, None]
        centre = (self.present @ self._kernel.T / self._number[:, None])[item]
        moved = residual @ self._kernel.T - (centre - self._own_share[item] / number) * residual.sum(axis=1)[:, None]
        share = ratings.share.sum(axis=1)[:, None] / number
        between = (self._item[item, None] - self._of_label[self.label]) * self._own_share[item]
        return Influences(self.mean, moved + share * between, share * self._variance_shares[item])
