"""One-sided intervals of differences between the best system and cheaper ones, on the scale of a board."""

from collections.abc import Sequence

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, parallel
from betterthan.datasets import DataSet, ScoreMatrix
from betterthan.inference import ByJudge, Differences, mcnemar, questions
from betterthan.models import Mean
from betterthan.uncertainty import Draws, scales
from betterthan.verbs.rank.leaderboard import Leaderboard

#: Scales on which a difference of log-strengths is one of scores, and the size of its unit.
LINEAR = {"log": 1.0, "elo": scales.ELO}


def gaps_to(
    board: Leaderboard, data: DataSet, best: str, others: Sequence[str], level: float
) -> list[tuple[float, float | None]]:
    """Return how much better others are than the best system, and the least that this may be, one-sided.

    Mean scores have the interval that a comparison of the two recommends. Of right and wrong answers the score test
    counts as well, because losses without wins are rarer in samples than Bonett and Price's interval allows for. Other
    scores have the errors of the board's draws. Where scores are missing, the longer interval counts.
    """
    assert board.draws is not None
    first, systems, unit = board.fit.systems.index(best), board.fit.systems, LINEAR.get(board.settings.scale or "", 1.0)
    places = np.array([systems.index(system) for system in others], dtype=np.int64)
    gap = (board.fit.strength[places] - board.fit.strength[first]) * unit
    reach = _by_draws(board.draws, first, places, level) * unit
    plain = isinstance(board.model, Mean) and not board.model.trim
    statistic = data.statistic(ScoreMatrix) if plain else None
    if isinstance(statistic, ScoreMatrix):
        with parallel.one_blas_thread():
            own = np.array([_of_means(statistic, best, other, level, board.settings.seed) for other in others])
        complete = not np.any(np.isnan(statistic.values))
        reach = own if complete else np.where(np.isnan(own), reach, np.fmax(own, reach))
    return [
        (float(each), None if np.isnan(down) else float(each - down)) for each, down in zip(gap, reach, strict=True)
    ]


def _by_draws(draws: Draws, first: int, places: IntArray, level: float) -> FloatArray:
    """Return how far differences reach down by the errors of draws; NaN where no draw changes them."""
    errors = draws.errors.differences(places, np.full(len(places), first, dtype=np.int64))
    reach = errors.reach(max(2 * level - 1, 1e-9))
    fixed = np.sqrt(np.max(errors.variances, axis=0)) <= draws.resolution + 1e-12
    found: FloatArray = np.where(fixed, np.nan, reach)
    return found


def _of_means(statistic: ScoreMatrix, best: str, other: str, level: float, seed: int) -> float:
    """Return how far the mean difference of two systems reaches down, on the items that both have."""
    pair = (statistic.systems.index(other), statistic.systems.index(best))
    both: BoolArray = np.all(~np.isnan(statistic.values[:, list(pair)]), axis=1)
    if not np.any(both):
        return float("nan")
    judged, units = statistic.ratings, statistic.units
    group = units.factors[0] if units.factors and judged is None else np.arange(len(both))
    differences = Differences(
        statistic.values[both, pair[0]],
        statistic.values[both, pair[1]],
        group[both],
        by_judge=None if judged is None else ByJudge.of(judged, pair, both, 0.0),
    )
    recommended = questions.recommended_for_mean(differences)
    effect = questions.mean_answer(differences, max(2 * level - 1, 1e-9), seed, recommended).effect
    if effect.low is None or effect.value is None:
        return float("nan")
    low = effect.low
    if recommended[0] == "mcnemar-mid-p":
        won, lost = (int(np.sum(differences.values * sign > 0)) for sign in (1, -1))
        low = min(low, differences.range * mcnemar.score_lower_end(won, lost, len(differences.values), level))
    return effect.value - low
