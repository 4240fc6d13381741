"""Newman's iteration: Davidson's model by the algorithm of leaderboard tools."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import sparse_matrices
from betterthan.models.base import decided, register_model
from betterthan.models.davidson import Davidson
from betterthan.models.likelihood.newton import PairSolution, centred
from betterthan.models.likelihood.pair_problem import PairProblem


@register_model
@dataclass(frozen=True, kw_only=True)
class Newman(Davidson):
    """Bradley–Terry with ties by Newman's fixed-point iteration.

    Assumes what Davidson's model assumes, P(win) : P(tie) : P(loss) = e^a : 2ν·e^((a+b)/2) : e^b, and finds the same
    maximum; its ν is half of Davidson's. Consumes judgments with their ties, as pair counts; the score is the worth.
    On thin chains of comparisons the iteration stops early (`limit`) and says so: use davidson there.

    Newman (2023), Efficient computation of rankings from pairwise comparisons, JMLR 24.
    """

    limit: int = 10_000

    name: ClassVar[str] = "newman"

    def __post_init__(self) -> None:
        registry.number("limit", self.limit, least=1, whole=True)

    def natural(self, width: float) -> float:
        """Report half of Davidson's parameter."""
        return float(np.exp(width)) / 2

    def width(self, natural: float) -> float:
        """Return Davidson's width."""
        return float(np.log(2 * natural))

    def maximise(self, problem: PairProblem, start: tuple[FloatArray, float] | None = None) -> PairSolution:
        """Iterate inside the components; a resample, or a width that needs a prior, is left to Newton's method."""
        if start is not None or problem.prior:
            return super().maximise(problem, start)
        design, incidence = problem.design, problem.design.incidence
        first, second = sparse_matrices.positive(incidence), sparse_matrices.positive(-incidence)
        won, tied, lost = problem.inner_outcomes
        up, down = decided(problem.inner_outcomes)
        strength, nu = np.zeros(design.size), 0.0 if problem.link.width is None else 0.5
        iteration, step = 0, np.full(design.size, np.inf)
        while np.max(np.abs(step), initial=0.0) >= 1e-11 and iteration < self.limit:
            iteration += 1
            gap = np.clip(design.gap(strength), -600.0, 600.0)
            rise, fall = np.exp(gap / 2), np.exp(-gap / 2)
            rest = rise + fall + 2 * nu
            surprise, expected = up * (fall + nu) / rest, down * (rise + nu) / rest
            gained, given = first @ surprise + second @ expected, first @ expected + second @ surprise
            # Both members of a pair move at once: half a step each, or they would swap places forever.
            step = 0.5 * np.log(np.where(gained > 0, gained, 1.0) / np.where(given > 0, given, 1.0))
            if nu:
                nu = float(np.sum(tied * (rise + fall) / rest) / np.sum(2 * (won + lost) / rest))
            strength = centred(strength + step, design.label)
        return PairSolution(strength, float(np.log(2 * nu)) if nu else 0.0, iteration, iteration < self.limit)
