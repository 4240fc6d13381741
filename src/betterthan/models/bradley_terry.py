"""Bradley–Terry: the chance to win depends on the difference of two log-strengths."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from betterthan.engine.table import FloatArray
from betterthan.errors import ModelError
from betterthan.models.base import Fit, Refit, register
from betterthan.models.components import (
    Components,
    Met,
    component_findings,
    find_components,
    held_together,
    place_by_chance,
    place_by_prior,
    scatter_islands,
)
from betterthan.models.newton import DENSE_LIMIT, Design, Solution, centred, chord, inverse, maximise, solver
from betterthan.reduce.pairs import PairCounts


@register
@dataclass(frozen=True, kw_only=True)
class BradleyTerry:
    """Maximum-likelihood Bradley–Terry strengths from pair counts.

    Assumes that every judgment of a pair has the same chance, P(a beats b) = e^a / (e^a + e^b). Consumes judgments;
    the score is the log-strength, up to an additive constant. Ties count half for each side, or are dropped.

    Bradley & Terry (1952), Rank analysis of incomplete block designs, Biometrika 39.
    """

    ties: Literal["half", "drop"] = "half"

    name: ClassVar[str] = "bradley-terry"

    def __post_init__(self) -> None:
        if self.ties not in {"half", "drop"}:
            raise ValueError(f"ties must be 'half' or 'drop', got {self.ties!r}")

    def fit(self, counts: PairCounts) -> Fit:
        """Estimate the strengths by Newton's method, inside every component that allows it."""
        problem = _Problem.of(counts, *self._decided(counts.outcomes))
        strength, iterations, converged = problem.solve()
        components = problem.components
        gap = strength[counts.first] - strength[counts.second]
        met = problem.met
        likelihood = -np.sum(met.won * np.logaddexp(0.0, -gap) + met.lost * np.logaddexp(0.0, gap))
        open_low, open_high = components.open_ends()
        return Fit(
            systems=counts.systems,
            log_strength=strength,
            converged=converged,
            iterations=iterations,
            log_likelihood=float(likelihood),
            estimable=components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=components.apart[components.label],
            findings=component_findings(components, counts.systems, met),
        )

    def refitter(self, fit: Fit, counts: PairCounts) -> Refit:
        """Factor the information at the estimate once; every batch of resamples starts from there."""
        problem = _Problem.of(counts, *self._decided(counts.outcomes))
        solve = solver(problem.design, problem.information(fit.log_strength), repeated=True)
        offset = fit.log_strength - centred(fit.log_strength, problem.components.label)

        def refit(outcomes: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            won, lost = self._decided(outcomes)
            broken = {
                column: _Problem.of(counts, won[:, column], lost[:, column])
                for column in np.flatnonzero(problem.degenerate(won, lost))
            }
            degenerate = len(broken)
            won, total = won.copy(), won + lost
            for column, part in broken.items():  # pairs across components have no maximum to pull towards
                won[~part.inside, column] = total[~part.inside, column] = 0.0
            inside = problem.inside
            strength, last = chord(problem.design, solve, fit.log_strength, won[inside], total[inside])
            strength = problem.place_by_chance(strength + offset[:, None], rng)
            for column in np.flatnonzero(~(last < 1e-6)):  # too far from the estimate for its factorisation
                broken.setdefault(column, _Problem.of(counts, won[:, column], (total - won)[:, column]))
                strength[:, column] = broken[column].solve_inside(fit.log_strength).strength
            for column, part in broken.items():
                strength[:, column] = part.place_near(fit.log_strength, strength[:, column], rng)
            return problem.finish(strength, rng), degenerate

        return refit

    def draw(
        self, fit: Fit, counts: PairCounts, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate: by the sandwich over units, or the information alone."""
        problem = _Problem.of(counts, *self._decided(counts.outcomes))
        values, vectors = np.linalg.eigh(self.covariance(fit, counts, clustered=clustered))
        # Mirrored pairs keep the centre of the draws exactly where the estimate is.
        half = rng.standard_normal((counts.size, (draws + 1) // 2))
        normal = np.concatenate([half, -half], axis=1)[:, :draws]
        strength = fit.log_strength[:, None] + (vectors * np.sqrt(np.maximum(values, 0.0))) @ normal
        return problem.finish(problem.place_by_chance(strength, rng), rng)

    def covariance(self, fit: Fit, counts: PairCounts, *, clustered: bool) -> FloatArray:
        """Return the covariance of the log-strengths: the inverse information, or the sandwich over units."""
        if counts.size > DENSE_LIMIT:
            raise ModelError(
                f"analytic intervals need a full covariance, which {counts.size:,} systems make too large "
                f"(limit {DENSE_LIMIT:,}). Use --ci bootstrap (ci='bootstrap')."
            )
        problem = _Problem.of(counts, *self._decided(counts.outcomes))
        bread = inverse(problem.design, problem.information(fit.log_strength))
        if not clustered:
            return bread
        chance = special.expit(fit.log_strength[counts.first] - fit.log_strength[counts.second])
        tied = 0.5 - chance if self.ties == "half" else np.zeros_like(chance)
        residuals = np.stack([1 - chance, tied, -chance]) * problem.inside
        covariance: FloatArray = bread @ counts.units.meat(residuals, counts.incidence) @ bread
        return covariance

    def probability(self, fit: Fit, a: int, b: int) -> tuple[float, float, float]:
        """Return the chances that `a` beats, ties with and loses to `b`; this model has no ties."""
        win = float(special.expit(fit.log_strength[a] - fit.log_strength[b]))
        return win, 0.0, 1.0 - win

    def _decided(self, outcomes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return wins of the first and of the second side, ties as chosen."""
        won, tied, lost = outcomes
        return (won + tied / 2, lost + tied / 2) if self.ties == "half" else (won, lost)


@dataclass(frozen=True)
class _Problem:
    """Wins and losses of the pairs, the components they make, and the pairs inside a component."""

    met: Met
    components: Components
    inside: NDArray[np.bool_]
    design: Design

    @classmethod
    def of(cls, counts: PairCounts, won: FloatArray, lost: FloatArray) -> "_Problem":
        met = Met(counts.size, counts.first, counts.second, won, lost)
        components = find_components(met)
        label = components.label
        inside = label[met.first] == label[met.second]
        incidence = counts.incidence if components.connected else counts.incidence[:, inside]
        return cls(met, components, inside, Design(met.first[inside], met.second[inside], label, incidence))

    def solve(self) -> tuple[FloatArray, int, bool]:
        """Maximise inside the components, place the components, and centre on the core."""
        solution = self.solve_inside()
        strength = solution.strength
        if not self.components.connected:
            strength = place_by_prior(self.components, strength, self.met)
        return strength - strength[self.components.in_core].mean(), solution.iterations, solution.converged

    def solve_inside(self, start: FloatArray | None = None) -> Solution:
        """Maximise inside the components, each centred."""
        won, total = self.met.won[self.inside], (self.met.won + self.met.lost)[self.inside]
        return maximise(self.design, won, total, start)

    def place_near(self, known: FloatArray, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Put every component where the known strengths have it, or where its record against the core allows."""
        label = self.components.label
        near = centred(strength, label) + (known - centred(known, label))
        return self.place_by_chance(near[:, None], rng)[:, 0]

    def information(self, strength: FloatArray) -> FloatArray:
        """Return the information that each inside pair carries about its difference."""
        chance = special.expit(strength[self.design.first] - strength[self.design.second])
        information: FloatArray = (self.met.won + self.met.lost)[self.inside] * chance * (1 - chance)
        return information

    def place_by_chance(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Place components that never lost, or never won, where their record allows (systems × draws)."""
        return place_by_chance(self.components, strength, self.met, rng)

    def finish(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Centre draws on the core, and let islands stand anywhere."""
        centre: FloatArray = strength[self.components.in_core].mean(axis=0)
        return scatter_islands(self.components, strength - centre, rng)

    def degenerate(self, won: FloatArray, lost: FloatArray) -> NDArray[np.bool_]:
        """Mark the resamples (pairs × resamples) in which some component has fallen apart."""
        won, lost = won[self.inside], lost[self.inside]

        def whole(won: FloatArray, lost: FloatArray) -> bool:
            met = Met(self.design.size, self.design.first, self.design.second, won, lost)
            return held_together(met, self.components.count)

        # Wins that every resample has are often enough to keep all together: one check instead of a thousand.
        if whole(won.min(axis=1), lost.min(axis=1)):
            return np.zeros(won.shape[1], dtype=bool)
        return ~np.array([whole(won[:, column], lost[:, column]) for column in range(won.shape[1])])
