"""From evidence and a model to every pair of systems."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import data_sets
from betterthan.duel.all_pairs import AllPairs
from betterthan.duel.blocks import Blocks, means, ranked_blocks
from betterthan.duel.pairing import differences_of
from betterthan.errors import PlanError
from betterthan.evidence.scores import ScoreTable
from betterthan.findings.comparisons import JUDGES_IN_MEAN
from betterthan.infer import paired
from betterthan.infer.all_pairs import median_differences, mood_tests, sign_tests, t_tests
from betterthan.infer.average_ranks import average_ranks
from betterthan.infer.clustered import shares
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.omnibus import critical_difference, friedman, omnibus
from betterthan.infer.paired import Differences, Test
from betterthan.infer.whole import PairedParts, randomisation
from betterthan.late import scipy
from betterthan.leaderboard import support
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import board_of
from betterthan.leaderboard.settle import models_of, settle, settled_for
from betterthan.leaderboard.statistic import order_of, statistic_for
from betterthan.models.corpus import Corpus
from betterthan.models.mean import Mean
from betterthan.models.median import Median
from betterthan.options.compare import ComparePairsOptions
from betterthan.options.rank import Plan
from betterthan.options.verb import takes
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.parts import ItemParts
from betterthan.reduce.scores import ScoreMatrix
from betterthan.spelling import option


@takes(ComparePairsOptions)
def compare_all(evidence: Any, options: ComparePairsOptions) -> AllPairs:
    """Compare every pair of systems by a model, with its test: t for mean, Mood for median, sign for all others.

    Tests allow for the unit of dependence. `test="model"` takes strengths of a likelihood and their covariance instead
    (Wald): pairs that hardly met are then compared through others. `by="pair"` shows each pair's own share instead of
    what the model says, which can hide circles.
    """
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance)
    given = sets.only("the comparison of all pairs")
    plan = Plan(model=options.model, ties=options.ties, ci="none", seed=options.seed, tolerance=options.tolerance)
    settings = settle(plan, given)
    models = models_of(settings)
    if len(models) > 1:
        raise PlanError(f"pairs are compared by one model, got {options.model}. Choose one.")
    text, model = models[0]
    by_judge = isinstance(model, Mean)  # a trimmed one is refused below
    data = given if given.scores is None or by_judge else given.by_one_unit(options.unit, f"this test of {text}")
    hint = None if data is given else support.BY_MEAN
    ratings = None if "judge" not in data.by or data.scores is None else data.statistic(ScoreMatrix)
    # No score of this board is shown, so that the quickest scale will do.
    on_logs = settled_for(settings.changed(scale="log"), text, model, data.kind)
    board = board_of(model, on_logs, data, support.left_out(sets))
    values, p, test = _matrix(board, data, options.seed)
    counts = (data if ratings is None else data.by_one_unit(None, text)).pairs(order_of(model, data))
    own = shares(counts, ties="half")
    expected = board.has_chances and test == "sign"
    differ = _squared(counts, own.p(values[counts.first, counts.second]), np.nan) if expected else None
    if options.test == "model":
        p, test = _by_model(board, data), "model"
    record = [_squared(counts, won, 0.0, lost) for won, lost in _sides(counts)]
    share = _squared(counts, own.share, np.nan, 1 - own.share)
    if options.by == "pair":
        if test != "sign":
            raise PlanError(
                f"{option('by', 'pair')} is about each pair's own record, which the {test} test is not about",
                remedy=f"Use {option('model', 'bradley-terry')} with its own test, or leave it out.",
            )
        values, differ = share, None
    order = [board.fit.systems.index(row.system) for row in board]
    square = np.ix_(order, order)
    tests, ranks, critical = _ranks(data, options.level) if len(order) > 2 else ((), None, None)
    corrected = _corrected(p[square], options.correction)
    apart = None if differ is None else _corrected(differ[square], "holm") <= 1 - options.level
    return AllPairs(
        settings=options.changed(model=board.mechanism, unit=data.unit), data=board.data, reading=sets.reading,
        findings=(
            *board.findings, *support.few(counts.units if ratings is None else ratings.units),
            *support.not_resampled(data.unit, data.other_units, hint=hint),
            *([] if ratings is None else [JUDGES_IN_MEAN.found()]),
        ),
        test=test, expected=expected,
        systems=tuple(row.system for row in board), values=values[square], share=share[square],
        record=np.stack([side[square] for side in record]), p=p[square], p_adjusted=corrected, differs=apart,
        omnibus=tests, ranks=ranks, critical_difference=critical,
    )  # fmt: skip


def _sides(counts: PairCounts) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Return what a system won, tied and lost, each from the first and from the second one's side."""
    won, tied, lost = counts.outcomes
    return (won, lost), (tied, tied), (lost, won)


def _squared(counts: PairCounts, of_first: FloatArray, otherwise: float, of_second: Any = None) -> FloatArray:
    """Return systems × systems from what the first, and the second, system of each pair has."""
    matrix = np.full((counts.size, counts.size), otherwise)
    matrix[counts.first, counts.second] = of_first
    matrix[counts.second, counts.first] = of_first if of_second is None else of_second
    return matrix


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
    if isinstance(model, Corpus):
        return _of_whole(data, seed)
    if table is not None and isinstance(model, Mean | Median):
        values, p, test = _of_scores(model, table, data)
    else:
        values, p, test = _chances(board), sign_tests(data.pairs()), "sign"
    if table is not None and data.groups is not None:
        return values, _by_group(table, data.groups.codes, test, data.tolerance, seed), test
    if table is not None and "judge" in data.by:
        return values, _by_judge(data, table), test
    return values, p, test


