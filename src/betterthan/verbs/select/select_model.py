"""Select the model that predicts best."""

from dataclasses import replace
from typing import Any

from betterthan.base import PlanError, parallel, registry, silent, spelling
from betterthan.datasets import DataSet, EvidenceSummary, ScoreMatrix, data_sets
from betterthan.findings import Finding
from betterthan.models import Model
from betterthan.options import SelectOptions, takes
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.rank import model_statistic
from betterthan.verbs.select import selection_findings
from betterthan.verbs.select.candidates import compete
from betterthan.verbs.select.divisible_evidence import cut_up
from betterthan.verbs.select.selection_result import Selection
from betterthan.verbs.select.split_plan import deal
from betterthan.verbs.select.split_summary import Summary
from betterthan.verbs.select.trial import Contest

_ORDERED = "trueskill(preset=wmt)"
_DEFAULTS = {
    "judgments": f"expected-wins,hopkins-may,{_ORDERED},bradley-terry,davidson",
    "rankings": f"expected-wins,hopkins-may,{_ORDERED},bradley-terry,davidson",
    "scores": "mean,median,bradley-terry,davidson",
}


@takes(SelectOptions)
def select(evidence: Any, options: SelectOptions) -> Selection:
    """Choose the model that predicts held-out judgments best.

    Evidence is split by `unit` (ranking, item, judge, row; by default as `rank` resamples), so that no unit is in two
    parts. It is split into `folds` (5), `repeats` times, or into `dev` and `test` judgments and the rest. Models are
    fitted to training, tuned on development and measured on test. `sizes` asks for learning curves. An option may list
    alternatives, `elo(k=16|32)`, of which development judgments choose by `tune_by`: log_loss or accuracy.

    >>> votes = [("owl", "yak", "a")] * 30 + [("owl", "yak", "b")] * 10 + [("owl", "elk", "tie")] * 10
    >>> found = select(votes, "davidson,win-rate", repeats=1)
    >>> found.best["accuracy"]
    'davidson'
    """
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance)
    data = sets.only("the choice of a model").by_one_unit(options.unit, "the choice of a model")
    texts, findings = (options.models, []) if options.models is not None else _default(data)
    candidates = compete(texts, options.seed)
    competing = [model for candidate in candidates for _, model in candidate.alternatives]
    summary = _accepted(data, competing)
    pieces = cut_up(data, competing)
    splits = deal(options, pieces, data.unit)
    trials = parallel.each(
        Contest(pieces, candidates, tuple(options.sizes or (None,)), options.tune_by), splits, options.progress
    )
    found = Summary(tuple(trials), tuple(candidate.text for candidate in candidates), options.level)
    findings += [*support.left_out(sets), *support.refused(data.account())]
    hint = support.ANOTHER if data.statistic(ScoreMatrix) is None else support.BY_MEAN
    findings += support.not_resampled(data.unit, data.other_units, hint=hint)
    selection = Selection(
        settings=options.changed(
            models=texts, unit=data.unit, folds=None if options.dev else options.folds or options.FOLDS, progress=silent
        ),
        data=summary.digest,
        reading=sets.reading,
        rows=found.rows(),
        versus=found.versus(),
        kind=data.kind,
        unit=data.unit,
        units=len(pieces.per_unit),
        judgments=summary.judgments,
        splits=len(splits),
        tested=found.tested,
    )
    findings += selection_findings.all_of(found, selection)
    return replace(selection, findings=tuple(findings))


def _default(data: DataSet) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the models that compete by default; one that needs an order has no place where there is none."""
    models = registry.split(_DEFAULTS[data.kind])
    if data.ordered:
        return models, []
    return tuple(model for model in models if model != _ORDERED), [selection_findings.without_order(_ORDERED)]


def _accepted(data: DataSet, models: list[Model]) -> EvidenceSummary:
    """Refuse at once what a model cannot rank; return the evidence in numbers."""
    if data.unit not in {"row", *data.named_units}:
        have = ", ".join([*data.named_units, "row"])
        raise PlanError(
            f"there is no {data.unit} column to split by",
            where=data.name,
            allowed=have,
            remedy=f"Name the column with {spelling.option(data.unit)}.",
        )
    for model in models:
        model_statistic.statistic_for(model, data)
    return data.summary(model_statistic.order_of(models[0], data))
