"""Compare all pairs of systems by a model."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError, scipy, spelling
from betterthan.datasets import DataSet, ItemParts, PairCounts, RankedSet, ScoreMatrix, data_sets
from betterthan.findings import kinds
from betterthan.inference import Differences, Test, adjusted, all_pairs_tests, average_ranks, omnibus_tests, pair_shares
from betterthan.inference import paired_tests as paired
from betterthan.inference import randomisation as whole_set_tests
from betterthan.models import Corpus, Mean, Median
from betterthan.options import ComparePairsOptions, Plan, takes
from betterthan.verbs.compare.all_pairs_result import AllPairs
from betterthan.verbs.compare.friedman_blocks import Blocks, means, ranked_blocks
from betterthan.verbs.compare.paired_evidence import differences_of
from betterthan.verbs.rank import Leaderboard, board_of, model_statistic
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.rank import settings as rank_settings


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
    settings = rank_settings.settle(plan, given)
    models = rank_settings.models_of(settings)
    if len(models) > 1:
        raise PlanError(f"pairs are compared by one model, got {options.model}. Choose one.")
    text, model = models[0]
    by_judge = isinstance(model, Mean)  # a trimmed one is refused below
    data = given if by_judge else given.by_items_alone(options.unit, f"this test of {text}")
    hint = None if data is given else support.BY_MEAN
    ratings = data.statistic(ScoreMatrix) if "judge" in data.by else None
    # No score of this board is shown, so that the quickest scale will do.
    on_logs = rank_settings.settled_for(settings.changed(scale="log"), text, model, data.default_scale)
    board = board_of(model, on_logs, data, support.left_out(sets))
    values, p, test = _matrix(board, data, options.seed)
    counts = (data if ratings is None else data.by_one_unit(None, text)).pairs(model_statistic.order_of(model, data))
    own = pair_shares.shares(counts, ties="half")
    expected = board.has_chances and test == "sign"
    differ = _squared(counts, own.p(values[counts.first, counts.second]), np.nan) if expected else None
    if options.test == "model":
        p, test = _by_model(board, data), "model"
    record = [_squared(counts, won, 0.0, lost) for won, lost in _sides(counts)]
    share = _squared(counts, own.share, np.nan, 1 - own.share)
    if options.by == "pair":
        if test != "sign":
            raise PlanError(
                f"{spelling.option('by', 'pair')} is about each pair's own record, which the {test} test is not about",
                remedy=f"Use {spelling.option('model', 'bradley-terry')} with its own test, or leave it out.",
            )
        values, differ = share, None
    order = [board.fit.systems.index(row.system) for row in board]
    square = np.ix_(order, order)
    tests, ranks, critical = _ranks(data, options.level) if len(order) > 2 else ((), None, None)
    corrected = _corrected(p[square], options.correction)
    apart = None if differ is None else _corrected(differ[square], "holm") <= 1 - options.level
    return AllPairs(
        settings=options.changed(model=board.mechanism, unit=data.unit),
        data=board.data,
        reading=sets.reading,
        findings=(
            *board.findings,
            *support.few(counts.units if ratings is None else ratings.units),
            *support.not_resampled(data.unit, data.other_units, hint=hint),
            *([] if ratings is None else [kinds.comparisons.JUDGES_IN_MEAN.found()]),
        ),
        test=test,
        expected=expected,
        systems=tuple(row.system for row in board),
        values=values[square],
        share=share[square],
        record=np.stack([side[square] for side in record]),
        p=p[square],
        p_adjusted=corrected,
        differs=apart,
        omnibus=tests,
        ranks=ranks,
        critical_difference=critical,
    )


def _sides(counts: PairCounts) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Return a system's wins, ties and losses, each from the first and from the second one's side."""
    won, tied, lost = counts.outcomes
    return (won, lost), (tied, tied), (lost, won)


def _squared(counts: PairCounts, of_first: FloatArray, otherwise: float, of_second: Any = None) -> FloatArray:
    """Return systems × systems from what the first, and the second, system of each pair has."""
    matrix = np.full((counts.size, counts.size), otherwise)
    matrix[counts.first, counts.second] = of_first
    matrix[counts.second, counts.first] = of_first if of_second is None else of_second
    return matrix


