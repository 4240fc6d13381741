"""Effects of what a board controls for, with their errors, and the board without control."""

from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import DataSet, DataSets, EvidenceSummary
from betterthan.datasets import controlled_judgments as controlled
from betterthan.evidence import Reading
from betterthan.findings import Finding, kinds
from betterthan.inference import EstimateErrors
from betterthan.models import Fit, Model, controlled_model
from betterthan.options import Settings
from betterthan.uncertainty import ranks_and_clusters, scales
from betterthan.verbs.rank.board_control import Control, Effect, Uncontrolled
from betterthan.verbs.rank.model_statistic import statistic_for

ControlledModel = controlled_model.ControlledBradleyTerry


def reading_of(sets: DataSets, control: str) -> Reading | None:
    """Return how evidence was read, with the columns that it is controlled for among those used."""
    reading = sets.reading
    if reading is None or not sets.judged:
        return reading
    return reading.using("control", controlled_model.columns_used(sets.judged[0].judgments, control))


def identified(
    model: Model,
    judgments: controlled.ControlledJudgments,
    summary: EvidenceSummary,
    data: DataSet,
    *,
    units: bool,
) -> tuple[Model, Any, EvidenceSummary, list[Finding]]:
    """Leave out covariates whose effect cannot be separated from others; without any, take the plain model."""
    assert isinstance(model, ControlledModel)
    kept = model.identified(judgments)
    lost = [each for place, each in enumerate(judgments.covariates) if place not in kept]
    findings = [_unidentified(each, judgments) for each in lost]
    if kept:
        return model, judgments.kept(kept), summary, findings
    plain = model.plain
    return plain, *statistic_for(plain, data, units=units), findings


def _unidentified(covariate: controlled.Covariate, judgments: controlled.ControlledJudgments) -> Finding:
    value = judgments.values[:, judgments.covariates.index(covariate)]
    why = (
        "it is the same on both sides in every judgment"
        if not np.any(value)
        else "it follows from which systems are compared, or from the other effects"
    )
    return kinds.fitting.CONTROL_NOT_IDENTIFIED.found(name=covariate.name, why=why)


def report(model: Model, fit: Fit, judgments: Any, settings: Settings, scale: scales.Scale) -> Control:
    """Return the effects with intervals, and the board without control."""
    if not isinstance(judgments, controlled.ControlledJudgments):
        return Control(())
    assert isinstance(model, ControlledModel)
    effects = effects_of(model, fit, judgments, settings.ci, settings.level)
    plain = model.plain.fit(judgments.counts)
    hidden = ~plain.placed
    ranks = ranks_and_clusters.ranks_of(plain.strength, hidden, plain.resolution)
    scores = _plain_scale(scale, settings, plain, model).apply(plain.strength)
    without = {
        system: Uncontrolled(
            None if hidden[place] else int(ranks[place]), None if hidden[place] else float(scores[place])
        )
        for place, system in enumerate(plain.systems)
    }
    best = [np.argmax(np.where(each.placed, each.strength, -np.inf)) for each in (fit, plain)]
    return Control(effects, without, bool(best[0] != best[1]))


def effects_of(
    model: ControlledModel,
    fit: Fit,
    judgments: controlled.ControlledJudgments,
    ci: str,
    level: float,
) -> tuple[Effect, ...]:
    """Return the effects with their errors, as the kind of intervals has them."""
    estimates = np.array(list(fit.parameters.values()))
    errors = _errors(model, fit, judgments, ci)
    number = len(estimates)
    if errors is None:
        spread: list[tuple[Any, ...]] = [(None, None, None, None)] * number
    else:
        reach, p = errors.reach(level), errors.p(estimates)
        error = np.sqrt(errors.widest(level)[0])
        spread = list(
            zip(error.tolist(), (estimates - reach).tolist(), (estimates + reach).tolist(), p.tolist(), strict=True)
        )
    return tuple(
        Effect(each.name, each.unit, each.columns, each.scale, float(estimate), *found)
        for each, estimate, found in zip(judgments.covariates, estimates, spread, strict=True)
    )


def _plain_scale(scale: scales.Scale, settings: Settings, plain: Fit, model: ControlledModel) -> scales.Scale:
    """Return the same scale for the strengths without control."""
    if settings.scale is None:
        return scale
    by_gap = scales.chances_by_gap(model.plain, plain)
    return scales.Scale.of(settings.scale, plain.systems, plain.estimable, settings.anchor, by_gap)


def _errors(
    model: ControlledModel,
    fit: Fit,
    judgments: controlled.ControlledJudgments,
    ci: str,
) -> EstimateErrors | None:
    """Return the errors of effects: the sandwich over units, or by the information alone."""
    if ci == "none":
        return None
    task, point, systems = controlled_model.ControlTask.of(model, judgments), model.point(fit), judgments.size
    bread = task.bread(point)[systems:]
    if ci == "information":
        variance = np.diag(bread[:, systems:]).copy()
        return EstimateErrors((variance,), (np.full(len(variance), np.inf),))
    gradients = task.gradients(point)
    pushed = [
        (row[judgments.first] - row[judgments.second] + judgments.values @ row[systems:]) * gradients.value
        for row in bread
    ]
    units = judgments.units
    factors = units.crossed if units.crossed is not None else (units,)
    variances = [_between(pushed, each) for each in factors]
    freedom = [np.full(len(bread), max(each.effective - 1.0, 1.0)) for each in factors]
    if len(variances) == 1:
        return EstimateErrors((variances[0],), (freedom[0],))
    one, two, common = variances
    return EstimateErrors.crossed(one, two, common, freedom[0], freedom[1])


def _between(pushed: list[FloatArray], units: Any) -> FloatArray:
    """Return the variances of effects between units."""
    level = units.factors[0] if units.factors else None
    number = units.levels[0]
    sums = (row if level is None else np.bincount(level, row, number) for row in pushed)
    found: FloatArray = np.array([float(each @ each) for each in sums]) * number / max(number - 1, 1)
    return found
