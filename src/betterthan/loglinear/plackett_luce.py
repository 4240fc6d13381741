"""Plackett–Luce with covariates, fitted to whole rankings."""

import hashlib
from dataclasses import replace

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.engine.table import MISSING, Coded
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.rankings import Rankings
from betterthan.loglinear.assemble import Strengths, coefficients_of
from betterthan.loglinear.doubts import findings_of
from betterthan.loglinear.formulas import Terms, evaluate, ones, variables
from betterthan.loglinear.objects import Objects
from betterthan.loglinear.rankings import Stages
from betterthan.loglinear.result import LogLinear
from betterthan.loglinear.solve import (
    MOST_CELLS,
    SUSPICIOUS,
    UNKNOWN,
    Solution,
    growing,
    inverted,
    newton,
    sandwich,
    told_apart,
)
from betterthan.loglinear.terms import TIE
from betterthan.loglinear.worths import worths
from betterthan.options.fit import FitOptions
from betterthan.spelling import option


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
            "plackett-luce has parameters of its own for ties", remedy=f"Leave out {option('ties', options.ties)}."
        )
    for name in ("contrast", "position", "undecided", "terms", "random", "by"):
        if getattr(options, name):
            raise PlanError(
                f"{option(name)} is for pairs; plackett-luce takes {option('subject')} and {option('object')}",
                remedy="Leave it out.",
            )
    columns: dict[str, Coded | FloatArray] = {name: _known(evidence, name) for name in variables(options.subject)}
    subject = (
        evaluate(options.subject, columns, len(evidence.weight)) if options.subject else ones(len(evidence.weight))
    )
    strengths = Strengths.of(evidence.systems, subject, table, options)
    stages = Stages.of(evidence, _design(evidence, subject, strengths.basis))
    solution = maximise_rankings(stages)
    names = (*strengths.names, *(f"{TIE}{order}" for order in stages.orders))
    kinds = ("strength",) * len(strengths.names) + ("width",) * len(stages.orders)
    if options.unit:
        labels = _coded(evidence, options.unit)
        kept = np.flatnonzero(~solution.aliased)
        scores = stages.take(kept).scores(solution.coefficients[kept])
        solution = replace(solution, covariance=sandwich(solution, _summed(scores, labels.compact[0])))
    alternatives = stages.alternatives()
    freedom = round(float(np.sum(alternatives - 1)))
    nothing = np.empty((3, 0))
    return LogLinear(
        coefficients=strengths.with_reference(coefficients_of(names, kinds, solution, options.level)),
        covariance=solution.covariance,
        names=names,
        kinds=kinds,
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
        null_deviance=float(2 * stages.weight @ np.log(alternatives).sum(axis=1)),
        df=freedom - int(np.sum(~solution.aliased)),
        null_df=freedom,
        judgments=float(len(evidence.weight)),
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log"),
        account=evidence.account,
        findings=findings_of(evidence.account, names, solution, None),
        data=_digest(evidence),
    )


def _design(evidence: Rankings, subject: Terms, basis: FloatArray) -> FloatArray:
    """Return what coefficients make of the strength of every entry."""
    size, rows = len(evidence.systems), subject.matrix[evidence.ranking]
    design = np.zeros((len(evidence.system), basis.shape[1]))
    for column in range(len(subject.names)):
        design += rows[:, [column]] * basis[column * size + evidence.system]
    return design


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


def _digest(evidence: Rankings) -> str:
    """Return a fingerprint of the rankings, each by itself, whatever the order of its entries."""
    text = hashlib.sha256("\0".join(evidence.systems).encode(errors="surrogatepass"))
    order = np.lexsort((evidence.system, evidence.rank, evidence.ranking))
    for column in (evidence.ranking[order], evidence.system[order], evidence.rank[order], evidence.weight):
        text.update(np.ascontiguousarray(column).tobytes())
    return text.hexdigest()[:12]


def maximise_rankings(stages: Stages) -> Solution:
    """Maximise the likelihood of the choices over the coefficients that can be told apart."""
    columns, size = stages.design.shape[1], stages.size
    # Choices only compare what is in one ranking: what is the same for all of it says nothing.
    aliased, null = told_apart(stages.at(np.zeros(size))[2], (stages.design**2).sum(axis=0))
    kept = np.flatnonzero(~aliased)
    small = stages.take(kept[kept < columns])
    found = newton(small.at, np.zeros(len(kept)), rounding=1e-15 * float(stages.weight.sum()), reach=small.reach)
    covariance, coefficients = np.full((size, size), np.nan), np.full(size, np.nan)
    covariance[np.ix_(kept, kept)] = inverted(small.at(found.point)[2])
    coefficients[kept] = found.point
    infinite = np.zeros(size, dtype=bool)
    if (not found.converged or small.reach(found.point) > SUSPICIOUS) and small.entry.size <= MOST_CELLS:
        # A direction may also hold coefficients that need not grow: those are known all the same.
        error = np.sqrt(np.abs(np.diag(covariance)[kept])) * np.append(
            np.ptp(small.design, axis=0), [1] * len(stages.orders)
        )
        infinite[kept] = growing(small.preferred()) & (error > UNKNOWN)
    return Solution(
        coefficients, covariance, aliased, infinite, null, found.value, found.steps, found.converged
    )  # fmt: skip


def _summed(scores: FloatArray, by: IntArray) -> FloatArray:
    """Add up rows of derivatives by ranking, or by cluster."""
    number = int(by.max()) + 1
    return np.stack([np.bincount(by, column, number) for column in scores.T], axis=1)