def _corrected(p: FloatArray, correction: str) -> FloatArray:
    """Correct p for the number of pairs that met; those that did not are distinguished by nothing."""
    first, second = np.triu_indices(len(p), 1)
    met = ~np.isnan(p[first, second])
    corrected = np.ones_like(p)
    corrected[first[met], second[met]] = adjusted(p[first[met], second[met]], correction)
    return np.where(np.arange(len(p))[:, None] > np.arange(len(p)), corrected.T, corrected)


def _matrix(board: Leaderboard, data: DataSet, seed: int) -> tuple[FloatArray, FloatArray, str]:
    """Return values and p of every pair, and the test's name."""
    model, scores = board.model, data.statistic(ScoreMatrix)
    if isinstance(model, Corpus):
        return _of_whole(data, seed)
    if scores is not None and isinstance(model, Mean | Median):
        values, p, test = _of_scores(model, scores, data)
    else:
        values, p, test = _chances(board), all_pairs_tests.sign_tests(data.pairs()), "sign"
    if scores is not None and data.groups is not None:
        return values, _by_group(scores, data.groups.codes, test, data.tolerance, seed), test
    if scores is not None and "judge" in data.by:
        return values, _by_judge(data, scores), test
    return values, p, test


def _of_scores(model: Mean | Median, scores: ScoreMatrix, data: DataSet) -> tuple[FloatArray, FloatArray, str]:
    if isinstance(model, Median):
        if model.of == "differences":  # the sign test asks whether their median is 0
            return all_pairs_tests.median_differences(scores.values), all_pairs_tests.sign_tests(data.pairs()), "sign"
        return *all_pairs_tests.mood_tests(scores.values), "mood"
    if model.trim:
        raise PlanError("a trimmed mean has no test of pairs. Compare by mean, or by median.")
    return *all_pairs_tests.t_tests(scores.values), "t"


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
        pair = whole_set_tests.PairedParts(scores.metric, first, second, units, scores.lower_is_better)
        values[one, two] = pair.difference(np.ones((pair.units, 1)))[0]
        values[two, one] = -values[one, two]
        p[one, two] = p[two, one] = whole_set_tests.randomisation(pair, np.random.default_rng(seed)).p
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


def _by_model(board: Leaderboard, data: DataSet) -> FloatArray:
    """Return Wald's test of all pairs, by Student's t with units − 1; NaN where a strength is not determined."""
    counts, _ = model_statistic.statistic_for(board.model, data)
    covariance = board.model.covariance(board.fit, counts, clustered=True)
    if covariance is None:
        raise PlanError(
            f"{board.mechanism} has no covariance matrix to test with",
            remedy=f"Use {spelling.option('test', 'auto')}, or a model with a likelihood such as bradley-terry.",
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
    rankings = data.rankings if isinstance(data, RankedSet) else None
    blocks = _scored(data) if rankings is None else ranked_blocks(rankings, data.by)
    if blocks is None or len(blocks.values) < 2:
        return (), None, None
    mean = average_ranks(-blocks.values).mean(axis=0)
    ranks = dict(zip(blocks.systems, mean.tolist(), strict=True))
    tests = omnibus_tests.omnibus(blocks.values) if rankings is None else [omnibus_tests.friedman(blocks.values)]
    if blocks.of:
        tests = [replace(test, note=f"{test.note}, over {len(blocks.values):,} {blocks.of}s") for test in tests]
    return tuple(tests), ranks, omnibus_tests.critical_difference(len(blocks.values), blocks.values.shape[1], level)


def _scored(data: DataSet) -> Blocks | None:
    """Return the scores of items, or the means of groups, that have all systems."""
    scores = data.statistic(ScoreMatrix)
    if scores is None:
        return None
    complete: BoolArray = ~np.any(np.isnan(scores.values), axis=1)
    values = scores.values[complete]
    if data.groups is not None and len(values):
        values = means(values, data.groups.codes[complete])
    return Blocks(scores.systems, values)
