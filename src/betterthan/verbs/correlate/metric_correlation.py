"""Correlation of two metrics, over a whole test set and item by item."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy

#: What is computed of systems' mean scores, and of their scores on every item.
OF_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy")
OF_ITEMS = ("item-kendall", "item-accuracy")
MEASURES = (*OF_SYSTEMS, *OF_ITEMS)
#: Thresholds that are tried on resamples.
_THRESHOLDS = 1000


@dataclass(frozen=True)
class TwoMetrics:
    """Scores by two metrics (items × systems), more is better, NaN where either is missing."""

    one: FloatArray
    other: FloatArray

    @classmethod
    def of(cls, one: FloatArray, other: FloatArray) -> "TwoMetrics":
        """Keep the cells that both metrics have."""
        both = ~np.isnan(one) & ~np.isnan(other)
        return cls(np.where(both, one, np.nan), np.where(both, other, np.nan))

    @property
    def there(self) -> BoolArray:
        """Which systems have scores on which items."""
        return ~np.isnan(self.one)

    def of_systems(self, weights: FloatArray) -> FloatArray:
        """Return the measures of systems' means (measures × resamples), items counted as weights say."""
        return np.stack([of_means(name, *self.means(weights)) for name in OF_SYSTEMS])

    def means(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return systems' mean scores by both metrics (systems × resamples), items counted as weights say."""
        there = self.there.astype(float).T @ weights
        with np.errstate(invalid="ignore", divide="ignore"):
            one, other = (np.nan_to_num(values).T @ weights / there for values in (self.one, self.other))
        return one, other


def of_means(measure: str, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return a measure of systems' scores by two metrics, one for every column."""
    found: FloatArray = _OF_MEANS[measure](one, other)
    return found


@dataclass(frozen=True)
class ItemPairs:
    """Pairs of systems on every item.

    A pair is right where both metrics order it alike, or both tie it. Differences of the first metric up to a
    threshold are ties; it is chosen so that most pairs are right (tie calibration, Deutsch et al. 2023). `curve` is the
    share of right pairs on every item by each of the `thresholds`, `kendall` is τ-b on every item; both are NaN where
    an item has none.
    """

    thresholds: FloatArray
    curve: FloatArray
    kendall: FloatArray

    @classmethod
    def of(cls, two: TwoMetrics) -> "ItemPairs":
        """Compare all pairs on every item."""
        item, gap, wanted = _pairs(two)
        items = len(two.one)
        number = np.bincount(item, minlength=items)
        share = 1 / number[item]
        right, tied = (np.sign(gap) == np.sign(wanted)) & (gap != 0), wanted == 0
        distance, gained = np.abs(gap), share * (tied.astype(float) - right)
        thresholds = _thresholds(distance, gained)
        place = item * len(thresholds) + np.searchsorted(thresholds, distance)
        steps = np.bincount(place, gained, items * len(thresholds)).reshape(items, -1)
        curve: FloatArray = np.bincount(item, share * right, items)[:, None] + np.cumsum(steps, axis=1, dtype=float)
        curve[number == 0] = np.nan
        return cls(thresholds, curve, _item_kendall(item, np.sign(gap), np.sign(wanted), items))

    def measures(self, weights: FloatArray) -> FloatArray:
        """Return the measures of items (measures × resamples), items counted as weights say."""
        known, there = ~np.isnan(self.kendall), ~np.isnan(self.curve[:, 0])
        with np.errstate(invalid="ignore", divide="ignore"):
            kendall = self.kendall[known] @ weights[known] / weights[known].sum(axis=0)
            accuracy = (self.curve[there].T @ weights[there]).max(axis=0) / weights[there].sum(axis=0)
        return np.stack([kendall, accuracy])

    @property
    def threshold(self) -> float:
        """The largest difference of the first metric that counts as a tie."""
        return float(self.thresholds[np.argmax(np.nansum(self.curve, axis=0))])


def of_items(measure: str, two: TwoMetrics) -> float:
    """Return one agreement measure of items, faster than all of them."""
    item, gap, wanted = _pairs(two)
    items = len(two.one)
    if measure == "item-kendall":
        return float(np.nanmean(_item_kendall(item, np.sign(gap), np.sign(wanted), items)))
    number = np.bincount(item, minlength=items)
    right, tied = (np.sign(gap) == np.sign(wanted)) & (gap != 0), wanted == 0
    share = 1 / number[item]
    distance, gained = np.abs(gap), share * (tied.astype(float) - right)
    best = float(np.max(_gains(distance, gained)[1]))
    if np.all(distance > 0):  # no pair need be tied
        best = max(best, 0.0)
    return (float(np.sum(share * right)) + best) / int(np.sum(number > 0))


def _pairs(two: TwoMetrics) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the item of every pair of systems, and how far both metrics put it apart."""
    first, second = np.triu_indices(two.one.shape[1], 1)
    gap, wanted = (values[:, first] - values[:, second] for values in (two.one, two.other))
    item, pair = np.nonzero(~np.isnan(gap))
    return item, gap[item, pair], wanted[item, pair]


def _gains(distance: FloatArray, gained: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return every distance, and the gain if all pairs up to it are tied."""
    order = np.argsort(distance, kind="stable")
    last = np.append(np.diff(distance[order]) > 0, True)
    return distance[order][last], np.cumsum(gained[order])[last]


def _thresholds(distance: FloatArray, gained: FloatArray) -> FloatArray:
    """Return 0 and all distances, or that many of them that resamples can be calibrated too, with the best one."""
    every, gains = _gains(distance, gained)
    if len(every) > _THRESHOLDS:
        chosen = np.linspace(0, len(every) - 1, _THRESHOLDS).astype(np.int64)
        every = every[np.union1d(chosen, [np.argmax(gains)])]
    return np.union1d([0.0], every)


def _item_kendall(item: IntArray, one: FloatArray, other: FloatArray, items: int) -> FloatArray:
    """Return Kendall's τ-b of the systems on every item."""
    agree, first, second = (np.bincount(item, values, items) for values in (one * other, one != 0, other != 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((first > 0) & (second > 0), agree / np.sqrt(first * second), np.nan)


def _pearson(one: FloatArray, other: FloatArray) -> FloatArray:
    one, other = (values - values.mean(axis=0) for values in (one, other))
    with np.errstate(invalid="ignore", divide="ignore"):
        found: FloatArray = (one * other).sum(axis=0) / np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return found


def _spearman(one: FloatArray, other: FloatArray) -> FloatArray:
    return _pearson(*(scipy.stats.rankdata(np.round(values, 12), axis=0) for values in (one, other)))


def _signs(values: FloatArray) -> FloatArray:
    """Return the signs of every pair (pairs × resamples); differences by rounding only are ties."""
    first, second = np.triu_indices(len(values), 1)
    gap = values[first] - values[second]
    near = 1e-12 * np.maximum(np.abs(values[first]), np.abs(values[second]))
    return np.where(np.abs(gap) <= near, 0.0, np.sign(gap))


def _kendall(one: FloatArray, other: FloatArray) -> FloatArray:
    first, second = _signs(one), _signs(other)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: FloatArray = (first * second).sum(axis=0) / np.sqrt((first != 0).sum(axis=0) * (second != 0).sum(axis=0))
    return found


def _accuracy(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the share of pairs of systems that both put in the same order, or both tie (Kocmi et al. 2021)."""
    found: FloatArray = np.mean(_signs(one) == _signs(other), axis=0)
    return found


_OF_MEANS = {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall, "accuracy": _accuracy}
