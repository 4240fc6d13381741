"""Win shares of every pair, with standard errors for dependent or weighted judgments.

The error of a share is that of a mean over clusters. It is CR2 with the degrees of freedom of Bell & McCaffrey (2002).
Two crossed units are combined by inclusion and exclusion (Cameron, Gelbach & Miller 2011), and a share must also
stand out against each unit alone (`EstimateErrors.crossed`).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.datasets import GroupedUnits, PairCounts, RowUnits, ScoredUnits, one_by_one
from betterthan.inference.intervals.estimate_errors import EstimateErrors
from betterthan.inference.intervals.share_intervals import wilson

#: Shares of units with fewer judgments than this take so few values that no normal distribution is near.
_LUMPY = 4
#: A smaller standard error of a share is rounding.
_NOTHING = 1e-9


@dataclass(frozen=True)
class PairShares:
    """Per pair: the first system's share, its errors, and the number of units.

    The latter is a number of units, how many of them the first system won, and the mean number of judgments, `each`.
    `alike` marks pairs in which every unit is unanimous with the same weight, so that units can be counted.
    """

    share: FloatArray
    errors: EstimateErrors
    units: FloatArray
    won_units: FloatArray
    each: FloatArray
    alike: BoolArray
    flipped: FloatArray | None = None  # the error of one half, where single judgments are the units

    def one(self, pair: int, *, turned: bool) -> "Share":
        """Return one pair's share, of the second system where the pair is reversed."""
        share = float(self.share[pair])
        return Share(
            1 - share if turned else share,
            self.errors.take(np.array([pair])),
            float(self.units[pair]),
            float(self.sign_p()[pair]),
            bool(self.alike[pair]),
            None if self.flipped is None else float(self.flipped[pair]),
        )

    def intervals(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return Wilson's interval of every share, by the effective number."""
        return wilson(self.share, _effective(self.share, self.errors, self.units, level), level)

    def p(self, against: FloatArray | float = 0.5) -> FloatArray:
        """Test every share against a number (two-sided); p is 1 − level where Wilson's interval ends at the number."""
        gap = np.abs(self.share - against)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = self.errors.p(gap * np.sqrt(self.share * (1 - self.share) / (against * (1 - against))))
        # Units of a few judgments each take few values, and those that all agree leave no error to go by: they agree by
        # chance no more rarely than coins do.
        lumpy = (np.sqrt(self.errors.variances[0]) < _NOTHING) | (self.each < _LUMPY)
        least = np.where(lumpy, 2.0 ** (1 - np.minimum(self.units, 1000)), 0.0)
        return np.where(gap < 1e-12, 1.0, np.fmin(np.fmax(np.nan_to_num(p, nan=0.0), least), 1.0))

    def sign_p(self) -> FloatArray:
        """Test every share against one half: exactly where units can be counted, by its error where they cannot."""
        fewer = np.minimum(self.won_units, self.units - self.won_units)
        exact = np.minimum(2 * scipy.special.betainc(np.maximum(self.units, 1) - fewer, fewer + 1, 0.5), 1.0)
        return np.where(self.units == 0, 1.0, np.where(self.alike, exact, self._flips()))

    def _flips(self) -> FloatArray:
        """Test every share against one half by turning single judgments round; by its error where units are larger.

        With few judgments of unequal weights the error is estimated badly. Under random sign flips they vary by their
        weights alone, and such a sum has lighter tails than the normal distribution.
        """
        if self.flipped is None:
            return self.p()
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * scipy.special.ndtr(-np.abs(self.share - 0.5) / self.flipped)
        flips: FloatArray = np.fmax(np.nan_to_num(p, nan=1.0), 2.0 ** (1 - np.minimum(self.units, 1000)))
        return flips


@dataclass(frozen=True)
class Share:
    """The share of one pair, its errors, and the test against one half."""

    value: float
    errors: EstimateErrors
    units: float
    p: float
    exact: bool
    flipped: float | None  # the error that the test goes by where single judgments are the units

    def deciding(self) -> tuple[float, float]:
        """Return the standard error that leaves the largest p-value against one half, and its degrees of freedom."""
        spread = 2 * float(np.sqrt(self.value * (1 - self.value)))
        p = float(self.errors.p(np.array([(self.value - 0.5) * spread]))[0])
        variance, freedom = self.errors.widest(1 - min(p, 0.999))
        return float(np.sqrt(variance[0])) / max(spread, _NOTHING), float(freedom[0])

    def effective(self, level: float) -> float:
        """Return the effective number of judgments for the share."""
        return float(_effective(np.array([self.value]), self.errors, np.array([self.units]), level)[0])

    def interval(self, level: float) -> tuple[float, float]:
        """Return Wilson's interval of the effective number."""
        low, high = wilson(self.value, self.effective(level), level)
        return float(low), float(high)


def _effective(share: FloatArray, errors: EstimateErrors, units: FloatArray, level: float) -> FloatArray:
    """Return the effective number of judgments for shares; few units count less (Korn, Graubard)."""
    reach = errors.reach(level) / scipy.special.ndtri((1 + level) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        number = np.maximum(share * (1 - share) / reach**2, 1.0)
    return np.where(np.sqrt(errors.variances[0]) < _NOTHING, np.maximum(units, 1.0), number)


def shares(counts: PairCounts, ties: str = "drop") -> PairShares:
    """Return the shares of all pairs that met: of decided judgments, or with ties as `half` a win for each side."""
    return counts.made(("shares", ties), lambda: _shares(counts, ties))


def _shares(counts: PairCounts, ties: str) -> PairShares:
    units, pairs = one_by_one(counts.units), len(counts.first)
    if isinstance(units, ScoredUnits):  # every item is one judgment of each pair
        units = RowUnits.of(np.arange(3 * pairs), np.ones(3 * pairs), counts.outcomes.ravel(), (3, pairs))
    if isinstance(units, RowUnits):
        rows = _Entries.of_rows(units, ties)
        return replace(_summed([rows], None), flipped=rows.flipped())
    assert isinstance(units, GroupedUnits)
    if units.crossed is None:
        return _summed([_Entries.of_groups(units.counts, pairs, ties)], None)
    one, two, both = (_Entries.of_groups(part.counts, pairs, ties) for part in units.crossed)
    return _summed([one, two], both)


@dataclass(frozen=True)
class _Entries:
    """Units by pair: the weight of their judgments, and of those that the first system won."""

    pair: IntArray
    weight: FloatArray
    won: FloatArray
    times: FloatArray
    pairs: int

    @classmethod
    def of_rows(cls, units: RowUnits, ties: str) -> "_Entries":
        """Take every judgment as a unit."""
        pairs = units.shape[1]
        side, pair = np.divmod(units.cell, pairs)
        kept = side != 1 if ties == "drop" else np.ones(len(side), dtype=bool)
        points, weight = np.array([1.0, 0.5, 0.0])[side[kept]], units.weight[kept]
        return cls(pair[kept], weight, points * weight, units.times[kept], pairs)

    @classmethod
    def of_groups(cls, counts: Any, pairs: int, ties: str) -> "_Entries":
        """Take groups × cells."""
        won, tied, lost = (counts[:, side * pairs : (side + 1) * pairs] for side in range(3))
        # Weights as real parts and points as imaginary ones: both are then added up, and found, at the same places.
        both = (1 + 1j) * won + lost if ties == "drop" else (1 + 1j) * won + (1 + 0.5j) * tied + lost
        if isinstance(both, np.ndarray):
            unit, pair = np.nonzero(both)
            found = both[unit, pair]
        else:
            both = both.tocoo()
            pair, found = both.coords[1], both.data
        return cls(pair, found.real, found.imag, np.ones(len(pair)), pairs)

    def add(self, values: FloatArray) -> FloatArray:
        """Add up what units say, pair by pair."""
        return np.bincount(self.pair, self.times * values, self.pairs).astype(float)

    def variance(self, share: FloatArray, total: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the variance of the shares and its degrees of freedom."""
        part = self.weight / total[self.pair]
        left = np.maximum(1.0 - part, 1e-12)
        gap = self.won / total[self.pair] - share[self.pair] * part
        # Of unit g with the part w of all weight: dg = w/(1 − w), vg² = w²/(1 − w), both without the common factor.
        own, cross = part / left, part**2 / left
        summed = self.add(cross)
        trace2 = self.add(own**2) - 2 * self.add(own * cross) + summed**2
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = np.where(trace2 > 0, 1.0 / trace2, 1.0)
        return self.add(gap**2 / left), np.maximum(freedom, 1.0)

    def flipped(self) -> FloatArray:
        """Return the standard error that shares have where each unit is as likely to say the contrary."""
        total = np.maximum(self.add(self.weight), 1e-300)
        error: FloatArray = np.sqrt(self.add((self.won - self.weight / 2) ** 2)) / total
        return error

    def alike(self) -> BoolArray:
        """Mark the pairs in which every unit is unanimous with the same weight."""
        most, least = np.zeros(self.pairs), np.full(self.pairs, np.inf)
        np.maximum.at(most, self.pair, self.weight)
        np.minimum.at(least, self.pair, self.weight)
        mixed = self.add(((self.won > 0) & (self.won < self.weight)).astype(float)) > 0
        alike: BoolArray = (most - least <= 1e-12 * most) & ~mixed
        return alike


def _summed(factors: list[_Entries], both: _Entries | None) -> PairShares:
    first = factors[0]
    total, won = first.add(first.weight), first.add(first.won)
    whole = np.where(total > 0, total, 1.0)
    share = np.where(total > 0, won / whole, 0.5)
    found = [factor.variance(share, whole) for factor in factors]
    number = [factor.add(np.ones(len(factor.pair))) for factor in factors]
    errors = EstimateErrors((found[0][0],), (found[0][1],))
    if both is not None:
        (one, freedom_one), (two, freedom_two) = found
        errors = EstimateErrors.crossed(one, two, both.variance(share, whole)[0], freedom_one, freedom_two)
    fewest = np.argmin(number, axis=0)
    won_units = np.stack([factor.add((factor.won > 0).astype(float)) for factor in factors])
    alike = np.all([factor.alike() for factor in factors], axis=0)
    pick = (fewest, np.arange(first.pairs))
    units, smallest = np.stack(number)[pick], np.full(first.pairs, np.inf)
    np.minimum.at(smallest, (both or first).pair, (both or first).weight)
    each = total / np.maximum(units, 1) / smallest
    return PairShares(share, errors, units, won_units[pick], each, alike)
