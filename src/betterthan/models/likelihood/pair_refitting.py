"""Refitting of resampled pair counts: together from one factorisation, one by one, or by one Newton step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import PairCounts, RowUnits, ScoredUnits, Term
from betterthan.models.likelihood.chord import chord, in_blocks
from betterthan.models.likelihood.newton import DENSE_LIMIT, Curvature, PairDesign, Steps, centred, same_component
from betterthan.models.likelihood.pair_problem import PairProblem
from betterthan.models.likelihood.sparse import Pairs, maximise_near, refits_alone
from betterthan.models.refitting import Refitting

if TYPE_CHECKING:
    from betterthan.models.likelihood.pairs import PairLikelihood
    from betterthan.models.likelihood.rare import Rare

#: From that many pairs on, a thousand refits take tens of seconds; up to that many systems their step is available.
_MANY_PAIRS, _MOST_SYSTEMS = 200_000, 2 * DENSE_LIMIT
#: From that many single judgments on, or pairs that they are of, refits take longer than reading them.
_MANY_JUDGMENTS, _SEVERAL_PAIRS = 500_000, 10_000
#: Share of the systems of which less may be known.
_RARE = 0.05
#: Scored items that may leave resamples near the estimate.
_MANY_ITEMS = 100

#: Information about a system that leaves resamples near the estimate: standard errors of 0.14, or 0.1 of fewer pairs.
#: The benchmark `thin` compares intervals by one step with those by refits.
MUCH_KNOWN, MORE_KNOWN = 50.0, 100.0
#: The same for scored items, and for units in buckets, where refits take longer.
BY_ITEMS, IN_BUCKETS = 15.0, 20.0
#: The least that a system may have that is refitted alone: about twenty judgments.
LEAST_KNOWN = 4.0


@dataclass(frozen=True, eq=False)
class PairRefitting(Refitting):
    """Refits from the estimate, whose information is factored once."""

    statistic: PairCounts
    model: "PairLikelihood"

    @cached_property
    def problem(self) -> PairProblem:
        """The pairs and the components they make."""
        return self.model.problem(self.statistic, self.statistic.outcomes)

    @cached_property
    def start(self) -> tuple[FloatArray, float]:
        """The strengths and the width of the estimate."""
        return self.fit.strength, self.model.fitted_width(self.fit)

    @cached_property
    def steps(self) -> Steps:
        """What solves for Newton's steps, by the factored information at the estimate."""
        return self.problem.curvature(*self.start).solver(self.problem.design, repeated=True)

    @cached_property
    def rare(self) -> "list[Rare]":
        """The systems that are refitted alone after a step."""
        units: Any = self.statistic.units
        if not (units.summed_gradients and units.single):
            return []
        from betterthan.models.likelihood.rare import Rare  # noqa: PLC0415 (for many judgments)

        known, enough = self._known
        return [Rare.of(self.statistic, int(system)) for system in np.flatnonzero(known < enough)]

    @property
    def _alone(self) -> bool:
        return not self.statistic.units.summed_gradients and refits_alone(self.statistic)

    def prepare(self) -> None:
        """Factor the information at the estimate."""
        _ = self.problem if self._alone else self.steps
        _ = self.rare

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit outcomes (3 × pairs × resamples), or move by gradients (parameters × resamples)."""
        if self.statistic.units.summed_gradients:
            return self._one_step(resampled, rng)
        return self._one_by_one(resampled, rng) if self._alone else self._together(resampled, rng)

    def _together(self, counted: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit all resamples from the estimate."""
        model, problem, counts, start, fit = self.model, self.problem, self.statistic, self.start, self.fit
        offset = fit.strength - centred(fit.strength, problem.components.label)
        strength, last = np.empty((counts.size, counted.shape[2])), np.empty(counted.shape[2])
        broken: dict[int, PairProblem] = {}
        alone: dict[int, PairProblem] = {}
        for some in in_blocks(counted):
            inner = model.outcomes(counted[:, :, some])[:, problem.inside]
            columns = np.arange(counted.shape[2])[some]
            new: dict[int, PairProblem] = {}
            for found, marked in ((broken, problem.degenerate(inner)), (alone, problem.doubtful_widths(inner))):
                for column in map(int, columns[marked]):
                    new[column] = found[column] = model.problem(counts, counted[:, :, column])
            for column, part in new.items():  # pairs across components have no maximum to pull towards
                inner[:, ~part.inside[problem.inside], column - columns[0]] = 0.0
            strength[:, some], last[some] = chord(problem.design, problem.link, self.steps, start, inner)
        degenerate = len(broken) + sum(part.prior > 0 for column, part in alone.items() if column not in broken)
        broken |= alone
        strength = problem.place_by_chance(strength + offset[:, None], rng)
        far = np.flatnonzero(~(last < 1e-6))  # too far from the estimate for its factorisation
        for column in {*far, *alone}:
            broken.setdefault(column, model.problem(counts, counted[:, :, column]))
            strength[:, column] = model.maximise(broken[column], start).strength
        for column, part in broken.items():
            strength[:, column] = part.place_near(fit.strength, strength[:, column], rng)
        return problem.finish(strength, rng), degenerate

    def _one_by_one(self, counted: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit one resample after the other, each by what it has: pairs that it lacks take no time."""
        model, problem, counts, start = self.model, self.problem, self.statistic, self.start
        strength, degenerate = np.empty((counts.size, counted.shape[2])), 0
        for column in range(counted.shape[2]):
            drawn = np.ascontiguousarray(counted[:, :, column])
            there = np.flatnonzero(drawn.sum(axis=0))
            some = replace(counts, first=counts.first[there], second=counts.second[there], outcomes=drawn[:, there])
            part = model.problem(some, some.outcomes)
            pairs = Pairs(*part.inner_pairs, part.components.label)
            found = None if part.prior else maximise_near(pairs, part.link, part.inner_outcomes, start)
            if found is None:
                found = model.maximise(part, start).strength
            strength[:, column] = part.place_near(start[0], found, rng)
            degenerate += part.components.count != problem.components.count or part.prior > 0
        return problem.finish(strength, rng), degenerate

    def _one_step(self, gradients: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Move the estimate as far as resampled gradients push it, by one Newton step; rare systems are refitted."""
        problem, (known, width) = self.problem, self.start
        size = len(known)
        by_width = gradients[size] if len(gradients) > size else np.zeros(gradients.shape[1])
        step, _ = self.steps(gradients[:size], by_width)
        strength = known[:, None] + step
        degenerate = np.zeros(gradients.shape[1], dtype=bool)
        for one in self.rare:
            outcomes = self.model.outcomes(one.redrawn(rng, gradients.shape[1]))
            degenerate |= one.place(problem.link, outcomes, strength, width, rng)
        return problem.finish(centred(strength, problem.components.label), rng), int(degenerate.sum())

    @property
    def nearly_linear(self) -> bool:
        """Many pairs take long, and much evidence about every system leaves resamples near the estimate.

        So do many single judgments, if they tell enough about the system that has the fewest. Of single judgments a few
        systems may have less: they are refitted alone.
        """
        counts = self.statistic
        units, pairs = counts.units, len(counts.first)
        many = pairs >= _MANY_PAIRS
        rich = isinstance(units, RowUnits) and (pairs >= _SEVERAL_PAIRS or units.size >= _MANY_JUDGMENTS)
        if not (many or rich) or counts.size > _MOST_SYSTEMS or not np.all(self.fit.placed):
            return False
        if isinstance(units, ScoredUnits) and units.size < _MANY_ITEMS:
            return False
        known, enough = self._known
        rare = known < enough
        if not np.any(rare):
            return True
        alone = (
            isinstance(units, RowUnits) and bool(np.all(units.weight == 1.0)) and float(np.min(known)) >= LEAST_KNOWN
        )
        return alone and float(np.mean(rare)) <= _RARE

    @property
    def little_known(self) -> IntArray:
        """The systems that one step would not place as a refit does, where units are in buckets."""
        return np.flatnonzero(self._known[0] < IN_BUCKETS)

    @cached_property
    def _known(self) -> tuple[FloatArray, float]:
        """The information about every system, and how much leaves its resamples near the estimate."""
        counts = self.statistic
        known = information(self.problem.design, self.problem.curvature(*self.start), counts)
        if isinstance(counts.units, ScoredUnits):
            return known, BY_ITEMS
        return known, MUCH_KNOWN if len(counts.first) >= _MANY_PAIRS else MORE_KNOWN

    @property
    def work(self) -> float:
        """The number of pairs where resamples are refitted one by one."""
        return float(len(self.statistic.first)) if refits_alone(self.statistic) else 0.0

    @property
    def terms(self) -> Sequence[Term] | None:
        """The gradients of single judgments, where one maximum holds all systems and its step is available."""
        if self.statistic.size > _MOST_SYSTEMS:
            return None
        problem = self.problem
        return self.model.gradients(self.fit, problem) if problem.components.connected and not problem.prior else None


def information(design: PairDesign, curvature: Curvature, counts: PairCounts) -> FloatArray:
    """Return the inverse variance of every log-strength, with equally weighted judgments.

    Of very many systems only the information that their own judgments have is available.
    """
    own: FloatArray = np.abs(design.incidence) @ curvature.gap
    if (
        design.size <= DENSE_LIMIT
    ):  # links between groups of systems may carry less information than the groups themselves
        covariance = curvature.covariance(design)[: design.size, : design.size]
        # From the information-weighted mean: with the plain one, one unknown system would make all unknown.
        mean = same_component(design) * own
        mean /= np.maximum(mean.sum(axis=1, keepdims=True), 1e-300)
        to_mean = mean @ covariance
        variance = np.diag(covariance) - 2 * np.diag(to_mean) + np.einsum("ij,ij->i", to_mean, mean)
        own = np.minimum(own, 1.0 / np.maximum(variance, 1e-300))
    return own * counts.units.independent(counts.first, counts.second, counts.size)
