"""Overall scores of several tasks, from the draws and decisions of their leaderboards."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from betterthan.base import FloatArray, PlanError, spelling
from betterthan.datasets import ScoredSet, scope_of_tasks
from betterthan.findings import Finding, kinds
from betterthan.inference import Estimate, adjusted, task_mean
from betterthan.models import Mean
from betterthan.options import ANYTIME, FAMILY_WISE, REPEATED
from betterthan.present import chance
from betterthan.uncertainty import Decisions, Draws, ranks_and_clusters, resampling, task_draws
from betterthan.verbs.rank.board_overview import Overview
from betterthan.verbs.rank.joint_scores import blocks_of, side_by_side
from betterthan.verbs.rank.leaderboard import Leaderboard
from betterthan.verbs.rank.overall_board import OverallBoard, OverallRow, TaskDifference
from betterthan.verbs.rank.overall_rule import OverallRule, in_own_unit


def overall_board(
    overview: Overview, tables: Sequence[ScoredSet], rule: OverallRule, *, random: bool
) -> tuple[OverallBoard | None, list[Finding]]:
    """Return the overall board of the leaderboards of an overview, and findings about it.

    None where fewer than two systems have all tasks. Leaderboards without intervals, or whose decisions hold at every
    look, have an overall score without an interval.
    """
    boards, value = overview.boards, dict(zip(overview.systems, overview.overall, strict=True))
    systems = [system for system in overview.systems if value[system] is not None]
    if len(systems) < 2:
        return None, []
    sign = -1.0 if rule.kind == "mean rank" or boards[0].fit.lower_is_better else 1.0
    strength = sign * np.array([value[system] for system in systems], dtype=float)
    used = [(board, weight) for board, weight in zip(boards, rule.weights, strict=True) if weight > 0]
    tasks = None
    if all(board.draws is not None and board.settings.horizon != ANYTIME for board, _ in used):
        tasks = _task_draws(used, tables, systems, rule)
    if random:
        _need_tasks(_by_data_set(used))
    settings, draws, decisions = boards[0].settings, None, None
    if tasks is not None:
        shares = [sum(weight for _, weight in group) for group in _by_data_set(used)]
        draws, decisions = task_draws.decide_over_tasks(
            strength, tasks, settings.level, random=shares if random else None, seed=settings.seed
        )
    rows = _rows(overview, systems, strength, sign, draws, decisions, rule)
    between = _between(overview, [row.system for row in rows[:2]], rule, settings.level)
    varies = None if draws is None else _heterogeneity(used, rows, rule)
    leader = systems.index(rows[0].system)
    lacking = tuple(system for system in overview.systems if value[system] is None)
    found = OverallBoard(
        overall_is=rule.kind,
        average=rule.average,
        weights=rule.weights,
        tasks=tuple(board.title for board in boards),
        random=random,
        level=settings.level,
        scope=scope_of_tasks(len(_by_data_set(used)) if random else len(used), random=random),
        rows=rows,
        p_first=None if decisions is None else decisions.p_first(leader),
        difference=_overall_difference(
            [systems.index(row.system) for row in rows[:2]], sign * strength, draws, settings.level
        ),
        between=between,
        heterogeneity=varies,
        lacking=lacking,
    )
    return found, _findings(found, used)


def _by_data_set(used: Sequence[tuple[Leaderboard, float]]) -> list[list[tuple[Leaderboard, float]]]:
    """Group leaderboards that may share items: metrics of one data set. Judgments of two data sets share none."""

    def key(one: tuple[Leaderboard, float]) -> tuple[str, str]:
        board = one[0]
        return (board.named[0], "") if any(board.named) else ("", board.title)

    order = {found: place for place, found in enumerate(dict.fromkeys(map(key, used)))}
    return [list(group) for _, group in groupby(sorted(used, key=lambda one: order[key(one)]), key=key)]


def _need_tasks(groups: Sequence[Sequence[tuple[Leaderboard, float]]]) -> None:
    """Refuse random tasks where there is one: it says nothing about others."""
    if len(groups) < 2:
        raise PlanError(
            f"{spelling.option('random', 'task')} needs several data sets, because metrics of one data set are no "
            "sample of tasks",
            remedy=f"Name the column of data sets with {spelling.option('dataset')}, or leave it out.",
        )


def _task_draws(
    used: Sequence[tuple[Leaderboard, float]], tables: Sequence[ScoredSet], systems: Sequence[str], rule: OverallRule
) -> list[task_draws.TaskDraws]:
    """Return the draws of every data set: those of several metrics are drawn together where that is possible."""
    scored = {each.title: each for each in tables}
    return [
        _together(group, [scored[board.title] for board, _ in group if board.title in scored], systems, rule)
        for group in _by_data_set(used)
    ]


def _together(
    group: Sequence[tuple[Leaderboard, float]], sets: Sequence[ScoredSet], systems: Sequence[str], rule: OverallRule
) -> task_draws.TaskDraws:
    boards, weights = [board for board, _ in group], [weight for _, weight in group]
    settings = boards[0].settings
    joint = None
    if 1 < len(group) == len(sets) and settings.ci not in REPEATED:
        joint = side_by_side(sets, [board.model for board in boards])
    places = [np.array([board.fit.systems.index(system) for system in systems]) for board in boards]
    if joint is None:  # every metric alone; what is not known to be independent counts as correlated
        parts = [
            _of(board.draws, board.fit.strength, [np.arange(len(board.fit.systems))], [own], [weight], rule)
            for board, weight, own in zip(boards, weights, places, strict=True)
            if board.draws is not None
        ]
        total = parts[0]
        for part in parts[1:]:
            total = total.plus(part)
        return total
    model = Mean()
    fit = model.fit(joint)
    if settings.ci == "bootstrap":
        draws = resampling.bootstrap(
            model, fit, joint, resamples=settings.resamples, seed=settings.seed, buckets=settings.buckets
        )
    else:
        rows = 0 if boards[0].draws is None else len(boards[0].draws.strength)
        draws = resampling.analytic(
            model, fit, joint, clustered=settings.ci == "analytic", draws=rows, seed=settings.seed
        )
    return _of(draws, fit.strength, blocks_of(sets), places, weights, rule)


def _of(  # noqa: PLR0917 (what draws of a task are made of)
    draws: Draws,
    centre: FloatArray,
    blocks: Sequence[np.ndarray],
    own: Sequence[np.ndarray],
    weights: Sequence[float],
    rule: OverallRule,
) -> task_draws.TaskDraws:
    if rule.kind == "mean rank":
        return task_draws.TaskDraws.of_ranks(draws, centre, blocks, np.stack(own), weights)
    columns = [block[places] for block, places in zip(blocks, own, strict=True)]
    return task_draws.TaskDraws.of_strengths(draws, centre, columns, weights)


def _rows(  # noqa: PLR0917 (what rows are made of)
    overview: Overview,
    systems: Sequence[str],
    strength: FloatArray,
    sign: float,
    draws: Draws | None,
    decisions: Decisions | None,
    rule: OverallRule,
) -> tuple[OverallRow, ...]:
    size = len(systems)
    nobody = np.zeros(size, dtype=bool)
    ranks = ranks_and_clusters.ranks_of(strength, nobody, 1e-12 * max(1.0, float(np.abs(strength).max())))
    order = sorted(range(size), key=lambda place: (ranks[place], systems[place]))
    settings = overview.boards[0].settings
    low: list[float | None] = [None] * size
    high: list[float | None] = [None] * size
    ranges: list[tuple[int | None, int | None]] = [(None, None)] * size
    clusters: list[int | None] = [None] * size
    best: list[float | None] = [None] * size
    if draws is not None and decisions is not None:
        family = settings.clusters == FAMILY_WISE and settings.ci not in REPEATED
        first, last = decisions.ranges if family else ranks_and_clusters.rank_ranges(draws, settings.level)
        ranges = list(zip(first.tolist(), last.tolist(), strict=True))
        clusters = ranks_and_clusters.clusters(order, first, last, nobody)
        best = draws.best()
        low, high = _intervals(overview, systems, sign * strength, draws, settings.level, rule)
    rows = []
    for place in order:
        worst, worst_rank = _worst(overview, systems[place], rule)
        rows.append(
            OverallRow(
                int(ranks[place]),
                systems[place],
                float(sign * strength[place]),
                low[place],
                high[place],
                *ranges[place],
                clusters[place],
                best[place],
                worst,
                worst_rank,
            )
        )
    return tuple(rows)


def _intervals(  # noqa: PLR0917 (what intervals are made of)
    overview: Overview, systems: Sequence[str], value: FloatArray, draws: Draws, level: float, rule: OverallRule
) -> tuple[list[float | None], list[float | None]]:
    """Return the ends of overall scores, by the errors of tasks, and by their intervals where those are wider.

    A task on which all answers are right has no error, but an interval. Ends of independent tasks' intervals are put
    together by the squares of their distances (Zou & Donner 2008).
    """
    reach = draws.errors.singles.reach(level)
    below, above = reach.copy(), reach.copy()
    if rule.kind == "mean":
        cells = dict(zip(overview.systems, overview.cells, strict=True))
        used = [board for board, weight in zip(overview.boards, rule.weights, strict=True) if weight > 0]
        for place, system in enumerate(systems):
            ends = [
                (weight * (cell.value - cell.low), weight * (cell.high - cell.value))
                for weight, cell in zip(rule.weights, cells[system], strict=True)
                if weight > 0 and cell is not None
                if cell.value is not None and cell.low is not None and cell.high is not None
            ]
            if len(ends) == len(used) and any(_flat(board, system) for board in used):
                below[place] = max(below[place], float(np.sqrt(sum(each**2 for each, _ in ends))))
                above[place] = max(above[place], float(np.sqrt(sum(each**2 for _, each in ends))))
    low, high = value - below, value + above
    if rule.kind == "mean rank":
        most = max(len(board.rows) for board in overview.boards)
        low, high = np.maximum(low, 1.0), np.minimum(high, float(most))
    known = np.isfinite(low) & np.isfinite(high) & (high > low)
    if rule.kind == "mean rank":
        known |= high == low  # ranks that no sample changes
    shown = known.tolist()
    return (
        [float(end) if there else None for end, there in zip(low, shown, strict=True)],
        [float(end) if there else None for end, there in zip(high, shown, strict=True)],
    )


def _flat(board: Leaderboard, system: str) -> bool:
    """Whether a system's score on a task does not vary in any draw."""
    if board.draws is None:
        return False
    column = board.draws.strength[:, board.fit.systems.index(system)]
    return float(np.ptp(column)) <= 1e-12 * max(1.0, float(np.abs(column).max()))


