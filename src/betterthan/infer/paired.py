"""Tests of paired differences: is one system better than the other on the same instances?

Every test answers for units: single instances, or groups of instances that hang together (documents, prompts), whose
sums are then what is tested.
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from scipy import stats

from betterthan.arrays import BoolArray, FloatArray, IntArray

#: Up to this many units that differ, all assignments of signs are tried; beyond, as many random ones.
_EXACT, _FLIPS = 20, 9_999


@dataclass(frozen=True)
class Test:
    """One test's answer; without a statistic where there is nothing to compute it from."""

    name: str
    statistic: float | None
    p: float
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Differences:
    """Scores of two systems on the same instances, and the group of each instance (alone in it if there are none)."""

    a: FloatArray
    b: FloatArray
    group: IntArray
    tolerance: float = 0.0

    @property
    def values(self) -> FloatArray:
        """How much better the first system is on every instance; differences within the tolerance are 0."""
        gap = self.a - self.b
        return np.where(np.abs(gap) <= self.tolerance, 0.0, gap)

    @property
    def grouped(self) -> bool:
        """Do some instances share a group?"""
        return len(np.unique(self.group)) < len(self.group)

    def per_group(self, values: FloatArray) -> FloatArray:
        """Add up something of the instances by group."""
        return np.bincount(np.unique(self.group, return_inverse=True)[1], weights=values).astype(np.float64)

    @property
    def binary(self) -> bool:
        """Are there two different scores only, right and wrong?"""
        return len(np.unique(np.concatenate([self.a, self.b]))) <= 2


def t_test(differences: Differences) -> Test:
    """Student's paired t-test; by group with the cluster-robust error and groups less one degrees of freedom."""
    values = differences.values
    if not np.any(values):
        return Test("t", None, 1.0, "no difference on any instance")
    error, freedom = standard_error(differences)
    note = f"{'by group, ' if differences.grouped else ''}{freedom} degrees of freedom"
    if freedom < 1:
        return Test("t", None, 1.0, "needs two units or more")
    if error == 0.0:
        return Test("t", None, 0.0, f"the same difference everywhere, {note}")
    statistic = float(values.mean()) / error
    return Test("t", statistic, 2 * float(stats.t.sf(abs(statistic), freedom)), note)


def standard_error(differences: Differences) -> tuple[float, int]:
    """Return the standard error of the mean difference, robust where instances come in groups, and its freedom."""
    values = differences.values
    sums, sizes = differences.per_group(values), differences.per_group(np.ones(len(values)))
    if len(sums) < 2:
        return 0.0, 0
    return float(np.nan_to_num(_error(sums[None], sizes[None])[0])), len(sums) - 1


def sign_test(wins: float, ties: float, losses: float, *, split: bool = False) -> Test:
    """Exact sign test: ties are left out, or split evenly (an odd one is left out)."""
    if split:
        half = ties // 2
        wins, losses = wins + half, losses + half
    number = round(wins + losses)
    how = f"{ties:g} ties {'split' if split else 'left out'}" if ties else "no ties"
    if number == 0:
        return Test("sign", None, 1.0, how)
    return Test("sign", float(wins), float(stats.binomtest(round(wins), number).pvalue), how)


def sign_test_by_group(differences: Differences, rng: np.random.Generator) -> Test:
    """Sign test of groups: wins less losses of every group, its sign as likely one as the other."""
    sums = differences.per_group(np.sign(differences.values))
    p, how = flip(sums, rng)
    return Test("sign", float(sums.sum()), p, f"by group: {how}")


def wilcoxon(
    differences: Differences, rng: np.random.Generator, *, zeros: Literal["wilcox", "pratt"] = "wilcox"
) -> Test:
    """Wilcoxon's signed-rank test; `zeros` are left out (wilcox) or ranked first (pratt)."""
    values = differences.values
    name = "wilcoxon" if zeros == "wilcox" else "wilcoxon-pratt"
    if not np.any(values):
        return Test(name, None, 1.0, "no difference on any instance")
    kept = values if zeros == "pratt" else values[values != 0]
    signed = np.sign(kept) * stats.rankdata(np.abs(kept))
    if differences.grouped:
        every = np.zeros(len(values))
        every[values != 0 if zeros == "wilcox" else slice(None)] = signed
        p, how = flip(differences.per_group(every), rng)
        return Test(name, float(signed[signed > 0].sum()), p, f"by group: {how}")
    number = int(np.sum(signed != 0))
    statistic = float(signed[signed > 0].sum())
    if number <= _EXACT:
        return Test(name, statistic, flip(signed, rng)[0], f"exact, {number} differences")
    found: Any = stats.wilcoxon(values, zero_method=zeros, correction=True, method="auto")
    how = "exact" if number <= 50 and len(np.unique(np.abs(kept))) == len(kept) else "normal approximation"
    return Test(name, statistic, float(found.pvalue), f"{how}, {number} differences")


