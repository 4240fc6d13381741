"""Bradley–Terry strengths, jointly with effects of what is controlled for."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError, spelling
from betterthan.datasets import JudgedSet, controlled_judgments
from betterthan.evidence import Judgments
from betterthan.models.base import Fit, ModelBase, decided, draw_normal
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.covariates import control_terms
from betterthan.models.covariates.control_design import ControlDesign
from betterthan.models.covariates.solver import MOST_CELLS, SUSPICIOUS, UNKNOWN, growing
from betterthan.models.likelihood.components import component_findings
from betterthan.models.likelihood.links import Logistic
from betterthan.models.likelihood.newton import DENSE_LIMIT, Curvature, PairSolution, inverse, maximise
from betterthan.models.likelihood.pair_problem import PairProblem

_LINK = Logistic()
ControlledJudgments = controlled_judgments.ControlledJudgments


@dataclass(frozen=True, kw_only=True)
class ControlledBradleyTerry(ModelBase):
    """Maximum-likelihood Bradley–Terry strengths at equal covariates, without any penalty.

    P(a beats b) = σ(s_a − s_b + Σ γ·z), where z are covariates that change their sign with the sides.
    """

    control: str
    ties: Literal["half", "drop"] = "half"

    name: ClassVar[str] = "bradley-terry"
    score: ClassVar[str] = "worth"
    logarithmic: ClassVar[bool] = True
    accepts: tuple[str, ...] = ("judgments",)
    consumes: ClassVar[tuple[type, ...]] = (ControlledJudgments,)

    @property
    def plain(self) -> BradleyTerry:
        """The same model without control."""
        return BradleyTerry(ties=self.ties)

    def judgments(self, data: JudgedSet, *, units: bool) -> ControlledJudgments:
        """Read the judgments of a data set with the covariates that are controlled for."""
        return control_terms.judgments_with(data, self.control, units=units)

    def identified(self, judgments: ControlledJudgments) -> list[int]:
        """Return the covariates whose effects can be separated from strengths, and from those before them."""
        task = ControlTask.of(self, judgments)
        return task.design.identified(task.rows_won.sum(axis=0)[task.inside] / 4)

    def fit(self, judgments: ControlledJudgments) -> Fit:
        """Estimate strengths and effects by Newton's method, from the strengths without control."""
        if judgments.size > DENSE_LIMIT:
            raise ModelError(
                f"{spelling.option('control', self.control)} needs a matrix of all systems, which is too large for "
                f"{judgments.size:,} (limit {DENSE_LIMIT:,})",
                remedy="Leave it out.",
            )
        task = ControlTask.of(self, judgments)
        problem, design = task.problem, task.design
        solution = task.maximise(task.outcomes, task.start)
        self._refuse_endless(task, solution)
        strength = problem.place(solution.strength[: design.systems])
        effects = solution.strength[design.systems :]
        open_low, open_high = problem.components.open_ends()
        point = np.concatenate([strength, effects])
        return Fit(
            systems=judgments.systems,
            strength=strength,
            converged=solution.converged,
            iterations=solution.iterations,
            log_likelihood=_LINK.value(_LINK.prepare(task.rows_outcomes), task.whole.gap(point), 0.0),
            estimable=problem.components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=problem.components.apart[problem.components.label],
            parameters={each.name: float(effect) for each, effect in zip(judgments.covariates, effects, strict=True)},
            findings=component_findings(problem.components, judgments.systems, problem.met),
        )

    def refitter(self, fit: Fit, judgments: ControlledJudgments) -> Any:
        """Refit resamples from the estimate."""
        from betterthan.models.covariates.control_refitting import ControlRefitting  # noqa: PLC0415 (for intervals)

        return ControlRefitting(fit, judgments, self)

    def draw(
        self,
        fit: Fit,
        judgments: ControlledJudgments,
        *,
        clustered: bool,
        draws: int,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate: by the sandwich over units, or the information alone."""
        task = ControlTask.of(self, judgments)
        covariance = self.covariance(fit, judgments, clustered=clustered)[: judgments.size, : judgments.size]
        strength = fit.strength[:, None] + draw_normal(covariance, draws, rng)
        return task.problem.finish(task.problem.place_by_chance(strength, rng), rng)

    def covariance(self, fit: Fit, judgments: ControlledJudgments, *, clustered: bool) -> FloatArray:
        """Return the covariance of strengths and effects: the inverse information, or the sandwich over units."""
        task = ControlTask.of(self, judgments)
        bread = task.bread(self.point(fit))
        if not clustered:
            return bread
        covariance: FloatArray = bread @ judgments.units.meat(task.gradients(self.point(fit)).matrix) @ bread
        return covariance

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances at equal covariates."""
        return np.stack(_LINK.chances(fit.strength[a] - fit.strength[b], 0.0))

    @staticmethod
    def point(fit: Fit) -> FloatArray:
        """Return strengths and effects."""
        return np.concatenate([fit.strength, list(fit.parameters.values())])

    def _refuse_endless(self, task: "ControlTask", solution: PairSolution) -> None:
        """Refuse effects along which the likelihood never stops growing."""
        gap = task.design.gap(solution.strength)
        if solution.converged and np.max(np.abs(gap), initial=0.0) <= SUSPICIOUS:
            return
        systems = task.design.systems
        curvature = Curvature.at(task.design, _LINK, _LINK.prepare(task.outcomes), solution.strength, 0.0, prior=0.0)
        unknown = np.sqrt(np.abs(np.diag(inverse(task.design, curvature.gap))[systems:])) > UNKNOWN
        if np.any(unknown) and len(gap) <= MOST_CELLS:
            unknown &= _endless(task)[systems:]
        for each, endless in zip(task.judgments.covariates, unknown, strict=True):
            if endless:
                raise ModelError(
                    f"{spelling.option('control', self.control)}: {each.name} predicts every outcome that the systems "
                    "leave open, so its effect has no finite estimate",
                    remedy="Leave it out, or check that the column was not made from the outcome.",
                )


def _endless(task: "ControlTask") -> Any:
    design, (won, _, lost) = task.design, task.outcomes
    rows = np.zeros((len(design.first), design.size))
    every = np.arange(len(rows))
    rows[every, design.first] = 1.0
    rows[every, design.second] = -1.0
    rows[:, design.systems :] = design.values
    return growing(np.unique(np.round(np.concatenate([rows[won > 0], -rows[lost > 0]]), 12), axis=0))


@dataclass(frozen=True, eq=False)
class ControlTask:
    """Judgments with covariates as a problem of maximum likelihood, inside the components that pairs make."""

    model: ControlledBradleyTerry
    judgments: ControlledJudgments

    @classmethod
    def of(cls, model: ControlledBradleyTerry, judgments: ControlledJudgments) -> "ControlTask":
        """Return the problem, made once for the same judgments."""
        made: ControlTask = judgments.made(("task", model), lambda: cls(model, judgments))
        return made

    @cached_property
    def problem(self) -> PairProblem:
        """The pairs and the components they make."""
        return self.model.plain.problem(self.judgments.counts, self.judgments.counts.outcomes)

    @cached_property
    def inside(self) -> Any:
        """Which judgments are inside a component; a slice where all are."""
        label = self.problem.components.label
        if self.problem.components.connected:
            return slice(None)
        return np.flatnonzero(label[self.judgments.first] == label[self.judgments.second])

    @cached_property
    def rows_won(self) -> FloatArray:
        """Wins and losses of all judgments, ties as the model takes them (2 × judgments)."""
        return np.stack(decided(self.judgments.outcomes, self.model.ties))

    @cached_property
    def rows_outcomes(self) -> FloatArray:
        """Outcomes of all judgments as the link takes them."""
        won, lost = self.rows_won
        return np.stack([won, np.zeros_like(won), lost])

    @cached_property
    def outcomes(self) -> FloatArray:
        """Outcomes of the judgments inside components."""
        return self.rows_outcomes if isinstance(self.inside, slice) else self.rows_outcomes[:, self.inside]

    @cached_property
    def whole(self) -> ControlDesign:
        """All judgments."""
        one = self.judgments
        return ControlDesign(one.first, one.second, self.problem.components.label, None, one.values)

    @cached_property
    def design(self) -> ControlDesign:
        """The judgments inside components."""
        return self.whole if isinstance(self.inside, slice) else self.whole.rows(self.inside)

    @cached_property
    def start(self) -> FloatArray:
        """The strengths without control, and no effects."""
        known = self.model.plain.maximise(self.problem).strength
        return np.concatenate([known, np.zeros(len(self.judgments.covariates))])

    def maximise(self, outcomes: FloatArray, start: FloatArray) -> PairSolution:
        """Maximise inside components."""
        return maximise(self.design, _LINK, outcomes, (start, 0.0))

    def bread(self, point: FloatArray) -> FloatArray:
        """Return the inverse information, computed once for a point."""
        found: FloatArray = self.judgments.made(
            ("bread", self.model, point.tobytes()), lambda: inverse(self.design, self.curvature(point).gap)
        )
        return found

    def curvature(self, point: FloatArray) -> Curvature:
        """Return the information of judgments at a point."""
        return Curvature.at(self.design, _LINK, _LINK.prepare(self.outcomes), point, 0.0, prior=0.0)

    def gradients(self, point: FloatArray) -> Any:
        """Return what every judgment adds to the gradient at a point."""
        by_gap, _ = _LINK.gradient(_LINK.prepare(self.rows_outcomes), self.whole.gap(point), 0.0)
        if not isinstance(self.inside, slice):
            outside = np.ones(len(by_gap), dtype=bool)
            outside[self.inside] = False
            by_gap = np.where(outside, 0.0, by_gap)
        return self.judgments.gradients(by_gap)


def columns_used(judgments: Judgments, control: str) -> tuple[str, ...]:
    """Return the columns that `control` uses, but for those that have a role anyway."""
    return control_terms.columns_used(judgments, control)


def controlled(model: Any, control: str) -> ControlledBradleyTerry:
    """Return a model with control, or refuse one that has none."""
    if not isinstance(model, BradleyTerry):
        raise ModelError(
            f"{model.name} has no covariates",
            remedy=f"Leave out {spelling.option('control', control)}, or use bradley-terry.",
        )
    return ControlledBradleyTerry(control=control, ties=model.ties)
