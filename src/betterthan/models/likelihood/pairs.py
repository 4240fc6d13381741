"""Maximum likelihood from pair counts: what Bradley–Terry and its relatives with ties share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.errors import ModelError
from betterthan.findings import Finding
from betterthan.findings.ties import TIE_WIDTH
from betterthan.models.base import Fit, ModelBase, Refit, draw_normal
from betterthan.models.likelihood.chord import chord, in_blocks
from betterthan.models.likelihood.components import (
    PRIOR,
    Components,
    Met,
    component_findings,
    find_components,
    negative_cycle,
    on_core,
    place_by_chance,
    place_by_prior,
    scatter_islands,
)
from betterthan.models.likelihood.known import BY_ITEMS, IN_BUCKETS, LEAST_KNOWN, MORE_KNOWN, MUCH_KNOWN, information
from betterthan.models.likelihood.linked import still_linked
from betterthan.models.likelihood.links import Link
from betterthan.models.likelihood.newton import (
    DENSE_LIMIT,
    Curvature,
    Design,
    Solution,
    Steps,
    centred,
    maximise,
)
from betterthan.models.likelihood.rare import Rare
from betterthan.models.likelihood.sparse import Pairs, maximise_near, refits_alone
from betterthan.reduce.buckets import GradientUnits
from betterthan.reduce.pairs import PairCounts, decided
from betterthan.reduce.units import RowUnits, ScoredUnits, Term
from betterthan.spelling import option

#: From so many pairs on, a thousand refits take tens of seconds; up to so many systems their step is at hand.
_MANY_PAIRS, _MOST_SYSTEMS = 200_000, 2 * DENSE_LIMIT
#: From so many single judgments on, or pairs that they are of, refits take longer than reading them.
_MANY_JUDGMENTS, _SEVERAL_PAIRS = 500_000, 10_000
#: Share of the systems of which less may be known.
_RARE = 0.05
#: Scored items that may leave resamples near the estimate.
_MANY_ITEMS = 100


class PairLikelihood(ModelBase):
    """A model whose chances depend on the difference of two strengths, and perhaps on the width of a tie.

    Where the evidence has no ties there is no width to estimate, and the link without ties is fitted.
    """

    logarithmic: ClassVar[bool] = True
    score: ClassVar[str] = "worth"
    link: ClassVar[Link]
    #: The reported name of e^width, or of the width itself.
    parameter: ClassVar[str] = ""
    consumes: tuple[type, ...] = (PairCounts,)

    def outcomes(self, counted: FloatArray) -> FloatArray:
        """Return the outcomes as the model takes them (3 × pairs, perhaps × resamples)."""
        return counted

    def natural(self, width: float) -> float:
        """Return the reported parameter of a width."""
        return float(np.exp(width))

    def width(self, natural: float) -> float:
        """Return the width of a reported parameter."""
        return float(np.log(natural))

    def maximise(self, problem: "Problem", start: tuple[FloatArray, float] | None = None) -> Solution:
        """Maximise inside the components, each centred."""
        return maximise(problem.design, problem.link, problem.inner_outcomes, start, prior=problem.prior)

    def fit(self, counts: PairCounts) -> Fit:
        """Estimate the strengths by Newton's method, inside every component that allows it."""
        return self._fit(counts, None)

    def fit_near(self, counts: PairCounts, strength: FloatArray, parameters: Mapping[str, float]) -> Fit:
        """Estimate the strengths from where they were."""
        width = parameters.get(self.parameter)
        start = None if width is None and self.parameter else (strength, 0.0 if width is None else self.width(width))
        return self._fit(counts, start)

    def _fit(self, counts: PairCounts, start: tuple[FloatArray, float] | None) -> Fit:
        problem = self._problem(counts, counts.outcomes)
        solution = self.maximise(problem, start)
        strength = problem.place(solution.strength)
        components, link = problem.components, problem.link
        gap = strength[counts.first] - strength[counts.second]
        open_low, open_high = components.open_ends()
        findings = component_findings(components, counts.systems, problem.met)
        return Fit(
            systems=counts.systems,
            strength=strength,
            converged=solution.converged,
            iterations=solution.iterations,
            log_likelihood=link.value(link.prepare(problem.outcomes), gap, solution.width),
            estimable=components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=components.apart[components.label],
            parameters={} if link.width is None else {self.parameter: self.natural(solution.width)},
            findings=(*findings, *problem.findings()),
        )

    def refitter(self, fit: Fit, counts: PairCounts) -> Refit:
        """Factor the information at the estimate once; every batch of resamples starts from there."""
        problem = self._problem(counts, counts.outcomes)
        start = (fit.strength, self._width(fit))
        units: Any = counts.units
        if not isinstance(units, GradientUnits) and refits_alone(counts):
            return self._refit_alone(problem, start, counts)
        steps = problem.curvature(*start).solver(problem.design, repeated=True)
        if isinstance(units, GradientUnits):
            return self._one_step(problem, fit, steps)
        offset = fit.strength - centred(fit.strength, problem.components.label)

        def refit(counted: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            strength, last = np.empty((counts.size, counted.shape[2])), np.empty(counted.shape[2])
            broken: dict[int, Problem] = {}
            alone: dict[int, Problem] = {}
            for some in in_blocks(counted):
                inner = self.outcomes(counted[:, :, some])[:, problem.inside]
                columns = np.arange(counted.shape[2])[some]
                new: dict[int, Problem] = {}
                for found, marked in ((broken, problem.degenerate(inner)), (alone, problem.doubtful_widths(inner))):
                    for column in map(int, columns[marked]):
                        new[column] = found[column] = self._problem(counts, counted[:, :, column])
                for column, part in new.items():  # pairs across components have no maximum to pull towards
                    inner[:, ~part.inside[problem.inside], column - columns[0]] = 0.0
                strength[:, some], last[some] = chord(problem.design, problem.link, steps, start, inner)
            degenerate = len(broken) + sum(part.prior > 0 for column, part in alone.items() if column not in broken)
            broken |= alone
            strength = problem.place_by_chance(strength + offset[:, None], rng)
            far = np.flatnonzero(~(last < 1e-6))  # too far from the estimate for its factorisation
            for column in {*far, *alone}:
                broken.setdefault(column, self._problem(counts, counted[:, :, column]))
                strength[:, column] = self.maximise(broken[column], start).strength
            for column, part in broken.items():
                strength[:, column] = part.place_near(fit.strength, strength[:, column], rng)
            return problem.finish(strength, rng), degenerate

        return refit

    def _refit_alone(self, problem: "Problem", start: tuple[FloatArray, float], counts: PairCounts) -> Refit:
        """Refit one resample after the other, each by what it has: pairs that it lacks take no time."""

        def refit(counted: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            strength, degenerate = np.empty((counts.size, counted.shape[2])), 0
            for column in range(counted.shape[2]):
                drawn = np.ascontiguousarray(counted[:, :, column])
                there = np.flatnonzero(drawn.sum(axis=0))
                some = replace(counts, first=counts.first[there], second=counts.second[there], outcomes=drawn[:, there])
                part = self._problem(some, some.outcomes)
                pairs = Pairs(*part.inner_pairs, part.components.label)
                found = None if part.prior else maximise_near(pairs, part.link, part.inner_outcomes, start)
                if found is None:
                    found = self.maximise(part, start).strength
                strength[:, column] = part.place_near(start[0], found, rng)
                degenerate += part.components.count != problem.components.count or part.prior > 0
            return problem.finish(strength, rng), degenerate

        return refit

    def draw(
        self, fit: Fit, counts: PairCounts, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate: by the sandwich over units, or the information alone."""
        problem = self._problem(counts, counts.outcomes)
        covariance = self.covariance(fit, counts, clustered=clustered)[: counts.size, : counts.size]
        strength = fit.strength[:, None] + draw_normal(covariance, draws, rng)
        return problem.finish(problem.place_by_chance(strength, rng), rng)

    def covariance(self, fit: Fit, counts: PairCounts, *, clustered: bool) -> FloatArray:
        """Return the covariance of the strengths, and last of the width where there is one.

        It is the inverse information, or the sandwich over units.
        """
        if counts.size > DENSE_LIMIT:
            raise ModelError(
                f"analytic intervals need a full covariance matrix, which is too large for {counts.size:,} systems "
                f"(limit {DENSE_LIMIT:,})",
                remedy=f"Use {option('ci', 'bootstrap')}.",
            )
        problem = self._problem(counts, counts.outcomes)
        bread = problem.curvature(fit.strength, self._width(fit)).covariance(problem.design)
        if not clustered:
            return bread
        covariance: FloatArray = bread @ counts.units.meat(self._terms(fit, counts, problem)) @ bread
        return covariance

    def nearly_linear(self, fit: Fit, evidence: PairCounts) -> bool:
        """Many pairs take long, and much evidence about every system leaves resamples near the estimate.

        So do many single judgments, if they tell enough about the system that has the fewest. Of single judgments a few
        systems may have less: they are refitted alone.
        """
        units = evidence.units
        pairs = len(evidence.first)
        many = pairs >= _MANY_PAIRS
        rich = isinstance(units, RowUnits) and (pairs >= _SEVERAL_PAIRS or units.size >= _MANY_JUDGMENTS)
        if not (many or rich) or evidence.size > _MOST_SYSTEMS or not np.all(fit.placed):
            return False
        if isinstance(units, ScoredUnits) and units.size < _MANY_ITEMS:
            return False
        known, enough = self._known(fit, self._problem(evidence, evidence.outcomes))
        rare = known < enough
        if not np.any(rare):
            return True
        alone = (
            isinstance(units, RowUnits) and bool(np.all(units.weight == 1.0)) and float(np.min(known)) >= LEAST_KNOWN
        )
        return alone and float(np.mean(rare)) <= _RARE

    def little_known(self, fit: Fit, evidence: PairCounts) -> IntArray:
        """Return the systems that one step would not place as a refit does, where units are in buckets."""
        problem = self._problem(evidence, evidence.outcomes)
        return np.flatnonzero(self._known(fit, problem)[0] < IN_BUCKETS)

    def _known(self, fit: Fit, problem: "Problem") -> tuple[FloatArray, float]:
        """Return the information about every system, and how much leaves its resamples near the estimate."""
        counts = problem.counts
        known = information(problem.design, problem.curvature(fit.strength, self._width(fit)), counts)
        if isinstance(counts.units, ScoredUnits):
            return known, BY_ITEMS
        return known, MUCH_KNOWN if len(counts.first) >= _MANY_PAIRS else MORE_KNOWN

    def _one_step(self, problem: "Problem", fit: Fit, steps: Steps) -> Refit:
        """Move the estimate as far as resampled gradients push it, by one Newton step; rare systems are refitted."""
        size, width = len(fit.strength), self._width(fit)
        rare: list[Rare] = []
        units = problem.counts.units
        if isinstance(units, GradientUnits) and units.single:
            known, enough = self._known(fit, problem)
            rare = [Rare.of(problem.counts, int(system)) for system in np.flatnonzero(known < enough)]

        def refit(gradients: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            by_width = gradients[size] if len(gradients) > size else np.zeros(gradients.shape[1])
            step, _ = steps(gradients[:size], by_width)
            strength = fit.strength[:, None] + step
            degenerate = np.zeros(gradients.shape[1], dtype=bool)
            for one in rare:
                outcomes = self.outcomes(one.redrawn(rng, gradients.shape[1]))
                degenerate |= one.place(problem.link, outcomes, strength, width, rng)
            return problem.finish(centred(strength, problem.components.label), rng), int(degenerate.sum())

        return refit

    def work(self, evidence: PairCounts) -> float:
        """Count pairs where resamples are refitted one by one."""
        return float(len(evidence.first)) if refits_alone(evidence) else 0.0

    def terms(self, fit: Fit, evidence: Any) -> Sequence[Term] | None:
        """Return the gradients of single judgments, where one maximum holds all systems and its step is at hand."""
        if evidence.size > _MOST_SYSTEMS:
            return None
        problem = self._problem(evidence, evidence.outcomes)
        return self._terms(fit, evidence, problem) if problem.components.connected and not problem.prior else None

    def _terms(self, fit: Fit, counts: PairCounts, problem: "Problem") -> list[Term]:
        """Return what one judgment of each outcome adds to the gradients."""
        gap = fit.strength[counts.first] - fit.strength[counts.second]
        single = [self.outcomes(np.eye(3)[:, [outcome]] * np.ones(len(gap))) for outcome in range(3)]
        slopes = [problem.link.gradient(problem.link.prepare(each), gap, self._width(fit)) for each in single]
        terms: list[Term] = [(np.stack([by_gap for by_gap, _ in slopes]) * problem.inside, counts.incidence)]
        if problem.link.width is not None:
            terms.append((np.stack([by_width for _, by_width in slopes]) * problem.inside, None))
        return terms

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances that the link gives to the gaps."""
        link = self.link if fit.parameters else self.link.without_ties()
        return np.stack(link.chances(fit.strength[a] - fit.strength[b], self._width(fit)))

    def _width(self, fit: Fit) -> float:
        return self.width(fit.parameters[self.parameter]) if fit.parameters else 0.0

    def _problem(self, counts: PairCounts, counted: FloatArray) -> "Problem":
        return Problem.of(counts, self.outcomes(counted), self.link)


@dataclass(frozen=True)
class Problem:
    """Outcomes of the pairs, the components they make, and the pairs inside a component."""

    counts: PairCounts
    outcomes: FloatArray
    link: Link
    met: Met
    components: Components

    @classmethod
    def of(cls, counts: PairCounts, outcomes: FloatArray, link: Link) -> "Problem":
        """Find the components, and take the link without ties where there are none."""
        link = link if np.any(outcomes[1] > 0) else link.without_ties()
        met = Met(counts.size, counts.first, counts.second, *decided(outcomes))
        return cls(counts, outcomes, link, met, find_components(met))

    @cached_property
    def inside(self) -> BoolArray:
        """Mark the pairs inside a component."""
        label = self.components.label
        within: BoolArray = label[self.met.first] == label[self.met.second]
        return within

    @cached_property
    def inner_pairs(self) -> tuple[IntArray, IntArray]:
        """The first and the second system of the pairs inside a component."""
        return self.met.first[self.inside], self.met.second[self.inside]

    @cached_property
    def design(self) -> Design:
        """The pairs inside a component, as Newton's method takes them."""
        every = self.counts.incidence
        incidence = every if self.components.connected else every[:, self.inside]
        return Design(*self.inner_pairs, self.components.label, incidence)

    @property
    def inner_outcomes(self) -> FloatArray:
        """Outcomes of the pairs inside a component."""
        return self.outcomes[:, self.inside]

    @cached_property
    def prior(self) -> float:
        """Precision of the width's prior: none, unless strengths can be spread and the width be raised with them.

        That is so where places exist with every winner at least one above the loser, and those who tied at most one
        apart: then the likelihood grows for ever along them.
        """
        if self.link.width is None:
            return 0.0
        won, tied, lost = self.inner_outcomes
        if np.any((won > 0) & (lost > 0)):
            return 0.0
        first, second = self.inner_pairs
        tie, win, loss = (np.flatnonzero(outcome > 0) for outcome in (tied, won, lost))
        # place[end] − place[start] ≤ length: ties both ways at most one, the loser at least one below the winner
        start = np.concatenate([first[tie], second[tie], first[win], second[loss]])
        end = np.concatenate([second[tie], first[tie], second[win], first[loss]])
        length = np.repeat([1.0, -1.0], [2 * len(tie), len(win) + len(loss)])
        return 0.0 if negative_cycle(self.met.size, start, end, length) else PRIOR

    def findings(self) -> tuple[Finding, ...]:
        """Say so where the prior decides about the width."""
        return (TIE_WIDTH.found(ties="ties"),) if self.prior else ()

    def place(self, strength: FloatArray) -> FloatArray:
        """Place the components, and centre on the core."""
        logits = self.link.logits
        return on_core(self.components, place_by_prior(self.components, strength * logits, self.met) / logits)

    def place_near(self, known: FloatArray, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Put every component where the known strengths have it, or where its record against the core allows."""
        label = self.components.label
        near = centred(strength, label) + (known - centred(known, label))
        return self.place_by_chance(near[:, None], rng)[:, 0]

    def curvature(self, strength: FloatArray, width: float) -> Curvature:
        """Return the information that the pairs inside components carry."""
        return Curvature.at(
            self.design, self.link, self.link.prepare(self.inner_outcomes), strength, width, prior=self.prior
        )

    def place_by_chance(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Place components that never lost, or never won, where their record allows (systems × draws)."""
        logits = self.link.logits
        return place_by_chance(self.components, strength * logits, self.met, rng) / logits

    def finish(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Centre draws on the core, and let islands stand anywhere."""
        return scatter_islands(self.components, on_core(self.components, strength), rng)

    def doubtful_widths(self, inner: FloatArray) -> BoolArray:
        """Mark the resamples that may not determine a width: without ties, or without a pair that beat each other."""
        won, tied, lost = inner
        if self.link.width is None:
            return np.zeros(won.shape[1], dtype=bool)
        clear: BoolArray = np.any((won > 0) & (lost > 0), axis=0) & np.any(tied > 0, axis=0)
        return ~clear

    def degenerate(self, inner: FloatArray) -> BoolArray:
        """Mark the resamples (3 × inside pairs × resamples) in which some component has fallen apart."""
        beaten = [inner[0] > 0, inner[2] > 0]
        if self.link.width is not None:  # who ties has half a win
            tied = inner[1] > 0
            beaten = [side | tied for side in beaten]
        return ~still_linked(self.components.label, *self.inner_pairs, *beaten)
