"""Paired tests: whether one system is better than the other on the same items.

Every test uses units: single items, or groups of dependent items (documents, prompts), whose sums are tested.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.inference.intervals.clustered_error import clustered_error
from betterthan.inference.intervals.crossed_means import ByJudge
from betterthan.inference.intervals.estimate_errors import EstimateErrors
from betterthan.inference.intervals.share_intervals import binomial_mid_p, binomial_p, effective_of_mean
from betterthan.inference.tests.sign_flips import EXACT, Flipped, flip

#: From that many items on, two different scores are taken for the only ones there are.
_TWO_VALUED = 20
#: A chance too small for a number is still one.
_LEAST = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class Test:
    """The result of one test; the statistic is None where it is undefined."""

    name: str
    statistic: float | None
    p: float
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", max(self.p, _LEAST))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Differences:
    """Scores of two systems on the same items, and the group of each item (its own if there are none).

    Where judges are units too, `by_judge` knows how they differ: the error of the mean allows for both.
    """

    a: FloatArray
    b: FloatArray
    group: IntArray
    tolerance: float = 0.0
    by_judge: ByJudge | None = None

    @cached_property
    def values(self) -> FloatArray:
        """How much better the first system is on every item; differences within the tolerance are 0."""
        gap = self.a - self.b
        return np.where(np.abs(gap) <= self.tolerance, 0.0, gap)

    @cached_property
    def constant(self) -> bool:
        """Whether the difference is constant over items, up to rounding."""
        values = self.values
        return float(np.ptp(values)) <= 1e-12 * float(max(np.abs(self.a).max(), np.abs(self.b).max()))

    @cached_property
    def range(self) -> float:
        """How far scores can lie apart, as far as they show: 1 where all are right, or all are wrong."""
        every = np.concatenate([self.a, self.b])
        found = float(np.ptp(every))
        return found or float(every[0] in {0.0, 1.0})

    @cached_property
    def grouped(self) -> bool:
        """Whether some items share a group."""
        return int(self._codes.max(initial=-1)) + 1 < len(self.group)

    @cached_property
    def _codes(self) -> IntArray:
        """The groups as numbers from 0 on."""
        return np.unique(self.group, return_inverse=True)[1].ravel()

    def per_group(self, values: FloatArray) -> FloatArray:
        """Add up something of the items by group."""
        return np.bincount(self._codes, weights=values).astype(np.float64)

    @cached_property
    def binary(self) -> bool:
        """Whether all scores are binary: 0 or 1, or two other values on enough items to show a third one."""
        found = set(np.unique(np.concatenate([self.a, self.b])).tolist())
        return found <= {0.0, 1.0} or (len(found) == 2 and len(self.a) >= _TWO_VALUED)

    @cached_property
    def sums(self) -> FloatArray:
        """The sum of the differences of every group."""
        return self.per_group(self.values)

    @cached_property
    def sizes(self) -> FloatArray:
        """How many items every group has."""
        return self.per_group(np.ones(len(self.a)))


def t_test(differences: Differences) -> Test:
    """Student's paired t-test; by group with the error of the jackknife and Bell and McCaffrey's freedom."""
    values = differences.values
    if not np.any(values):
        return Test("t", None, 1.0, "no difference on any item")
    crossed = None if differences.by_judge is None else differences.by_judge.errors()
    if crossed is not None:
        second = "judge" if differences.by_judge is None or differences.by_judge.nested is None else "run"
        return _by_two_units(float(values.mean()), crossed, f"by item and {second}")
    error, freedom = standard_error(differences)
    note = f"{'by group, ' if differences.grouped else ''}{round(freedom, 1):g} degrees of freedom"
    if freedom < 1:
        return Test("t", None, 1.0, "needs two units or more")
    if error == 0.0:  # every sign the same: as rare as that is by chance
        return Test("t", None, min(1.0, 2.0**-freedom), "the same difference everywhere: p of flipped signs")
    statistic = float(values.mean()) / error
    return Test("t", statistic, 2 * float(scipy.special.stdtr(freedom, -abs(statistic))), note)


def _by_two_units(mean: float, errors: EstimateErrors, how: str) -> Test:
    """Return Student's test with the error that leaves the largest p-value: by items, by the other unit, or by both."""
    p = float(errors.p(np.array([mean]))[0])
    variance, freedom = errors.widest(1 - p)
    return Test("t", mean / float(np.sqrt(variance[0])), p, f"{how}, {freedom[0]:.1f} degrees of freedom")


