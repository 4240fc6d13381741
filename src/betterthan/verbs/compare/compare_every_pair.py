"""Compare all pairs of systems: by the decisions of a leaderboard, or each pair by its own test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import DataSet, JudgedSet, PairCounts, RankedSet, ScoreMatrix, data_sets, effective_units
from betterthan.evidence import Reading
from betterthan.findings import Finding, kinds
from betterthan.inference import Test, adjusted, average_ranks, omnibus_tests, pair_shares
from betterthan.models import Mean
from betterthan.options import JOINT, ComparePairsOptions, Plan, takes
from betterthan.verbs.compare.all_pairs_result import AllPairs
from betterthan.verbs.compare.friedman_blocks import Blocks, means, ranked_blocks
from betterthan.verbs.compare.own_pair_tests import own_tests
from betterthan.verbs.rank import Leaderboard, board_of, model_statistic
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.rank import settings as rank_settings


@takes(ComparePairsOptions)
def compare_all(evidence: Any, options: ComparePairsOptions) -> AllPairs:
    """Compare every pair of systems by a model: the decisions that rank ranges and clusters of `rank` are read from.

    `by="pair"` compares each pair by its own record or scores instead, with its own test: t for the mean, Mood's for
    the median, the sign test for all others. A model can hide circles, which these show. Several models are compared
    by `compare_models`.
    """
    if options.by == "pair" and options.horizon is not None:
        raise PlanError(
            "tests of single pairs are for one look at the end",
            remedy=f"Leave out {spelling.option('horizon')}, or {spelling.option('by', 'pair')}.",
        )
    if options.by == "pair" and options.control is not None:
        raise PlanError(
            f"tests of single pairs by their own record do not control for {options.control}",
            remedy=f"Leave out {spelling.option('by', 'pair')}, or {spelling.option('control')}.",
        )
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance, takes_labels=True)
    given = sets.only("the comparison of all pairs")
    if options.by == "pair" and given.labelled:
        raise PlanError(
            "tests of single pairs by their own record are not corrected by people's labels",
            remedy=f"Leave out {spelling.option('by', 'pair')}, or {spelling.option('gold')}.",
        )
    plan = Plan(
        model=options.model or given.main_model,
        ties=options.ties,
        ci="none" if options.by == "pair" else None,
        resamples=options.resamples,
        level=options.level,
        horizon=options.horizon,
        seed=options.seed,
        tolerance=options.tolerance,
        control=options.control,
    )
    settings = rank_settings.settle(plan, given)
    models = rank_settings.models_of(settings)
    if len(models) > 1:
        raise PlanError(
            f"pairs are compared by one model, got {options.model}",
            remedy=f"Choose one, or use {spelling.verb('compare_models')}.",
        )
    text, model = models[0]
    data = model_statistic.by_units_of(model, given, options.unit)
    hint = None if data is given else support.BY_MEAN
    # No score of this board is shown, so that the quickest scale will do.
    on_logs = rank_settings.settled_for(settings.changed(scale="log"), text, model, data.default_scale)
    board = board_of(model, on_logs, data, support.left_out(sets), hint=hint, fewer=options.resamples is None)
    return pairs_of(board, given, options, rank_settings.reading_with(sets, options.control))


def pairs_of(
    board: Leaderboard, data: DataSet, options: ComparePairsOptions, reading: Reading | None = None
) -> AllPairs:
    """Compare all pairs by the decisions of a board, or by their own tests where that is asked or it has none."""
    by = "pair" if board.decisions is None else options.by or "model"
    asked = options.unit if by == "pair" else None
    by_judge = isinstance(board.model, Mean)  # a trimmed one has no test
    alone = data if by_judge else data.by_items_alone(asked, f"this test of {board.mechanism}")
    found = _by_pair(board, alone, options) if by == "pair" else _by_model(board, options)
    judged = "+" in alone.unit and alone.statistic(ScoreMatrix) is not None
    single = alone.by_one_unit(None, board.mechanism) if judged else alone
    by_people = single.pairs_by_people() if board.correction is not None and isinstance(single, JudgedSet) else None
    counts = by_people or single.pairs(model_statistic.order_of(board.model, single))
    own = pair_shares.shares(counts, ties="half")
    chances = _chances(board)
    contradicted = (
        _corrected(_squared(counts, own.p(chances[counts.first, counts.second]), np.nan), "holm") <= 1 - options.level
        if board.has_chances and by == "model" and board.control is None and board.correction is None
        else None
    )
    share = _squared(counts, own.share, np.nan, 1 - own.share)
    record = np.stack([_squared(counts, won, 0.0, lost) for won, lost in _sides(counts)])
    by_share = by == "pair" and not board.has_chances
    values = found.values if found.values is not None else share if by_share else chances
    order = [board.fit.systems.index(row.system) for row in board]
    square = np.ix_(order, order)
    tests, ranks, critical = _ranks(alone, options.level) if len(order) > 2 else ((), None, None)
    return AllPairs(
        settings=options.changed(
            model=board.mechanism,
            ties=board.settings.ties,
            unit=found.unit,
            by=by,
            correction=found.correction,
            horizon=board.settings.horizon if by == "model" else None,
        ),
        data=board.data,
        reading=reading,
        findings=tuple(dict.fromkeys((*_of_pairs(board.findings), *found.findings))),
        test=found.test,
        expected=board.has_chances and found.values is None,
        systems=tuple(row.system for row in board),
        values=values[square],
        share=share[square],
        record=np.stack([side[square] for side in record]),
        p=found.p[square],
        p_adjusted=found.p_adjusted[square],
        sign=(found.sign if found.sign is not None else _signs(found.values, share))[square],
        differs=None if contradicted is None else contradicted[square],
        omnibus=tests,
        ranks=ranks,
        critical_difference=critical,
        scope=alone.scope()
        if by == "pair"
        else data.settled(board.settings.unit or None, data.tolerance).scope(anytime=board.settings.anytime),
    )


def _of_pairs(findings: Sequence[Finding]) -> list[Finding]:
    """Leave out what is about rank ranges and intervals of scores, which pairs do not show."""
    of_boards = {kinds.collecting.ANY_LOOK.code, kinds.collecting.ADAPTIVE_CHOICE.code}
    return [each for each in findings if each.code not in of_boards | {kinds.collecting.UNEQUAL_CHANCES.code}]


@dataclass(frozen=True)
class _Tested:
    """Tests of all pairs, in the order of the fit, and how they were made."""

    values: FloatArray | None  # differences, where the pairs have any
    p: FloatArray
    p_adjusted: FloatArray
    test: str
    unit: str
    correction: str
    sign: IntArray | None = None  # of the model's differences
    findings: tuple[Finding, ...] = ()


def _by_model(board: Leaderboard, options: ComparePairsOptions) -> _Tested:
    """Read the board's decisions; another correction than theirs starts from the p-values of single pairs."""
    decisions = board.decisions
    assert decisions is not None
    test, joint = ("anytime", "holm") if board.settings.anytime else ("model", JOINT)
    correction = joint if options.correction in {None, JOINT} else str(options.correction)
    p = np.where(decisions.apart[:, None] | decisions.apart, np.nan, decisions.p)
    np.fill_diagonal(p, 1.0)
    corrected = decisions.p_adjusted if correction == joint else _corrected(p, correction)
    strength = board.fit.strength
    values = None if board.has_chances else strength[:, None] - strength
    return _Tested(values, p, corrected, test, board.settings.unit, correction, decisions.sign)


