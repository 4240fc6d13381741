"""Rank centrality: the stationary distribution of a random walk from losers to winners."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError
from betterthan.datasets import PairCounts
from betterthan.models.base import Fit, ModelBase, decided, register_model
from betterthan.models.likelihood.components import component_findings
from betterthan.models.likelihood.links import Logistic
from betterthan.models.likelihood.pair_problem import PairProblem
from betterthan.models.refitting import Refitting

_LARGEST = 2000


@register_model
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

    def refitter(self, fit: Fit, counts: PairCounts) -> Refitting:
        """Solve again for every resample."""
        return _WalkRefitting(fit, counts)

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances of Bradley–Terry, which it estimates."""
        return np.stack(Logistic().chances(fit.strength[a] - fit.strength[b], 0.0))


@dataclass(frozen=True, eq=False)
class _WalkRefitting(Refitting):
    """Solves again for every resample."""

    statistic: PairCounts

    @cached_property
    def whole(self) -> PairProblem:
        """The components of the evidence itself."""
        return _problem(self.statistic, self.statistic.outcomes)

    def prepare(self) -> None:
        """Find the components."""
        _ = self.whole

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Solve for outcomes (3 × pairs × resamples)."""
        problems = [_problem(self.statistic, resampled[:, :, column]) for column in range(resampled.shape[2])]
        strength = [problem.place_near(self.fit.strength, _visits(problem), rng) for problem in problems]
        fallen = sum(problem.components.count > self.whole.components.count for problem in problems)
        return self.whole.finish(np.stack(strength, axis=1), rng), fallen


def _problem(counts: PairCounts, outcomes: FloatArray) -> PairProblem:
    won, lost = decided(outcomes)
    return PairProblem.of(counts, np.stack([won, np.zeros_like(won), lost]), Logistic())


def _visits(problem: PairProblem) -> FloatArray:
    """Return the logarithm of the stationary shares, for every component separately."""
    design, size = problem.design, problem.design.size
    won, _, lost = problem.inner_outcomes
    total = np.maximum(won + lost, 1e-300)
    moves = np.zeros((size, size))  # from × to
    moves[design.second, design.first] = won / total
    moves[design.first, design.second] = lost / total
    logarithm = np.zeros(size)
    for component in np.flatnonzero(np.bincount(design.label) > 1):
        members = np.flatnonzero(design.label == component)
        shares = np.log(np.maximum(_stationary(moves[np.ix_(members, members)]), 1e-300))
        logarithm[members] = shares - shares.mean()  # as in other models, whichever component is the core
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
