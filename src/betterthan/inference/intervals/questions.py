"""Questions about two systems: the better mean, the better typical item, more items won.

A metric of a whole test set asks a fourth one (`whole.py`).

They may have different answers. Each has one estimate, one interval and one matching test: the question decides what is
tested, the data only how.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from betterthan.base import scipy
from betterthan.inference.intervals.clustered_error import clustered_error
from betterthan.inference.intervals.effect import Effect, effect_of
from betterthan.inference.intervals.hodges_lehmann import hodges_lehmann
from betterthan.inference.intervals.share_intervals import mid_p
from betterthan.inference.intervals.studentised import RESAMPLES, Studentised, skewness, skewness_limit, studentise
from betterthan.inference.tests.mcnemar import bonett_price_interval, mcnemar
from betterthan.inference.tests.paired_tests import (
    Differences,
    Test,
    effective_items,
    permutation,
    standard_error,
    t_test,
)
from betterthan.inference.tests.sign_flips import EXACT, flip, flip_interval

Question = Literal["mean", "typical", "wins", "corpus"]
#: The effect that answers each.
ESTIMATES: dict[Question, str] = {
    "mean": "mean_difference",
    "typical": "typical_difference",
    "wins": "superiority",
    "corpus": "corpus_difference",
}

#: Fewer units than this cannot be tested but by flipping their signs.
_TINY = 5
_SYMMETRIC = "it compares ranks and assumes that differences are symmetric about their centre"


@dataclass(frozen=True)
class QuestionAnswer:
    """The answer to a question: the estimate with its interval, and the matching test."""

    question: Question
    effect: Effect
    test: Test
    reason: str

    @property
    def lead(self) -> int:
        """Whom the estimate puts ahead: 1 the first system, −1 the second one, 0 neither."""
        return int(np.sign((self.effect.value or 0.0) - self._none))

    @property
    def _none(self) -> float:
        return 0.5 if self.question == "wins" else 0.0

    def significant(self, level: float) -> bool:
        """Whether the test rejects the null hypothesis."""
        return self.test.p <= 1 - level

    @property
    def excludes(self) -> bool | None:
        """Whether the interval excludes zero; None where there is no interval."""
        low, high = self.effect.low, self.effect.high
        if low is None and high is None:
            return None
        return (low is not None and low > self._none) or (high is not None and high < self._none)

    def shown(self, level: float) -> int:
        """The significantly better system, as in `lead`: 0 unless test and interval agree."""
        return self.lead if self.significant(level) and self.excludes is not False else 0


def answers(
    differences: Differences, tests: Sequence[Test], level: float, seed: int, resampled: Studentised
) -> tuple[QuestionAnswer, ...]:
    """Return the answers to all questions.

    `seed` is that of the tests' random flips, and `resampled` the bootstrap of the mean that was tested: intervals and
    tests are then of the same draws, and agree.
    """
    by_name = {test.name: test for test in tests}
    name, reason = _test_of_mean(differences, mid="permutation-mid-p" in by_name)
    wins = next(test for test in ("sign-mid-p", "sign") if test in by_name)
    return (
        QuestionAnswer("mean", _mean(differences, name, level, seed, resampled), by_name[name], reason),
        QuestionAnswer("typical", _typical(differences, level), by_name["wilcoxon"], _SYMMETRIC),
        QuestionAnswer(
            "wins", won(differences, level, seed), by_name[wins], "it counts which system wins, not by how much"
        ),
    )


def recommended_for_mean(differences: Differences) -> tuple[str, str]:
    """Name the test of the mean difference that fits these differences, and why."""
    flipped = differences.grouped and (few_groups(differences) or differences.binary)
    mid = flipped and flip(differences.sums, np.random.default_rng(0)).mid_p is not None  # the same for all seeds
    return _test_of_mean(differences, mid=mid)


def few_groups(differences: Differences) -> bool:
    """Whether groups are worth so few of equal size that only flipping their signs can be trusted."""
    return len(differences.sums) <= EXACT or float(clustered_error(differences.sums, differences.sizes)[1]) < EXACT


def mean_answer(differences: Differences, level: float, seed: int, recommended: tuple[str, str]) -> QuestionAnswer:
    """Return the answer about the mean alone, as `answers` gives it, by the one test that is recommended."""
    name, reason = recommended
    resampled = _drawn(differences, seed, name)
    test = _mean_test(differences, seed, name, resampled)
    return QuestionAnswer("mean", _mean(differences, name, level, seed, resampled), test, reason)


def mean_test(differences: Differences, seed: int, name: str) -> Test:
    """Return the named test of the mean difference alone, with the draws of `mean_answer`."""
    return _mean_test(differences, seed, name, _drawn(differences, seed, name))


def _drawn(differences: Differences, seed: int, name: str) -> Studentised:
    return studentise(differences, np.random.default_rng(seed), RESAMPLES if name == "bootstrap" else 0)


def _mean_test(differences: Differences, seed: int, name: str, resampled: Studentised) -> Test:
    if name.startswith("permutation"):
        tests = permutation(differences, np.random.default_rng(seed))
    elif name.startswith("mcnemar"):
        signs = np.sign(differences.values)
        tests = [*mcnemar(int(np.sum(signs > 0)), int(np.sum(signs < 0)))]
    else:
        tests = [resampled.test() if name == "bootstrap" else t_test(differences)]
    return next(test for test in tests if test.name == name)


def answered(differences: Differences, level: float, seed: int) -> tuple[Effect, Effect, Effect]:
    """Return the estimates of all questions with their intervals."""
    rng = np.random.default_rng(seed)
    name, _ = _test_of_mean(differences, mid=flip(differences.sums, rng).mid_p is not None)
    mean = _mean(differences, name, level, seed, studentise(differences, rng))
    return mean, _typical(differences, level), won(differences, level, seed)


def _test_of_mean(differences: Differences, *, mid: bool) -> tuple[str, str]:
    """Name the test of the mean difference for these differences, and why; `mid`: flips have a mid-p."""
    units = len(differences.sums)
    if differences.by_judge is not None:
        pass  # flipped signs of items do not know judges
    elif differences.grouped:
        if few_groups(differences) or differences.binary:
            name = "permutation-mid-p" if mid else "permutation"
            return name, "items come in groups, whose signs are flipped together; no distribution is assumed"
    elif differences.binary:
        return "mcnemar-mid-p", "the scores are right or wrong, so only items on which the two differ count"
    elif units < _TINY:
        return "permutation", f"with fewer than {_TINY} items only flipping signs can be trusted"
    if standard_error(differences)[0] == 0.0:
        return "permutation", "without any variation there is no standard error"
    gaps = differences.sums - differences.values.mean() * differences.sizes
    if abs(float(skewness(gaps))) > skewness_limit(units):
        return "bootstrap", "the differences are skewed, which Student's t does not allow for"
    return "t", "the differences are not too skewed for Student's t"


def _mean(differences: Differences, name: str, level: float, seed: int, resampled: Studentised) -> Effect:
    """Return the mean difference with the interval of its test."""
    mean = float(differences.values.mean())
    if name == "mcnemar-mid-p" and np.any(differences.values):
        low, high = (end * differences.range for end in _shares(differences, level))
    elif not resampled.known:
        # A difference that is the same everywhere, and not 0, leaves nothing to scale an interval with.
        low, high = (
            (-np.inf, np.inf) if differences.constant and mean else bounds(differences, level, differences.range)
        )
    elif name.startswith("permutation"):
        step = differences.range if differences.binary else None
        low, high = _flipped(differences, level, seed, mid=name.endswith("mid-p"), step=step)
    elif name == "bootstrap":
        low, high = resampled.interval(level)
        least, most = bounds(differences, level, differences.range)
        low, high = (low if np.isfinite(low) else min(least, mean), high if np.isfinite(high) else max(most, mean))
    else:
        reach = resampled.half_width(level)
        low, high = mean - reach, mean + reach
    return effect_of("mean_difference", mean, low, high)


def won(differences: Differences, level: float, seed: int) -> Effect:
    """Return the chance of superiority: the share of items won, ties half."""
    signs = np.sign(differences.values)
    share = (1 + float(signs.mean())) / 2
    low, high = _won_less_lost(replace(differences, a=(1 + signs) / 2, b=(1 - signs) / 2, tolerance=0.0), level, seed)
    return effect_of("superiority", share, (1 + low) / 2, (1 + high) / 2)


def _won_less_lost(signs: Differences, level: float, seed: int) -> tuple[float, float]:
    """Return the interval of the share of wins less that of losses."""
    values = signs.values
    if not np.any(values):
        return bounds(signs, level, 1.0)
    if signs.grouped:
        if standard_error(signs)[0] == 0.0:
            return bounds(signs, level, 1.0)
        mid = flip(signs.sums, np.random.default_rng(seed)).mid_p is not None
        return _flipped(signs, level, seed, mid=mid, step=1.0)
    if np.all(values):
        low, high = mid_p(float(np.mean(values > 0)), len(values), level)
        return 2 * low - 1, 2 * high - 1
    return _shares(signs, level)


def _flipped(
    differences: Differences, level: float, seed: int, *, mid: bool, step: float | None
) -> tuple[float, float]:
    """Return the interval of flipped signs, widened where too few units differ for flips to know what may happen.

    `step` is the size of every difference, where there is one only: what such scores can do is known for any number.
    """
    sums = differences.sums
    low, high = flip_interval(sums, differences.sizes, level, np.random.default_rng(seed), mid=mid)
    if np.sum(sums != 0) >= _TINY:
        return low, high
    if step is None:
        least, most = bounds(differences, level, differences.range)
        return min(low, least), max(high, most)
    least, most = (end * step for end in _shares(differences, level))
    return (min(low, least) if np.isfinite(low) else least), (max(high, most) if np.isfinite(high) else most)


def _shares(differences: Differences, level: float) -> tuple[float, float]:
    """Return Bonett and Price's interval of the share won less the share lost, by the effective number of items."""
    signs = np.sign(differences.values)
    number = effective_items(differences, signs) if differences.grouped else len(signs)
    won, lost = (float(np.mean(signs == sign)) * number for sign in (1, -1))
    return bonett_price_interval(won, lost, number, level)


def _typical(differences: Differences, level: float) -> Effect:
    return effect_of("typical_difference", *hodges_lehmann(differences, level))


def bounds(differences: Differences, level: float, most: float) -> tuple[float, float]:
    """Return bounds of the mean difference where differences (nearly) do not vary.

    If k of n units have an unusual difference, the share of such units is at most Clopper and Pearson's upper bound.
    For k = 0 it is the rule of three's 1 − (α/2)^(1/n). There the difference may be anything up to `most`, the range of
    the scores.
    """
    if most == 0.0:
        return -np.inf, np.inf
    values = differences.values
    found, times = np.unique(values, return_counts=True)
    usual = float(found[np.argmax(times)])
    near = np.abs(values - usual) <= 1e-9 * most
    others = int(np.sum(differences.per_group((~near).astype(float)) > 0))
    units = len(differences.sums)
    share = float(scipy.special.betaincinv(others + 1, units - others, (1 + level) / 2)) if others < units else 1.0
    return usual - share * (most + usual), usual + share * (most - usual)
