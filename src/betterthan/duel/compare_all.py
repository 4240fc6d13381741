"""From evidence and a model to every pair of systems."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import data_sets
from betterthan.duel.all_pairs import AllPairs
from betterthan.errors import PlanError
from betterthan.evidence.scores import ScoreTable
from betterthan.infer import paired
from betterthan.infer.all_pairs import median_differences, mood_tests, sign_tests, t_tests
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.omnibus import critical_difference, omnibus
from betterthan.infer.paired import Differences, Test
from betterthan.leaderboard import support
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import board_of
from betterthan.leaderboard.settle import models_of, settle, settled_for
from betterthan.leaderboard.statistic import statistic_for
from betterthan.models.mean import Mean
from betterthan.models.median import Median
from betterthan.options.compare import ComparePairsOptions
from betterthan.options.rank import Plan
from betterthan.options.verb import takes
from betterthan.spelling import option


@takes(ComparePairsOptions)
def compare_all(evidence: Any, options: ComparePairsOptions) -> AllPairs:
    """Compare every pair of systems by a model, with its test: t for mean, Mood for median, sign for all others.

    `test="model"` takes strengths of a likelihood and their covariance instead (Wald), where judgments of one item,
    ranking or judge are dependent: pairs that hardly met are then compared through others.
    """
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance)
    data = sets.only("the comparison of all pairs")
    by_unit = options.test == "model" or data.scores is not None
    if options.unit is not None and not by_unit:
        raise PlanError(
            "the sign test of all pairs takes judgments as independent",
            remedy=f"Leave out {option('unit', options.unit)}, or use {option('test', 'model')}.",
        )
    plan = Plan(model=options.model, ties=options.ties, ci="none", seed=options.seed, tolerance=options.tolerance)
    settings = settle(plan, data.kind, data.unit)
    models = models_of(settings)
    if len(models) > 1:
        raise PlanError(f"pairs are compared by one model, got {options.model}. Choose one.")
    text, model = models[0]
    board = board_of(model, settled_for(settings, text, model), data, support.left_out(sets))
    values, p, test = _matrix(board, data, options.seed)
    if options.test == "model":
        p, test = _by_model(board, data), "model"
    order = [board.fit.systems.index(row.system) for row in board]
    values, p = values[np.ix_(order, order)], p[np.ix_(order, order)]
    ranked = data.scores if len(order) > 2 else None
    tests, ranks, critical = _ranks(ranked, options.level) if ranked is not None else ((), None, None)
    return AllPairs(
        settings=options.changed(model=board.mechanism, unit=data.unit if by_unit else None), data=board.data,
        findings=board.findings,
        test=test, systems=tuple(row.system for row in board), values=values, p=p,
        p_adjusted=_corrected(p, options.correction), omnibus=tests, ranks=ranks, critical_difference=critical,
    )  # fmt: skip


def _corrected(p: FloatArray, correction: str) -> FloatArray:
    """Correct p for the number of pairs that met; those that did not are told apart by nothing."""
    first, second = np.triu_indices(len(p), 1)
    met = ~np.isnan(p[first, second])
    corrected = np.ones_like(p)
    corrected[first[met], second[met]] = adjusted(p[first[met], second[met]], correction)
    return np.where(np.arange(len(p))[:, None] > np.arange(len(p)), corrected.T, corrected)


def _matrix(board: Leaderboard, data: DataSet, seed: int) -> tuple[FloatArray, FloatArray, str]:
    """Return values and p of every pair, and the test's name."""
    model, table = board.model, data.scores
    if table is not None and isinstance(model, Mean | Median):
        values, p, test = _of_scores(model, table, data)
    else:
        values, p, test = _chances(board), sign_tests(data.pairs()), "sign"
    if table is not None and data.groups is not None:
        return values, _by_group(table, data.groups.codes, test, data.tolerance, seed), f"{test} by group"
    return values, p, test


def _of_scores(model: Mean | Median, table: ScoreTable, data: DataSet) -> tuple[FloatArray, FloatArray, str]:
    if isinstance(model, Median):
        if model.of == "differences":  # the sign test asks whether their median is 0
            return median_differences(table.values), sign_tests(data.pairs()), "sign"
        return *mood_tests(table.values), "mood"
    if model.trim:
        raise PlanError("a trimmed mean has no test of pairs. Compare by mean, or by median.")
    return *t_tests(table.values), "t"


def _chances(board: Leaderboard) -> FloatArray:
    """Return the expected share of every pair (ties half), or differences of strengths where there are no chances."""
    strength, size = board.fit.strength, len(board.fit.systems)
    rows, columns = np.divmod(np.arange(size**2), size)
    chances = board.model.chances(board.fit, rows, columns)
    if chances is None:
        return np.asarray(strength[:, None] - strength)
    values = np.asarray((chances[0] + chances[1] / 2).reshape(size, size))
    np.fill_diagonal(values, np.nan)
    return values


def _by_group(table: ScoreTable, groups: IntArray, test: str, tolerance: float, seed: int) -> FloatArray:
    """Test every pair with whole groups of items as the units."""
    rng = np.random.default_rng(seed)
    tests: dict[str, Callable[[Differences], Test]] = {
        "t": paired.t_test,
        "mood": lambda differences: paired.mood(differences, rng),
        "sign": lambda differences: paired.sign_test_by_group(differences, rng),
    }
    size = len(table.systems)
    p = np.full((size, size), np.nan)
    np.fill_diagonal(p, 1.0)
    for one, two in combinations(range(size), 2):
        both: BoolArray = ~np.isnan(table.values[:, one]) & ~np.isnan(table.values[:, two])
        if np.any(both):
            first, second = table.values[both, one], table.values[both, two]
            p[one, two] = p[two, one] = tests[test](Differences(first, second, groups[both], tolerance)).p
    return p


def _by_model(board: Leaderboard, data: DataSet) -> FloatArray:
    """Return Wald's test of all pairs; NaN where a strength is not determined."""
    counts, _ = statistic_for(board.model, data)
    covariance = board.model.covariance(board.fit, counts, clustered=True)
    if covariance is None:
        raise PlanError(
            f"{board.mechanism} has no covariance matrix to test with",
            remedy=f"Use {option('test', 'auto')}, or a model with a likelihood such as bradley-terry.",
        )
    covariance = covariance[: len(board), : len(board)]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    gap = np.abs(board.fit.strength[:, None] - board.fit.strength)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.norm.sf(gap / np.sqrt(np.maximum(variance, 0.0)))
    p = np.where(gap <= board.fit.resolution, 1.0, p)
    unknown = board.fit.apart | board.fit.open_low | board.fit.open_high
    p[unknown] = p[:, unknown] = np.nan
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _ranks(table: ScoreTable, level: float) -> tuple[tuple[Test, ...], dict[str, float] | None, float | None]:
    """Return omnibus tests, average ranks and their critical difference, over the instances that have all scores."""
    complete: BoolArray = ~np.any(np.isnan(table.values), axis=1)
    values = table.values[complete]
    if len(values) < 2:
        return (), None, None
    mean = stats.rankdata(-values, axis=1).mean(axis=0)
    ranks = dict(zip(table.systems, mean.tolist(), strict=True))
    return tuple(omnibus(values)), ranks, critical_difference(len(values), values.shape[1], level)