def _worst(overview: Overview, system: str, rule: OverallRule) -> tuple[str, int]:
    """Return the task on which a system has its worst rank, and that rank; of equal ones the lowest standard score."""
    row = overview.cells[overview.systems.index(system)]
    ranked = [
        (-cell.rank, _standard_score(board, system), column.name)
        for cell, column, board, weight in zip(row, overview.columns, overview.boards, rule.weights, strict=True)
        if cell is not None and cell.rank is not None and weight > 0
    ]
    rank, _, name = min(ranked)
    return name, -rank


def _standard_score(board: Leaderboard, system: str) -> float:
    """Return how many standard deviations a system lies above the mean of all on a task."""
    strength = board.fit.strength[np.isfinite(board.fit.strength)]
    spread = float(strength.std())
    own = float(board.fit.strength[board.fit.systems.index(system)])
    return (own - float(strength.mean())) / spread if spread > 0 else 0.0


def _between(overview: Overview, pair: Sequence[str], rule: OverallRule, level: float) -> tuple[TaskDifference, ...]:
    """Compare the leader with the next system on every task, by the decisions of its leaderboard."""
    one, two = pair
    found = []
    for board, weight in zip(overview.boards, rule.weights, strict=True):
        if {one, two} <= set(board.fit.systems):
            found.append((board, weight, board.fit.systems.index(one), board.fit.systems.index(two)))
    p = [None if b.decisions is None else float(b.decisions.p[i, j]) for b, _, i, j in found]
    known = [each for each in p if each is not None]
    holm = adjusted(np.array(known), "holm").tolist() if len(known) == len(p) and p else [None] * len(p)
    rows = []
    for (board, weight, i, j), alone, corrected in zip(found, p, holm, strict=True):
        gap = float(board.fit.strength[i] - board.fit.strength[j])
        ahead = one if gap > board.fit.resolution else two if gap < -board.fit.resolution else None
        shown = corrected is not None and corrected <= 1 - level and ahead is not None
        difference = _difference(board, i, j, level)
        rows.append(TaskDifference(board.title, weight, difference, alone, corrected, ahead, shown))
    return tuple(rows)