def _by_pair(board: Leaderboard, data: DataSet, options: ComparePairsOptions) -> _Tested:
    """Test every pair by its own record or scores."""
    if options.correction == JOINT:
        raise PlanError(
            f"tests of single pairs cannot be corrected jointly, got {spelling.option('correction', JOINT)}",
            remedy=f"Use {spelling.option('correction', 'holm')}, or leave it out.",
        )
    correction = options.correction or "holm"
    values, p, test = own_tests(board.model, data, options.seed)
    ratings = data.statistic(ScoreMatrix) if "+" in data.unit else None
    few = support.few(effective_units.unit_numbers(data.pairs().units if ratings is None else ratings.units))
    told = (kinds.comparisons.JUDGES_IN_MEAN.found(),) if ratings is not None and "judge" in data.by else ()
    others = support.not_resampled(data.unit, data.other_units)
    return _Tested(values, p, _corrected(p, correction), test, data.unit, correction, findings=(*few, *others, *told))


def _sides(counts: PairCounts) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Return a system's wins, ties and losses, each from the first and from the second one's side."""
    won, tied, lost = counts.outcomes
    return (won, lost), (tied, tied), (lost, won)


def _signs(differences: FloatArray | None, share: FloatArray) -> IntArray:
    """Return which of two systems has the better scores or the larger share; 0 where that is open."""
    difference = share - 0.5 if differences is None else differences
    return np.sign(np.nan_to_num(difference)).astype(np.int64)


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
    if scores is None or not data.single_items:
        return None
    complete: BoolArray = ~np.any(np.isnan(scores.values), axis=1)
    values = scores.values[complete]
    if data.groups is not None and len(values):
        values = means(values, data.groups.codes[complete])
    return Blocks(scores.systems, values)