def mood(differences: Differences, rng: np.random.Generator) -> Test:
    """Mood's median test, which takes the two systems' scores as independent samples: the pairing is not used.

    By group, the two systems are exchanged in whole groups instead, which leaves the common median where it is.
    """
    note = "unpaired: takes the scores as independent samples"
    if not np.any(differences.values):
        return Test("mood", None, 1.0, note)
    if differences.grouped:
        middle = np.median(np.concatenate([differences.a, differences.b]))
        above = (differences.a > middle).astype(float) - (differences.b > middle)
        p, how = flip(differences.per_group(above), rng)
        return Test("mood", float(above.sum()), p, f"by group: {how}")
    statistic, p = median_test(differences.a, differences.b)
    return Test("mood", statistic, p, note)


def median_test(one: FloatArray, two: FloatArray) -> tuple[float | None, float]:
    """Return Mood's statistic and p of two samples; where no score exceeds the common median, nothing can be said."""
    every = np.concatenate([one, two])
    if not np.any(every > np.median(every)):
        return None, 1.0
    found = stats.median_test(one, two, ties="below")
    return _finite(found.statistic), float(found.pvalue)


def mcnemar(wins: int, losses: int) -> tuple[Test, Test]:
    """McNemar's test of right and wrong answers: exact, and with the continuity correction."""
    number = wins + losses
    exact = float(stats.binomtest(wins, number).pvalue) if number else 1.0
    statistic = max(abs(wins - losses) - 1, 0) ** 2 / number if number else 0.0
    return (
        Test("mcnemar", float(min(wins, losses)), exact, "exact"),
        Test("mcnemar-corrected", statistic, float(stats.chi2.sf(statistic, 1)), "with continuity correction"),
    )


def permutation(differences: Differences, rng: np.random.Generator) -> Test:
    """Sign-flip permutation test of the mean difference."""
    values = differences.values
    p, how = flip(differences.per_group(values), rng)
    return Test("permutation", float(values.mean()), p, f"by group: {how}" if differences.grouped else how)


def bootstrap(differences: Differences, rng: np.random.Generator, resamples: int = 9_999) -> Test:
    """Paired bootstrap of the studentised mean difference: how often does its noise alone exceed it?"""
    values = differences.values
    note = f"{resamples:,} resamples" + (" of groups" if differences.grouped else "")
    mean = float(values.mean())
    error, freedom = standard_error(differences)
    if not np.any(values) or freedom < 1 or error == 0.0:
        return Test("bootstrap", None, 1.0, note)
    # A resample without any variation says that anything may happen by chance.
    larger = int(np.sum(~(np.abs(studentised(differences, rng, resamples)) < abs(mean) / error * (1 - 1e-12))))
    return Test("bootstrap", mean, (1 + larger) / (resamples + 1), note)


def studentised(differences: Differences, rng: np.random.Generator, resamples: int) -> FloatArray:
    """Return how many standard errors the means of resamples lie from the mean; NaN where a resample has none."""
    values = differences.values
    sums, sizes = differences.per_group(values), differences.per_group(np.ones(len(values)))
    mean = float(values.mean())
    noise = []
    for start in range(0, resamples, 1000):
        drawn = rng.integers(len(sums), size=(min(1000, resamples - start), len(sums)))
        some, number = sums[drawn], sizes[drawn]
        noise.append((some.sum(axis=1) / number.sum(axis=1) - mean) / _error(some, number))
    return np.concatenate(noise)


def _error(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the standard error of the mean from sums and sizes of groups (resamples × groups)."""
    total, groups = sizes.sum(axis=1), sums.shape[1]
    mean = sums.sum(axis=1) / total
    squares = np.sum((sums - mean[:, None] * sizes) ** 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        error: FloatArray = np.sqrt(squares * groups / (groups - 1)) / total
        return np.where(error > 0, error, np.nan)


def flip(units: FloatArray, rng: np.random.Generator) -> tuple[float, str]:
    """Return how often flipping the signs of units makes their sum as large as it is, and how that was counted."""
    units = units[units != 0]
    if len(units) == 0:
        return 1.0, "no unit differs"
    reach = abs(float(units.sum())) - 1e-9 * float(np.abs(units).sum())
    if len(units) <= _EXACT:
        sums = np.zeros(1)
        for unit in units:
            sums = np.concatenate([sums + unit, sums - unit])
        return float(np.mean(np.abs(sums) >= reach)), "exact"
    signs: BoolArray = rng.integers(2, size=(_FLIPS, len(units)), dtype=np.int8).astype(bool)
    sums = np.where(signs, 1.0, -1.0) @ units
    return (1 + int(np.sum(np.abs(sums) >= reach))) / (_FLIPS + 1), f"{_FLIPS:,} random flips"


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