def standard_error(differences: Differences, level: float = 0.95) -> tuple[float, float]:
    """Return the error of the mean difference, robust where items have groups or judges, and its freedom.

    With judges it is the one that makes the widest interval at a level.
    """
    if differences.by_judge is not None:
        return differences.by_judge.error(level)
    sums = differences.sums
    if len(sums) < 2 or differences.constant:
        return 0.0, len(sums) - 1
    error, freedom = clustered_error(sums, differences.sizes)
    # What is left of equal differences after rounding is no variation.
    rounding = 1e-12 * float(np.abs(sums).max()) / len(differences.a)
    return (float(error), float(freedom)) if error > rounding else (0.0, len(sums) - 1)


def effective_items(differences: Differences, scores: FloatArray) -> float:
    """Return the effective number of independent items for the mean of grouped scores."""
    if len(differences.sums) < 2:
        return 1.0
    error, freedom = clustered_error(differences.per_group(scores), differences.sizes)
    return float(effective_of_mean(float(np.var(scores)), error**2, len(scores), freedom + 1))


#: How ties count in the sign test: left out, half for each side, or all for the side that is behind.
Ties = Literal["drop", "split", "against"]
_TIES: Mapping[Ties, str] = {"drop": "left out", "split": "split", "against": "counted for the side behind"}


def sign_test(wins: float, ties: float, losses: float, *, how: Ties = "drop") -> Test:
    """Exact sign test: ties are left out, split evenly (an odd one is left out), or all count against the leader.

    Against the leader is the most cautious way: until both sides are equal, every tie is for the side that is behind.

    >>> [round(sign_test(12, 6, 4, how=how).p, 4) for how in ("drop", "split", "against")]
    [0.0768, 0.1338, 0.8318]
    """
    counted, note = _with_ties(wins, ties, losses, how)
    won, lost = map(round, counted)
    return Test("sign", float(counted[0]), binomial_p(won, lost), note) if won + lost else Test("sign", None, 1.0, note)


def sign_mid_p(wins: float, ties: float, losses: float, *, how: Ties = "drop") -> Test:
    """Sign test whose observed number counts half (mid-p), which is less cautious; ties as in `sign_test`."""
    counted, note = _with_ties(wins, ties, losses, how)
    won, lost = map(round, counted)
    return Test("sign-mid-p", float(counted[0]), binomial_mid_p(won, lost), f"mid-p, {note}")


