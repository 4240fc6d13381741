"""Each pair's own test: t for the mean, Mood's for the median, swaps for a corpus-level metric, sign for all others."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError
from betterthan.datasets import DataSet, ItemParts, ScoreMatrix
from betterthan.inference import Differences, Test, all_pairs_tests
from betterthan.inference import paired_tests as paired
from betterthan.inference import randomisation as whole_set_tests
from betterthan.models import Corpus, Mean, Median, Model
from betterthan.verbs.compare.paired_evidence import differences_of


def own_tests(model: Model, data: DataSet, seed: int) -> tuple[FloatArray | None, FloatArray, str]:
    """Return differences of every pair, None where the test is about wins, p-values, and the test's name."""
    scores = data.statistic(ScoreMatrix)
    if isinstance(model, Corpus):
        return _of_whole(data, seed)
    values: FloatArray | None
    if scores is not None and isinstance(model, Mean | Median):
        values, p, test = _of_scores(model, scores, data)
    else:
        values, p, test = None, all_pairs_tests.sign_tests(data.pairs()), "sign"
    if scores is not None and data.groups is not None:
        return values, _by_group(scores, data.groups.codes, test, data.tolerance, seed), test
    if scores is not None and "+" in data.unit:
        return values, _by_judge(data, scores), test
    return values, p, test


def untested(model: Model) -> bool:
    """Whether single pairs cannot be tested by this model."""
    return isinstance(model, Mean) and bool(model.trim)


def _of_scores(model: Mean | Median, scores: ScoreMatrix, data: DataSet) -> tuple[FloatArray, FloatArray, str]:
    if isinstance(model, Median):
        if model.of == "differences":  # the sign test asks whether their median is 0
            return all_pairs_tests.median_differences(scores.values), all_pairs_tests.sign_tests(data.pairs()), "sign"
        return *all_pairs_tests.mood_tests(scores.values), "mood"
    if untested(model):
        raise PlanError("a trimmed mean has no test of pairs. Compare by mean, or by median.")
    return *all_pairs_tests.t_tests(scores.values), "t"


def _of_whole(data: DataSet, seed: int) -> tuple[FloatArray, FloatArray, str]:
    """Compare metrics of the whole test set, pair by pair on the items that both have."""
    scores = data.statistic(ItemParts)
    assert scores is not None
    return *whole_set_tests.all_pairs(scores, seed), "randomisation" if scores.metric.swappable else "delong"


def _by_group(scores: ScoreMatrix, groups: IntArray, test: str, tolerance: float, seed: int) -> FloatArray:
    """Test every pair with whole groups of items as the units."""
    rng = np.random.default_rng(seed)
    tests: dict[str, Callable[[Differences], Test]] = {
        "t": paired.t_test,
        "mood": lambda differences: paired.mood(differences, rng),
        "sign": lambda differences: paired.sign_test_by_group(differences, rng),
    }
    size = len(scores.systems)
    p = np.full((size, size), np.nan)
    np.fill_diagonal(p, 1.0)
    for one, two in combinations(range(size), 2):
        both: BoolArray = ~np.isnan(scores.values[:, one]) & ~np.isnan(scores.values[:, two])
        if np.any(both):
            first, second = scores.values[both, one], scores.values[both, two]
            p[one, two] = p[two, one] = tests[test](Differences(first, second, groups[both], tolerance)).p
    return p


def _by_judge(data: DataSet, scores: ScoreMatrix) -> FloatArray:
    """Test every pair's mean difference by items and judges."""
    size = len(scores.systems)
    p = np.full((size, size), np.nan)
    np.fill_diagonal(p, 1.0)
    for one, two in combinations(range(size), 2):
        if np.any(~np.isnan(scores.values[:, one]) & ~np.isnan(scores.values[:, two])):
            differences = differences_of(data, scores, scores.systems[one], scores.systems[two])
            p[one, two] = p[two, one] = paired.t_test(differences).p
    return p
