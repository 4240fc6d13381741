"""Maximum likelihood from pair counts, shared by Bradley–Terry and its variants with ties."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError, spelling
from betterthan.datasets import PairCounts, Term
from betterthan.models.base import Fit, ModelBase, draw_normal
from betterthan.models.likelihood.components import component_findings
from betterthan.models.likelihood.links import Link
from betterthan.models.likelihood.newton import DENSE_LIMIT, PairSolution, maximise
from betterthan.models.likelihood.pair_problem import PairProblem
from betterthan.models.likelihood.pair_refitting import PairRefitting


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

    def maximise(self, problem: PairProblem, start: tuple[FloatArray, float] | None = None) -> PairSolution:
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
        problem = self.problem(counts, counts.outcomes)
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

    def refitter(self, fit: Fit, counts: PairCounts) -> PairRefitting:
        """Refit resamples from the estimate."""
        return PairRefitting(fit, counts, self)

    def draw(
        self, fit: Fit, counts: PairCounts, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate: by the sandwich over units, or the information alone."""
        problem = self.problem(counts, counts.outcomes)
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
                remedy=f"Use {spelling.option('ci', 'bootstrap')}.",
            )
        problem = self.problem(counts, counts.outcomes)
        bread = problem.curvature(fit.strength, self.fitted_width(fit)).covariance(problem.design)
        if not clustered:
            return bread
        covariance: FloatArray = bread @ counts.units.meat(self.gradients(fit, problem)) @ bread
        return covariance

    def gradients(self, fit: Fit, problem: PairProblem) -> list[Term]:
        """Return what one judgment of each outcome adds to the gradients."""
        counts = problem.counts
        gap = fit.strength[counts.first] - fit.strength[counts.second]
        single = [self.outcomes(np.eye(3)[:, [outcome]] * np.ones(len(gap))) for outcome in range(3)]
        slopes = [problem.link.gradient(problem.link.prepare(each), gap, self.fitted_width(fit)) for each in single]
        terms: list[Term] = [(np.stack([by_gap for by_gap, _ in slopes]) * problem.inside, counts.incidence)]
        if problem.link.width is not None:
            terms.append((np.stack([by_width for _, by_width in slopes]) * problem.inside, None))
        return terms

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances that the link gives to the gaps."""
        link = self.link if fit.parameters else self.link.without_ties()
        return np.stack(link.chances(fit.strength[a] - fit.strength[b], self.fitted_width(fit)))

    def fitted_width(self, fit: Fit) -> float:
        """Return the width of a fit, 0 where it has none."""
        return self.width(fit.parameters[self.parameter]) if fit.parameters else 0.0

    def problem(self, counts: PairCounts, counted: FloatArray) -> PairProblem:
        """Return outcomes of the pairs as the model takes them, with the components they make."""
        return PairProblem.of(counts, self.outcomes(counted), self.link)
