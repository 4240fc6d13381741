"""Plackett–Luce: a ranking is a sequence of choices of the next best system or tied systems."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import sparse, special

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import Orders, PairCounts
from betterthan.findings import Finding
from betterthan.findings import kinds as finding_kinds
from betterthan.models.base import Fit, ModelBase, draw_normal, register_model
from betterthan.models.davidson import Davidson
from betterthan.models.likelihood.choices import Choices, chord, maximise
from betterthan.models.likelihood.components import (
    PRIOR,
    Components,
    Met,
    component_findings,
    find_components,
    held_together,
    on_core,
    place_by_chance,
    place_by_prior,
    scatter_islands,
)
from betterthan.models.likelihood.newton import centred
from betterthan.models.likelihood.pair_refitting import MUCH_KNOWN, PairRefitting
from betterthan.models.likelihood.stages import StageCells, split
from betterthan.models.refitting import Refitting

#: From that many numbers on that go into the likelihood once, a thousand refits take minutes.
_MANY_NUMBERS = 1_000_000
#: Numbers that the counted choices of some resamples may take at once.
_AT_ONCE = 4_000_000


@register_model
@dataclass(frozen=True, kw_only=True)
class PlackettLuce(ModelBase):
    """Maximum-likelihood worths from rankings with ties, complete or partial.

    Assumes that each place of a ranking is filled from the systems that remain. Of these, d tie there with a chance
    proportional to δ_d times the geometric mean of their worths (Davidson–Luce, δ_1 = 1). Ties of a size that the
    evidence lacks have chance 0. Consumes rankings; judgments are rankings of two, which makes it Davidson's model. The
    score is the worth, up to a factor: a system twice as worthy is chosen first twice as often.

    Turner, van Etten, Firth & Kosmidis (2020), Modelling rankings in R: the PlackettLuce package, Comput. Stat. 35.
    """

    name: ClassVar[str] = "plackett-luce"
    score: ClassVar[str] = "worth"
    logarithmic: ClassVar[bool] = True
    accepts = ("rankings", "judgments")
    consumes: ClassVar[tuple[type, ...]] = (Orders, PairCounts)

    def fit(self, statistic: Orders | PairCounts) -> Fit:
        """Estimate worths and tie parameters by Newton's method, inside every component that allows it."""
        if isinstance(statistic, PairCounts):
            return Davidson().fit(statistic)
        problem, _ = _problem(statistic)
        at, iterations, converged = problem.maximise(np.zeros(problem.choices.features.shape[0]))
        strength, log_delta = problem.place(at[: statistic.size]), at[statistic.size :]
        components = problem.components
        open_low, open_high = components.open_ends()
        return Fit(
            systems=statistic.systems,
            strength=strength,
            converged=converged,
            iterations=iterations,
            log_likelihood=problem.log_likelihood(strength, log_delta),
            estimable=components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=components.apart[components.label],
            parameters={
                f"delta{order}": float(np.exp(value))
                for order, value in zip(problem.choices.orders, log_delta, strict=True)
            },
            findings=(*component_findings(components, statistic.systems, problem.met), *problem.findings()),
        )

    def refitter(self, fit: Fit, statistic: Orders | PairCounts) -> Refitting:
        """Refit resamples from the estimate."""
        if isinstance(statistic, PairCounts):
            return _JudgmentsRefitting(fit, statistic, Davidson())
        return ChoiceRefitting(fit, statistic)

    def draw(
        self, fit: Fit, statistic: Orders | PairCounts, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate: by the sandwich over units, or the information alone."""
        if isinstance(statistic, PairCounts):
            return Davidson().draw(fit, statistic, clustered=clustered, draws=draws, rng=rng)
        problem, _ = _problem(statistic)
        covariance = self.covariance(fit, statistic, clustered=clustered)[: statistic.size, : statistic.size]
        strength = fit.strength[:, None] + draw_normal(covariance, draws, rng)
        return problem.finish(place_by_chance(problem.components, strength, problem.met, rng), rng)

    def covariance(self, fit: Fit, statistic: Orders | PairCounts, *, clustered: bool) -> FloatArray:
        """Return the covariance of the strengths, and last of log δ by order: inverse information, or the sandwich."""
        if isinstance(statistic, PairCounts):
            return Davidson().covariance(fit, statistic, clustered=clustered)
        problem, made = _problem(statistic)
        choices, at = problem.choices, _parameters(fit)
        bread = choices.covariance(choices.information(at, problem.counts))
        if not clustered:
            return bread
        covariance: FloatArray = bread @ statistic.units.meat(problem.gradients(at, made, statistic.weight)) @ bread
        return covariance

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances when only the two are ranked."""
        if Davidson.parameter in fit.parameters:  # it was fitted to judgments
            return Davidson().chances(fit, a, b)
        gap, delta = (fit.strength[a] - fit.strength[b]) / 2, fit.parameters.get("delta2", 0.0)
        log_delta = np.full_like(gap, np.log(delta) if delta > 0 else -np.inf)
        chances: FloatArray = special.softmax(np.stack([gap, log_delta, -gap]), axis=0)
        return chances


@dataclass(frozen=True, eq=False)
class ChoiceRefitting(Refitting):
    """Refits rankings from the estimate, or moves it by one step of Newton's method."""

    statistic: Orders

    @cached_property
    def _split(self) -> tuple["_Problem", Any]:
        return _problem(self.statistic)

    @cached_property
    def _at(self) -> FloatArray:
        return _parameters(self.fit)

    @cached_property
    def _solve(self) -> Any:
        """What solves for Newton's steps, by the factored information at the estimate."""
        problem, _ = self._split
        return problem.choices.solver(problem.choices.information(self._at, problem.counts))

    def prepare(self) -> None:
        """Split the rankings into choices, and factor the information where steps take it."""
        _ = self._solve if self.statistic.units.summed_gradients else self._split

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit rankings that occur so often (rankings × resamples), or move by gradients (parameters × resamples)."""
        problem, made = self._split
        if self.statistic.units.summed_gradients:
            moved = problem.choices.centred(self._at[:, None] + self._solve(resampled))
            return problem.finish(moved[: problem.cells.size], rng), 0
        step = max(1, _AT_ONCE // max(1, made.shape[0]))
        weighted = resampled * self.statistic.weight[:, None]
        parts = [
            problem.refit(self._at, self.fit.strength, made @ weighted[:, begin : begin + step], rng)
            for begin in range(0, resampled.shape[1], step)
        ]
        return np.concatenate([strength for strength, _ in parts], axis=1), sum(broken for _, broken in parts)

    @property
    def nearly_linear(self) -> bool:
        """Many sets to choose from take long, and much evidence leaves resamples near the estimate."""
        if not np.all(self.fit.placed):
            return False
        problem, _ = self._split
        if problem.choices.numbers < _MANY_NUMBERS or np.any(problem.choices.prior):
            return False
        return problem.least_known >= MUCH_KNOWN

    @property
    def terms(self) -> Any:
        """The gradients of rankings (rankings × parameters)."""
        problem, made = self._split
        return problem.gradients(self._at, made, self.statistic.weight)


class _JudgmentsRefitting(PairRefitting):
    """Refits judgments as Davidson's model does, always: for steps there is davidson, which is the same model."""

    nearly_linear = False
    little_known = Refitting.little_known
    terms = None


def _parameters(fit: Fit) -> FloatArray:
    return np.append(fit.strength, np.log(list(fit.parameters.values())))


def _problem(statistic: Orders) -> tuple["_Problem", Any]:
    cells, made = split(statistic)
    return _Problem.of(cells, made @ statistic.weight), made


@dataclass(frozen=True)
class _Problem:
    """Counted choices, their components, and the likelihood inside the components."""

    cells: StageCells
    counts: FloatArray
    met: Met
    components: Components
    inner: StageCells  # the choices inside the components
    within: Any  # inner cells × cells
    choices: Choices

    @classmethod
    def of(cls, cells: StageCells, counts: FloatArray) -> "_Problem":
        met = cells.met(counts)
        components = find_components(met)
        label = components.label
        if components.connected:
            inner, within = cells, sparse.eye_array(len(counts)).tocsr()
        else:
            inner, within = cells.within(label)
            # Those that remain share the loss of a choice, so that someone always last does not lose to each in full.
            met = cells.met(counts / (cells.inside(label)[0] * cells.tied))
        choices = Choices.of(inner, label).over(within)
        loose = np.array(choices.orders) > inner.determined(np.asarray(within @ counts) > 0)
        choices = choices.only(np.isin(choices.orders, cells.tied[counts > 0]), np.where(loose, PRIOR, 0.0))
        return cls(cells, counts, met, components, inner, within, choices)

    def maximise(self, start: FloatArray) -> tuple[FloatArray, int, bool]:
        """Maximise inside the components, each centred."""
        return maximise(self.choices, self.counts, start)

    def gradients(self, at: FloatArray, made: Any, weight: FloatArray) -> Any:
        """Return the gradient of each ranking (rankings × parameters); `made` are cells × rankings."""
        return (self.choices.residuals(at) @ made @ sparse.diags_array(weight)).T.tocsr()

    @property
    def least_known(self) -> float:
        """Return the approximate information about the least-known system.

        It is half the number of times that a system was chosen, or that others were chosen instead, whichever is
        smaller. With n events of chance p the information, n·p·(1 − p), is between that half and the whole.
        """
        cell, system, chosen = self.cells.entries
        times = [np.bincount(system[which], self.counts[cell[which]], self.cells.size) for which in (chosen, ~chosen)]
        return float(np.min(times)) / 2

    def place(self, strength: FloatArray) -> FloatArray:
        """Place the components, and centre on the core."""
        return on_core(self.components, place_by_prior(self.components, strength, self.met))

    def log_likelihood(self, strength: FloatArray, log_delta: FloatArray) -> float:
        """Return the log-likelihood of all choices, also of those between components."""
        choices = self.choices
        if not self.components.connected:
            every = Choices.of(self.cells, self.components.label)
            choices = every.only(np.isin(every.orders, choices.orders), np.zeros(len(every.orders)))
        return choices.value(np.append(strength, log_delta), self.counts)

    def findings(self) -> tuple[Finding, ...]:
        """Report if the prior determines the tie parameters."""
        loose = np.array(self.choices.orders)[self.choices.prior[self.cells.size :] > 0]
        if len(loose) == 0:
            return ()
        return (finding_kinds.ties.TIE_WIDTH.found(ties=f"ties of {', '.join(map(str, loose))} systems"),)

    def refit(
        self, at: FloatArray, known: FloatArray, counts: FloatArray, rng: np.random.Generator
    ) -> tuple[FloatArray, int]:
        """Estimate again for counts (cells × resamples), starting from parameters and from known strengths."""
        size = self.cells.size
        label = self.components.label
        strength = np.repeat((known - centred(known, label))[:, None], counts.shape[1], axis=1)
        present = self.choices.features[size:] @ counts > 0
        broken = self.broken(counts, present)
        whole = np.flatnonzero(~broken)
        kinds, kind = np.unique(present[:, whole], axis=1, return_inverse=True)
        for number, kept in enumerate(kinds.T):
            columns = whole[kind.ravel() == number]
            # An order of ties that a resample does not have is one that never happens.
            choices = self.choices.only(kept, self.choices.prior[size:])
            start = at[np.append(np.ones(size, dtype=bool), kept)]
            solve = choices.solver(choices.information(start, self.counts))
            found, last = chord(choices, solve, start, counts[:, columns])
            for place in np.flatnonzero(~(last < 1e-6)):  # too far from the estimate for its factorisation
                found[:, place] = maximise(choices, counts[:, columns[place]], start)[0]
            strength[:, columns] += found[:size]
        strength[:, whole] = place_by_chance(self.components, strength[:, whole], self.met, rng)
        for column in np.flatnonzero(broken):
            problem = _Problem.of(self.cells, counts[:, column])
            start = np.append(at[:size], at[size:][np.isin(self.choices.orders, problem.choices.orders)])
            part = problem.maximise(start)[0][:size] + (known - centred(known, problem.components.label))
            strength[:, column] = place_by_chance(problem.components, part[:, None], problem.met, rng)[:, 0]
        return self.finish(strength, rng), int(np.sum(broken))

    def finish(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Centre draws on the core, and scatter unconnected components."""
        return scatter_islands(self.components, on_core(self.components, strength), rng)

    def broken(self, counts: FloatArray, present: BoolArray) -> BoolArray:
        """Mark the resamples without a maximum: a component has fallen apart, or ties are no longer bounded."""
        bounded = self.choices.prior[self.cells.size :] == 0

        def sound(counts: FloatArray, present: BoolArray) -> bool:
            counts = self.within @ counts
            if not held_together(self.inner.met(counts), self.components.count):
                return False
            reached = self.inner.determined(counts > 0) if np.any(bounded) else 1
            return not np.any((np.array(self.choices.orders) > reached) & bounded & present)

        # What every resample has is often enough to keep all together: one check instead of a thousand.
        if sound(counts.min(axis=1), np.ones(len(present), dtype=bool)):
            return np.zeros(counts.shape[1], dtype=bool)
        return ~np.array([sound(counts[:, column], present[:, column]) for column in range(counts.shape[1])])
