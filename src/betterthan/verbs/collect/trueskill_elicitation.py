"""Elicitation with TrueSkill, many runs in parallel (Sakaguchi, Post & Van Durme 2014, section 2.4).

What the policy `wmt` chooses one by one; in one array for all runs it takes a hundredth of the time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

#: The β of WMT's preset in units of n·σ², as the paper prints it; its code has twice as much.
BETA = 0.025
#: Random numbers are drawn for that many judgments at once.
_BLOCK = 256
_LOG_ROOT_TAU = 0.5 * np.log(2 * np.pi)


class Outcomes(NamedTuple):
    """Outcome probabilities of pairs (systems × systems): that the row's system wins, and that it wins or ties."""

    wins: FloatArray
    wins_or_ties: FloatArray
    open_to: BoolArray  # pairs that have judgments at all

    @classmethod
    def of(cls, size: int, first: IntArray, second: IntArray, outcomes: FloatArray) -> "Outcomes":
        """Take counted outcomes of pairs (3 × pairs) as chances: a judgment is drawn from those there are."""
        counts = np.zeros((3, size, size))
        counts[:, first, second] = outcomes
        counts[:, second, first] = outcomes[::-1]
        total = counts.sum(axis=0)
        shares = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
        return cls(shares[0], shares[0] + shares[1], total > 0)


class Elicited(NamedTuple):
    """Beliefs at the end of every run (runs × systems), and the requested judgments (judgments × runs)."""

    mean: FloatArray
    variance: FloatArray
    first: NDArray[np.int16]
    second: NDArray[np.int16]
    outcome: NDArray[np.int16]  # 0 the first won, 1 tie, 2 the second won


def elicit(world: Outcomes, judgments: int, runs: int, rng: np.random.Generator, *, beta: float = BETA) -> Elicited:
    """Let TrueSkill with WMT's settings choose its judgments: who is least known, against one that is near.

    The first system has the largest variance (ties at random). The second is drawn in proportion to exp(−|difference of
    means|) among those it has judgments with, and the judgment with replacement from theirs. `beta` is that of a
    performance in units of n·σ² for n judgments.

    >>> world = Outcomes.of(2, np.array([0]), np.array([1]), np.array([[3.0], [0.0], [0.0]]))
    >>> elicit(world, 10, 1, np.random.default_rng(0)).mean[0].round(3)
    array([ 0.598, -0.598])
    """
    size = len(world.wins)
    start = Beliefs.start(size, "wmt", judgments)
    start = start._replace(beta2=start.beta2 * (beta / BETA) ** 2)
    mean, variance = np.tile(start.mean, (runs, 1)), np.tile(start.variance, (runs, 1))
    askable = world.open_to.any(axis=1)
    asked = np.empty((3, judgments, runs), dtype=np.int16)
    every = np.arange(runs)
    for begin in range(0, judgments, _BLOCK):
        number = min(_BLOCK, judgments - begin)
        lots, (near, drawn) = rng.random((number, runs, size)), rng.random((2, number, runs))
        for place in range(number):
            known = np.where(askable, variance, -np.inf)
            least = known >= known.max(axis=1, keepdims=True) * (1 - 1e-12)
            first = np.argmax(np.where(least, lots[place], -1.0), axis=1)
            weight = np.exp(-np.abs(mean - mean[every, first, None])) * world.open_to[first]
            reached = np.cumsum(weight, axis=1)
            second = np.sum(reached <= near[place, :, None] * reached[:, -1:], axis=1)
            won, tied = drawn[place] < world.wins[first, second], drawn[place] < world.wins_or_ties[first, second]
            outcome = np.where(won, 0, np.where(tied, 1, 2))
            asked[:, begin + place] = first, second, outcome
            _learn(mean, variance, (every, first), (every, second), outcome, start)
    return Elicited(mean, variance, *asked)


def _learn(  # noqa: PLR0917 (who met, and what came out)
    mean: FloatArray,
    variance: FloatArray,
    first: tuple[IntArray, IntArray],
    second: tuple[IntArray, IntArray],
    outcome: IntArray,
    settings: Beliefs,
) -> None:
    """Update the beliefs about two systems in every run, in place."""
    variance_a, variance_b = variance[first] + settings.tau2, variance[second] + settings.tau2
    total = 2 * settings.beta2 + (variance_a + variance_b)
    scale = np.sqrt(total)
    lead, half = (mean[first] - mean[second]) / scale, settings.margin / scale
    sign = 1.0 - outcome
    tie = outcome == 1
    surprise = sign * lead - half  # of a win or a loss
    v_win = np.exp(-0.5 * surprise**2 - _LOG_ROOT_TAU - scipy.special.log_ndtr(surprise))
    low, high = -half - lead, half - lead
    dense_low, dense_high = (np.exp(-0.5 * end**2 - _LOG_ROOT_TAU) for end in (low, high))
    chance = scipy.special.ndtr(high) - scipy.special.ndtr(low)
    v_tie = (dense_low - dense_high) / chance
    w_tie = v_tie**2 + (high * dense_high - low * dense_low) / chance
    v, w = np.where(tie, v_tie, sign * v_win), np.where(tie, w_tie, v_win * (v_win + surprise))
    mean[first] += variance_a / scale * v
    mean[second] -= variance_b / scale * v
    variance[first] = variance_a * (1 - variance_a / total * w)
    variance[second] = variance_b * (1 - variance_b / total * w)
