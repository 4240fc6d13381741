"""Scores against costs: the frontier with probabilities, and the cheapest system that is as good as the best."""

from collections.abc import Mapping
from dataclasses import replace
from math import log10

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError, nearest, spelling
from betterthan.datasets import DataSet
from betterthan.options import ANYTIME, FAMILY_WISE, REPEATED, Plan, Settings
from betterthan.uncertainty import Draws
from betterthan.verbs.rank.board_frontier import CheaperSystem, Frontier, FrontierRow, SameQuality
from betterthan.verbs.rank.cost_differences import LINEAR, gaps_to
from betterthan.verbs.rank.leaderboard import Leaderboard


def need_intervals(given: Plan | Settings, within: float | None) -> None:
    """Refuse a margin where no interval can say that a cheaper system is within it."""
    if within is None:
        return
    against = None
    if given.ci == "none" or given.ci in REPEATED:
        against = "ci"
    elif given.horizon == ANYTIME:
        against = "horizon"
    if against is not None:
        raise PlanError(
            f"{spelling.option('same_within', f'{within:g}')} needs an interval of a difference, which "
            f"{spelling.option(against, getattr(given, against))} does not have",
            remedy="Leave one of them out.",
        )


def with_frontier(board: Leaderboard, data: DataSet, costs: Mapping[str, float], within: float | None) -> Leaderboard:
    """Return a board with its frontier; costs are by the names of systems."""
    need_intervals(board.settings, within)
    systems = board.fit.systems
    unknown = tuple(name for name in costs if name not in systems)
    if len(unknown) == len(costs):
        raise PlanError(
            f"none of the systems with a cost is on the board. {nearest(unknown[0], systems)}",
            remedy="Name the systems as the evidence does.",
        )
    placed = [row for row in board if row.rank is not None and row.score is not None and row.system in costs]
    places = np.array([systems.index(row.system) for row in placed], dtype=np.int64)
    cost = np.array([costs[row.system] for row in placed])
    strength, resolution = board.fit.strength[places], board.fit.resolution
    dominates = _dominates(strength, cost, resolution)
    on = ~np.any(dominates, axis=0)
    shares = None if board.draws is None else _shares(board.draws, places, cost)
    shown = _shown(board, places, cost, on)
    rows = [
        FrontierRow(
            row.system,
            float(cost[place]),
            row.score,
            bool(on[place]),
            None if shown is None else bool(shown[place]),
            None if shares is None else float(shares[place]),
            tuple(placed[each].system for each in np.flatnonzero(dominates[:, place] & on)),
        )
        for place, row in enumerate(placed)
    ]
    known = {row.system for row in rows}
    others = [
        FrontierRow(row.system, costs.get(row.system), None if row.rank is None else row.score, None, None, None, ())
        for row in board
        if row.system not in known
    ]
    ordered = sorted(rows, key=lambda row: row.cost or 0.0)  # stable: of equal costs the better one first
    found = Frontier(
        rows=(*ordered, *others),
        same_quality=None if within is None else _same_quality(board, data, costs, within),
        unknown=unknown,
        score=board.score_title,
        digits=_digits(board, within),
        level=board.settings.level,
    )
    return replace(board, priced=found)


def _dominates(strength: FloatArray, cost: FloatArray, resolution: float) -> BoolArray:
    """Return whether the row's system costs at most as much as the column's and scores at least as well.

    One of both must be strict: of systems with the same cost and the same score, neither dominates.
    """
    near = resolution + 1e-12 * np.maximum(np.abs(strength[:, None]), np.abs(strength))
    gap, cheaper = strength[:, None] - strength, cost[:, None] < cost
    found: BoolArray = (cheaper & (gap >= -near)) | ((cost[:, None] == cost) & (gap > near))
    return found


def _shares(draws: Draws, places: IntArray, cost: FloatArray) -> FloatArray:
    """Return the share of draws in which every system is on the frontier, by the best of those that cost less."""
    share, cheaper = np.empty(len(places)), np.full(len(draws.strength), -np.inf)
    for price in np.unique(cost):
        group = np.flatnonzero(cost == price)
        strength = draws.strength[:, places[group]]
        near = draws.resolution + 1e-12 * np.abs(strength)
        best = strength.max(axis=1)
        dominated = (cheaper[:, None] >= strength - near) | (best[:, None] > strength + near)
        share[group] = 1 - dominated.mean(axis=0)
        cheaper = np.maximum(cheaper, best)
    return share


def _shown(board: Leaderboard, places: IntArray, cost: FloatArray, on: BoolArray) -> BoolArray | None:
    """Return whether decisions about pairs show that systems are on the frontier, or that they are not."""
    settings, decisions = board.settings, board.decisions
    if decisions is None or settings.clusters != FAMILY_WISE or settings.ci in REPEATED:
        return None
    above = decisions.above[np.ix_(places, places)]
    rival = (cost[:, None] <= cost) & ~np.eye(len(cost), dtype=bool)
    found: BoolArray = np.all(above.T | ~rival, axis=0)
    found[~on] = np.any(above & rival, axis=0)[~on]
    return found


def _same_quality(board: Leaderboard, data: DataSet, costs: Mapping[str, float], within: float) -> SameQuality | None:
    """Return the cheapest system whose difference from the best one is shown to be above −`within`."""
    settings = board.settings
    if settings.scale is not None and settings.scale not in LINEAR:
        raise PlanError(
            f"{spelling.option('same_within', f'{within:g}')} is a difference of scores, and a difference on the scale "
            f"{settings.scale} depends on all other systems",
            remedy=f"Use {spelling.option('scale', 'elo')} or {spelling.option('scale', 'log')}.",
        )
    first = [row.system for row in board if row.rank == 1]
    priced = [system for system in first if system in costs]
    if not priced:
        return SameQuality(first[0], None, within, settings.level, None, None, ()) if first else None
    best = min(priced, key=lambda system: costs[system])
    cheaper = [row for row in board if row.rank is not None and costs.get(row.system, np.inf) < costs[best]]
    cheaper.sort(key=lambda row: (costs[row.system], -board.fit.strength[board.fit.systems.index(row.system)]))
    # Lower ends hold for all candidates together (Bonferroni), because the cheapest of those shown is chosen.
    level = 1 - (1 - settings.level) / max(len(cheaper), 1)
    gaps = gaps_to(board, data, best, [row.system for row in cheaper], level)
    candidates = tuple(
        CheaperSystem(row.system, 1 - costs[row.system] / costs[best], gap, low, low is not None and low > -within)
        for row, (gap, low) in zip(cheaper, gaps, strict=True)
    )
    chosen = next((each for each in candidates if each.shown), None)
    return SameQuality(
        best,
        costs[best],
        within,
        settings.level,
        None if chosen is None else chosen.system,
        None if chosen is None else chosen.cheaper,
        candidates,
    )


def _digits(board: Leaderboard, within: float | None) -> int:
    """Return the decimals of scores and differences: those of the board, and what a small margin needs."""
    shown = len(board.shown(0.0).partition(".")[2])
    return shown if within is None else max(shown, min(int(np.ceil(1 - log10(within))), 6))