def _with_ties(wins: float, ties: float, losses: float, how: Ties) -> tuple[tuple[float, float], str]:
    """Return wins and losses with the ties that count for either, and what was done with ties."""
    note = f"{ties:g} ties {_TIES[how]}" if ties else "no ties"
    if how == "split":
        return (wins + ties // 2, losses + ties // 2), note
    given = min(ties, abs(wins - losses)) if how == "against" else 0
    return ((wins, losses + given) if wins > losses else (wins + given, losses)), note


def sign_test_by_group(differences: Differences, rng: np.random.Generator) -> Test:
    """Sign test of groups: wins less losses of every group, its sign as likely one as the other."""
    return sign_tests_by_group(differences, rng)[0]


def sign_tests_by_group(differences: Differences, rng: np.random.Generator) -> list[Test]:
    """Sign test of groups, and with mid-p where that differs."""
    sums = differences.per_group(np.sign(differences.values))
    return _flip_tests("sign", float(sums.sum()), flip(sums, rng), "by group: ")


def wilcoxon(
    differences: Differences, rng: np.random.Generator, *, zeros: Literal["wilcox", "pratt"] = "wilcox"
) -> Test:
    """Wilcoxon's signed-rank test; `zeros` are left out (wilcox) or ranked first (pratt)."""
    values = differences.values
    name = "wilcoxon" if zeros == "wilcox" else "wilcoxon-pratt"
    if not np.any(values):
        return Test(name, None, 1.0, "no difference on any item")
    kept = values if zeros == "pratt" else values[values != 0]
    line = np.sort(np.abs(kept))
    below, upto = (np.searchsorted(line, np.abs(kept), side=side) for side in ("left", "right"))
    signed = np.sign(kept) * ((below + upto + 1) / 2)  # the mean rank of equal sizes
    if differences.grouped:
        every = np.zeros(len(values))
        every[values != 0 if zeros == "wilcox" else slice(None)] = signed
        found = flip(differences.per_group(every), rng)
        return Test(name, float(signed[signed > 0].sum()), found.p, f"by group: {found.how}")
    number = int(np.sum(signed != 0))
    statistic = float(signed[signed > 0].sum())
    if number <= EXACT:
        return Test(name, statistic, flip(signed, rng).p, f"exact, {number} differences")
    exact = number == len(kept) <= 50 and len(np.unique(np.abs(kept))) == len(kept)
    p = _exact_ranks(statistic, number) if exact else _normal_ranks(signed)
    return Test(name, statistic, p, f"{'exact' if exact else 'normal approximation'}, {number} differences")


@lru_cache(maxsize=64)
def signed_rank_ways(number: int) -> FloatArray:
    """Return in how many ways of giving signs to the ranks 1 to `number` each sum of positive ranks results.

    The array is shared and cannot be changed.

    >>> signed_rank_ways(3)
    array([1., 1., 1., 2., 1., 1., 1.])
    """
    ways = np.ones(number * (number + 1) // 2 + 1)
    ways[1:] = 0.0
    for rank in range(1, number + 1):
        ways[rank:] += ways[:-rank].copy()
    ways.flags.writeable = False
    return ways


def _exact_ranks(statistic: float, number: int) -> float:
    """Return p of a sum of positive ranks, all of them different."""
    total = number * (number + 1) // 2
    fewer = int(min(statistic, total - statistic))
    return min(1.0, 2 * float(signed_rank_ways(number)[: fewer + 1].sum()) / 2.0**number)


def _normal_ranks(signed: FloatArray) -> float:
    """Return p of signed ranks, of which zeros have no sign, by the normal distribution with continuity correction."""
    ranks = np.abs(signed[signed != 0])
    gap = max(abs(float(signed.sum())) / 2 - 0.5, 0.0) if signed.sum() else 0.0
    return 2 * float(scipy.special.ndtr(-gap / np.sqrt(np.sum(ranks**2) / 4)))


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
        found = flip(differences.per_group(above), rng)
        return Test("mood", float(above.sum()), found.p, f"by group: {found.how}")
    statistic, p = median_test(differences.a, differences.b)
    return Test("mood", statistic, p, note)


def median_test(one: FloatArray, two: FloatArray) -> tuple[float | None, float]:
    """Return Mood's statistic and p of two samples; where no score exceeds the common median, nothing can be said."""
    every = np.concatenate([one, two])
    if not np.any(every > np.median(every)):
        return None, 1.0
    middle = np.median(every)
    above = np.array([np.sum(one > middle), np.sum(two > middle)], dtype=float)
    size = np.array([len(one), len(two)], dtype=float)
    expected = np.stack([size * above.sum() / len(every), size * (1 - above.sum() / len(every))])
    off = np.abs(above - expected[0])
    statistic = float(np.sum((off - np.minimum(0.5, off)) ** 2 / expected))  # with Yates' correction
    return statistic, float(scipy.special.chdtrc(1, statistic))


def permutation(differences: Differences, rng: np.random.Generator) -> list[Test]:
    """Sign-flip permutation test of the mean difference, and with mid-p where that differs."""
    mean, where = float(differences.values.mean()), "by group: " if differences.grouped else ""
    return _flip_tests("permutation", mean, flip(differences.sums, rng), where)


def _flip_tests(name: str, statistic: float, found: Flipped, where: str) -> list[Test]:
    tests = [Test(name, statistic, found.p, f"{where}{found.how}")]
    if found.mid_p is not None:
        tests.append(Test(f"{name}-mid-p", statistic, found.mid_p, f"{where}mid-p, all flips"))
    return tests


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
