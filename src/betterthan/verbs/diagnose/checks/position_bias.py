"""Position bias: whether the side on which a system is shown decides who wins."""

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, arrays, scipy
from betterthan.datasets import crossed_variance
from betterthan.evidence import LEFT, TIE
from betterthan.findings import Finding, kinds
from betterthan.inference import tails
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 140


def check(case: ExaminedData) -> list[Finding]:
    """Compare judgments of the same pair shown one way and the other (Cochran, Mantel and Haenszel)."""
    if not case.data.pairwise:
        return []  # sides of rankings and scores are ours, not the judges'
    tally = case.data.tally()
    kept = tally.outcome != TIE
    if not np.any(kept):
        return []
    left, right = tally.left[kept], tally.right[kept]
    times, weight = tally.times[kept], tally.weight[kept]
    straight = left < right
    won = np.where(straight, tally.outcome[kept] == LEFT, tally.outcome[kept] != LEFT).astype(float)
    size = len(tally.systems)
    _, pair = arrays.distinct_keys(np.minimum(left, right) * size + np.maximum(left, right), size**2)
    amount = times * weight
    total = np.bincount(pair, amount)
    shown, wins = np.bincount(pair, amount * straight) / total, np.bincount(pair, amount * won) / total
    share = float(np.sum(amount[straight == (won == 1)]) / np.sum(amount))
    both = (shown > 0) & (shown < 1)
    if not np.any(both):
        return _one_way(times, straight == (won == 1))
    # How far being shown first and winning go together, within pairs, judgment by judgment.
    together = weight * (straight - shown[pair]) * (won - wins[pair])
    by = case.data.by
    codes = [tally.units[unit].codes[kept] for unit in by]
    squares, freedom = _variance(together, times, codes)
    excess = float(np.sum(together * times))
    p = float(2 * tails.t_above(abs(excess) / np.sqrt(squares), freedom)) if squares > 0 else 1.0
    kind = kinds.judges.POSITION_EFFECT if p <= kinds.judges.POSITION_EFFECT.thresholds["p"] else kinds.judges.POSITION
    odds = _odds(pair, amount, straight, won)
    effect = "" if odds is None else f"; the left side multiplies the odds of winning by {odds:.2f}"
    return [kind.found(share=share, p=p, odds=odds, effect=effect)]


def _variance(together: FloatArray, times: FloatArray, codes: list[IntArray]) -> tuple[float, float]:
    """Return the variance of the sum by units, both where two are crossed, and its degrees of freedom."""
    if not codes:
        return float(np.sum(times * together**2)), float(max(times.sum() - 1, 1))

    amount = together * times

    def by(unit: IntArray) -> tuple[float, int]:
        number = int(np.count_nonzero(np.bincount(unit)))
        return float(np.sum(np.bincount(unit, amount) ** 2)) * number / max(number - 1, 1), number

    single = [by(unit) for unit in codes]
    freedom = float(max(min(number for _, number in single) - 1, 1))
    if len(single) == 1:
        return single[0][0], freedom
    common = by(arrays.grouped(codes)[0])[0]
    return float(crossed_variance.crossed_variance(single[0][0], single[1][0], common)), freedom


def _one_way(times: FloatArray, left_won: BoolArray) -> list[Finding]:
    """Return how often the left side won where no pair was shown both ways: side and system cannot be distinguished."""
    number, wins = round(float(times.sum())), round(float(times[left_won].sum()))
    share = wins / number
    p = float(scipy.stats.binomtest(wins, number).pvalue)
    return [
        kinds.judges.FIXED_SIDES.found(
            level="warning" if p < kinds.judges.FIXED_SIDES.thresholds["p"] else "info", share=share
        )
    ]


def _odds(pair: IntArray, amount: FloatArray, straight: BoolArray, won: FloatArray) -> float | None:
    """Return the effect of the left side on the odds (the root of Mantel and Haenszel's common odds ratio)."""
    total = np.bincount(pair, amount)

    def cell(chosen: BoolArray) -> FloatArray:
        return np.bincount(pair, amount * chosen, len(total)).astype(np.float64)

    gain = float(np.sum(cell(straight & (won == 1)) * cell(~straight & (won == 0)) / total))
    loss = float(np.sum(cell(straight & (won == 0)) * cell(~straight & (won == 1)) / total))
    return float(np.sqrt(gain / loss)) if gain > 0 and loss > 0 else None