def _overall_difference(pair: Sequence[int], value: FloatArray, draws: Draws | None, level: float) -> Estimate | None:
    """Return the difference of two overall scores with its interval."""
    gap = float(value[pair[0]] - value[pair[1]])
    if draws is None:
        return Estimate(gap, None, None)
    one, two = (np.array([place]) for place in pair)
    reach = float(draws.errors.differences(one, two).reach(level)[0])
    return Estimate(gap, gap - reach, gap + reach) if reach > 0 else Estimate(gap, None, None)


def _difference(board: Leaderboard, one: int, two: int, level: float) -> Estimate | None:
    """Return the difference of two systems in the unit of the metric; strengths of models have none."""
    if not in_own_unit(board):
        return None
    sign = -1.0 if board.fit.lower_is_better else 1.0
    gap = sign * float(board.fit.strength[one] - board.fit.strength[two])
    if board.draws is None:
        return Estimate(gap, None, None)
    reach = float(board.draws.errors.differences(np.array([one]), np.array([two])).reach(level)[0])
    return Estimate(gap, gap - reach, gap + reach) if reach > 0 else Estimate(gap, None, None)


def _heterogeneity(
    used: Sequence[tuple[Leaderboard, float]], rows: Sequence[OverallRow], rule: OverallRule
) -> task_mean.Heterogeneity | None:
    """Return how much the leader's difference from the next varies; None for metrics of one data set, and for ranks."""
    if rule.kind != "mean" or len(used) < 2 or len(_by_data_set(used)) < len(used):
        return None
    means = []
    for board, _ in used:
        one, two = (np.array([board.fit.systems.index(row.system)]) for row in rows[:2])
        assert board.draws is not None
        variance, freedom = board.draws.errors.differences(one, two).widest(board.settings.level)
        gap = float(board.fit.strength[one[0]] - board.fit.strength[two[0]])
        means.append(task_mean.TaskMean(gap, float(variance[0]), float(freedom[0])))
    return task_mean.heterogeneity(means)


def _findings(found: OverallBoard, used: Sequence[tuple[Leaderboard, float]]) -> list[Finding]:
    findings = [kinds.comparisons.LACKING_TASKS.found(systems=found.lacking)] if found.lacking else []
    kind, varies = kinds.comparisons.TASKS_DIFFER, found.heterogeneity
    if not found.random and varies is not None and varies.p <= kind.thresholds["p"]:
        who = f" of {found.rows[0].system} and {found.rows[1].system}"
        findings.append(kind.found(metric=who, share=varies.i_squared, p_value=chance(varies.p)))
    if found.drawn and len(_by_data_set(used)) > 1 and any("judge" in board.settings.unit for board, _ in used):
        findings.append(
            kinds.resampling.OTHER_UNITS.found(
                unit="item and judge of each task",
                others="judge in several tasks",
                other="item+judge",
                hint="Compare single tasks: their intervals allow for judges.",
            )
        )
    return findings