def _of_scores(model: Mean | Median, table: ScoreTable, data: DataSet) -> tuple[FloatArray, FloatArray, str]:
    if isinstance(model, Median):
        if model.of == "differences":  # the sign test asks whether their median is 0
            return median_differences(table.values), sign_tests(data.pairs()), "sign"
        return *mood_tests(table.values), "mood"
    if model.trim:
        raise PlanError("a trimmed mean has no test of pairs. Compare by mean, or by median.")
    return *t_tests(table.values), "t"


def _of_whole(data: DataSet, seed: int) -> tuple[FloatArray, FloatArray, str]:
    """Compare metrics of the whole test set by swapping outputs, pair by pair on the items that both have."""
    scores = data.statistic(ItemParts)
    assert scores is not None
    there = scores.there
    unit = scores.units.factors[0] if scores.units.factors else np.arange(len(there))
    values, p = np.zeros((scores.size, scores.size)), np.ones((scores.size, scores.size))
    for one, two in combinations(range(scores.size), 2):
        both = there[:, one] & there[:, two]
        if not np.any(both):
            values[one, two] = values[two, one] = p[one, two] = p[two, one] = np.nan
            continue
        units = np.unique(unit[both], return_inverse=True)[1].ravel()
        first, second = scores.parts[both, one], scores.parts[both, two]
        pair = PairedParts(scores.metric, first, second, units, scores.lower_is_better)
        values[one, two] = pair.difference(np.ones((pair.units, 1)))[0]
        values[two, one] = -values[one, two]
        p[one, two] = p[two, one] = randomisation(pair, np.random.default_rng(seed)).p
    return values, p, "randomisation"


def _chances(board: Leaderboard) -> FloatArray:
    """Return the expected share of every pair (ties half), or differences of strengths where there are no chances."""
    strength, size = board.fit.strength, len(board.fit.systems)
    rows, columns = np.divmod(np.arange(size**2), size)
    chances = board.model.chances(board.fit, rows, columns)
    if chances is None:
        return np.asarray(strength[:, None] - strength)
    values = np.asarray((chances[0] + chances[1] / 2).reshape(size, size))
    np.fill_diagonal(values, np.nan)
    if board.model.logarithmic:  # what only a prior places has no chance
        values[~board.fit.placed] = values[:, ~board.fit.placed] = np.nan
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


def _by_judge(data: DataSet, table: ScoreTable) -> FloatArray:
    """Test every pair's mean difference by items and judges."""
    size = len(table.systems)
    p = np.full((size, size), np.nan)
    np.fill_diagonal(p, 1.0)
    for one, two in combinations(range(size), 2):
        if np.any(~np.isnan(table.values[:, one]) & ~np.isnan(table.values[:, two])):
            differences = differences_of(data, table, table.systems[one], table.systems[two])
            p[one, two] = p[two, one] = paired.t_test(differences).p
    return p


def _by_model(board: Leaderboard, data: DataSet) -> FloatArray:
    """Return Wald's test of all pairs, by Student's t with units − 1; NaN where a strength is not determined."""
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
        # Of two crossed units the scarcer one has the say: cautious where it matters little.
        p = 2 * scipy.special.stdtr(max(counts.units.size - 1, 1), -gap / np.sqrt(np.maximum(variance, 0.0)))
    p = np.where(gap <= board.fit.resolution, 1.0, p)
    unknown = board.fit.apart | board.fit.open_low | board.fit.open_high
    p[unknown] = p[:, unknown] = np.nan
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _ranks(data: DataSet, level: float) -> tuple[tuple[Test, ...], dict[str, float] | None, float | None]:
    """Return omnibus tests, average ranks and their critical difference, over the items or rankings with all systems.

    Where items come in groups, the mean scores of groups are compared; where judges or items have several rankings,
    their mean ranks are.
    """
    blocks = ranked_blocks(data.rankings, data.by) if data.rankings is not None else _scored(data)
    if blocks is None or len(blocks.values) < 2:
        return (), None, None
    mean = average_ranks(-blocks.values).mean(axis=0)
    ranks = dict(zip(blocks.systems, mean.tolist(), strict=True))
    tests = omnibus(blocks.values) if data.rankings is None else [friedman(blocks.values)]
    if blocks.of:
        tests = [replace(test, note=f"{test.note}, over {len(blocks.values):,} {blocks.of}s") for test in tests]
    return tuple(tests), ranks, critical_difference(len(blocks.values), blocks.values.shape[1], level)


def _scored(data: DataSet) -> Blocks | None:
    """Return the scores of items, or the means of groups, that have all systems."""
    table = data.scores
    if table is None:
        return None
    complete: BoolArray = ~np.any(np.isnan(table.values), axis=1)
    values = table.values[complete]
    if data.groups is not None and len(values):
        values = means(values, data.groups.codes[complete])
    return Blocks(table.systems, values)
