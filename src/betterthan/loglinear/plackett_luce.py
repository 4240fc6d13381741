"""Plackett–Luce with covariates, fitted to whole rankings."""

import hashlib
from dataclasses import replace

import numpy as np
from scipy import linalg

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.engine.table import MISSING, Coded
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.rankings import Rankings
from betterthan.loglinear.assemble import Strengths, coefficients_of
from betterthan.loglinear.doubts import findings_of
from betterthan.loglinear.formulas import evaluate, ones, variables
from betterthan.loglinear.objects import Objects
from betterthan.loglinear.rankings import Stages, likelihood
from betterthan.loglinear.result import LogLinear
from betterthan.loglinear.solve import Solution, sandwich, told_apart
from betterthan.loglinear.worths import worths
from betterthan.options.fit import FitOptions
from betterthan.spelling import option

_STEPS, _HALVINGS = 100, 30


def fit_rankings(data: DataSet, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit strengths with subject and object covariates; what belongs to pairs of sides is refused."""
    evidence = data.rankings
    if evidence is None:
        raise EvidenceError(
            f"plackett-luce takes rankings, but this evidence is {data.kind}",
            remedy=f"Use {option('model', 'bradley-terry')}.",
        )
    if options.ties != FitOptions().ties:
        raise PlanError(
            "plackett-luce takes rankings without ties", remedy=f"Leave out {option('ties', options.ties)}."
        )
    for name in ("contrast", "position", "undecided", "terms", "random", "by"):
        if getattr(options, name):
            raise PlanError(
                f"{option(name)} is for pairs; plackett-luce takes {option('subject')} and {option('object')}",
                remedy="Leave it out.",
            )
    stages = Stages.of(evidence)
    columns: dict[str, Coded | FloatArray] = {name: _known(evidence, name) for name in variables(options.subject)}
    subject = (
        evaluate(options.subject, columns, len(evidence.weight)) if options.subject else ones(len(evidence.weight))
    )
    strengths = Strengths.of(evidence.systems, subject, table, options)
    size = len(evidence.systems)
    of_entry = [strengths.basis[column * size + stages.system] for column in range(len(subject.names))]
    rows = subject.matrix[stages.ranking]
    design: FloatArray = sum(rows[:, [place]] * each for place, each in enumerate(of_entry))  # type: ignore[assignment]
    solution, scores = maximise_rankings(stages, design)
    if options.unit:
        labels = _coded(evidence, options.unit)
        solution = replace(solution, covariance=sandwich(solution, _summed(scores, labels.compact[0])))
    choices_left = stages.left_over(np.ones(len(stages.system)))
    null = float(2 * np.sum(stages.weight[stages.ranking] * np.log(choices_left)))
    freedom = int(np.sum(choices_left - 1))
    nothing = np.empty((3, 0))
    return LogLinear(
        coefficients=strengths.with_reference(
            coefficients_of(strengths.names, ("strength",) * len(strengths.names), solution, options.level)
        ),
        covariance=solution.covariance,
        names=strengths.names,
        kinds=("strength",) * len(strengths.names),
        null=solution.null,
        worths=worths(evidence.systems, columns, strengths.onto(), solution),
        systems=evidence.systems,
        reference=evidence.systems[strengths.reference] if strengths.reference is not None else None,
        left=np.empty(0, dtype=np.int64),
        right=np.empty(0, dtype=np.int64),
        observed=nothing,
        fitted=nothing,
        log_likelihood=solution.log_likelihood,
        deviance=-2 * solution.log_likelihood,
        null_deviance=null,
        df=freedom - int(np.sum(~solution.aliased)),
        null_df=freedom,
        judgments=float(len(evidence.weight)),
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log"),
        account=evidence.account,
        findings=findings_of(evidence.account, strengths.names, solution, None),
        data=_digest(stages),
    )


def _known(evidence: Rankings, name: str) -> Coded:
    column = _coded(evidence, name)
    if np.any(column.codes == MISSING):
        raise EvidenceError(
            f"some rankings have no {name}",
            where=evidence.name,
            remedy=f"Fill it in, or leave them out with {option('where')}.",
        )
    return column


def _coded(evidence: Rankings, name: str) -> Coded:
    if name not in evidence.about:
        have = ", ".join(evidence.about)
        raise PlanError(
            f"these rankings have no {name!r}",
            allowed=have,
            remedy=f"Name its column when you read them: {option('judge', 'COLUMN')} or {option('item', 'COLUMN')}.",
        )
    return evidence.about[name]


def _digest(stages: Stages) -> str:
    text = hashlib.sha256("\0".join(stages.systems).encode(errors="surrogatepass"))
    for column in (stages.ranking, stages.system, stages.weight):
        text.update(np.ascontiguousarray(column).tobytes())
    return text.hexdigest()[:12]


def maximise_rankings(stages: Stages, design: FloatArray) -> tuple[Solution, FloatArray]:
    """Maximise the likelihood; also return the derivatives of every ranking (rankings × coefficients)."""
    size = design.shape[1]
    # Choices only compare what is in one ranking: what is the same for all of it says nothing.
    _, _, even = likelihood(stages, design, np.zeros(size))
    aliased, null = told_apart(even, (design**2).sum(axis=0))
    kept = np.flatnonzero(~aliased)
    small = design[:, kept]
    point = np.zeros(len(kept))
    value, scores, information = likelihood(stages, small, point)
    converged, steps = False, 0
    for steps in range(1, _STEPS + 1):  # noqa: B007 (reported)
        gradient = scores.sum(axis=0)
        step = linalg.lstsq(information, gradient)[0]
        if float(gradient @ step) < 1e-14 * (1 + abs(value)):
            converged, point = True, point + step  # one more full step makes the last digits good
            break
        factor = 1.0
        for _ in range(_HALVINGS):
            new = likelihood(stages, small, point + factor * step)
            if new[0] >= value - 1e-12 * (1 + abs(value)):
                break
            factor /= 2
        point = point + factor * step
        value, scores, information = new
    covariance, coefficients = np.full((size, size), np.nan), np.full(size, np.nan)
    covariance[np.ix_(kept, kept)] = np.linalg.pinv(information, hermitian=True)
    coefficients[kept] = point
    # No likelihood of choices has a maximum where strengths run away: they have by far passed this.
    infinite = np.zeros(size, dtype=bool)
    infinite[kept] = (np.abs(point) * np.abs(small).max(axis=0) > 15) & ~np.isnan(point)
    solution = Solution(coefficients, covariance, aliased, infinite, null, value, steps, converged)
    return solution, _summed(scores, stages.ranking)


def _summed(scores: FloatArray, by: IntArray) -> FloatArray:
    """Add up rows of derivatives by ranking, or by cluster."""
    number = int(by.max()) + 1
    return np.stack([np.bincount(by, column, number) for column in scores.T], axis=1)
