"""Rank centrality: the stationary distribution of a walk from losers to winners."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.errors import ModelError
from betterthan.models.base import Fit, ModelBase, Refit, register
from betterthan.models.likelihood.components import component_findings
from betterthan.models.likelihood.links import Logistic
from betterthan.models.likelihood.pairs import Problem
from betterthan.reduce.pairs import PairCounts, decided

_LARGEST = 2000


@register
@dataclass(frozen=True, kw_only=True)
class RankCentrality(ModelBase):
    """Worths as the long-run visits of a walk that moves from a system to those that beat it.

    Assumes Bradley–Terry chances, and estimates them without a likelihood: from i the walk moves to j in proportion
    to the share of comparisons that j won, a tie counting half. Consumes judgments, as pair counts; the score is the
    share of visits, which estimates the worth. Where the walk cannot return, systems are placed as Bradley–Terry
    places them.

    Negahban, Oh & Shah (2017), Rank centrality: ranking from pairwise comparisons, Operations Research 65.
    """

    name: ClassVar[str] = "rank-centrality"
    score: ClassVar[str] = "worth"
    logarithmic: ClassVar[bool] = True
    consumes: ClassVar[tuple[type, ...]] = (PairCounts,)

    def fit(self, counts: PairCounts) -> Fit:
        """Solve for the stationary distribution inside every component."""
        if counts.size > _LARGEST:
            raise ModelError(
                f"rank-centrality solves a dense system, which is too large for {counts.size:,} systems "
                f"(limit {_LARGEST:,}). Use bradley-terry."
            )
        problem = _problem(counts, counts.outcomes)
        components = problem.components
        open_low, open_high = components.open_ends()
        return Fit(
            systems=counts.systems,
            strength=problem.place(_visits(problem)),
            estimable=components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=components.apart[components.label],
            findings=component_findings(components, counts.systems, problem.met),
        )

    def refitter(self, fit: Fit, counts: PairCounts) -> Refit:
        """Solve again for every resample."""
        whole = _problem(counts, counts.outcomes)

        def refit(outcomes: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            problems = [_problem(counts, outcomes[:, :, column]) for column in range(outcomes.shape[2])]
            strength = [problem.place_near(fit.strength, _visits(problem), rng) for problem in problems]
            fallen = sum(problem.components.count > whole.components.count for problem in problems)
            return whole.finish(np.stack(strength, axis=1), rng), fallen

        return refit

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances of Bradley–Terry, which it estimates."""
        return np.stack(Logistic().chances(fit.strength[a] - fit.strength[b], 0.0))


def _problem(counts: PairCounts, outcomes: FloatArray) -> Problem:
    won, lost = decided(outcomes)
    return Problem.of(counts, np.stack([won, np.zeros_like(won), lost]), Logistic())


def _visits(problem: Problem) -> FloatArray:
    """Return the logarithm of the visits' shares, every component by itself."""
    design, size = problem.design, problem.design.size
    won, _, lost = problem.inner_outcomes
    total = np.maximum(won + lost, 1e-300)
    moves = np.zeros((size, size))  # from × to
    moves[design.second, design.first] = won / total
    moves[design.first, design.second] = lost / total
    logarithm = np.zeros(size)
    for component in np.flatnonzero(np.bincount(design.label) > 1):
        members = np.flatnonzero(design.label == component)
        logarithm[members] = np.log(np.maximum(_stationary(moves[np.ix_(members, members)]), 1e-300))
    return logarithm


def _stationary(moves: FloatArray) -> FloatArray:
    """Return the stationary distribution by state reduction, which only adds: even tiny shares keep all their digits.

    Grassmann, Taksar & Heyman (1985), Regenerative analysis and steady state distributions, Operations Research 33.
    """
    moves = moves.copy()
    for state in range(len(moves) - 1, 0, -1):
        moves[:state, state] /= moves[state, :state].sum()
        moves[:state, :state] += np.outer(moves[:state, state], moves[state, :state])
    visits = np.ones(len(moves))
    for state in range(1, len(moves)):
        visits[state] = visits[:state] @ moves[:state, state]
        visits[: state + 1] /= visits[: state + 1].max()
    shares: FloatArray = visits / visits.sum()
    return shares
