"""The statistic a model is fitted to, taken from a data set."""

from dataclasses import replace
from typing import Any

from betterthan.base import ModelError, PlanError, spelling
from betterthan.datasets import DataSet, EvidenceSummary, Games, PairCounts, ScoreMatrix
from betterthan.evidence import Order
from betterthan.models import Model


def order_of(model: Model, data: DataSet) -> Order | None:
    """Return the order in which a model takes judgments, None for one that does not mind or tries many."""
    return data.order_of(model.order)


def by_units_of(model: Model, data: DataSet, asked: str | None) -> DataSet:
    """Return the data set by items alone where a model cannot take items and judges of scores; refused if requested."""
    return data if {ScoreMatrix, PairCounts} & set(model.consumes) else data.by_items_alone(asked, model.name)


def statistic_for(model: Model, data: DataSet, *, units: bool = True) -> tuple[Any, EvidenceSummary]:
    """Return the statistic that a model is fitted to, and the summary that says what was converted on the way."""
    if getattr(model, "control", None) is not None:
        return _controlled(model, data, units=units)
    if data.kind not in model.accepts:
        raise _refusal(model, data.kind)
    _refuse_single_items(model, data)
    order = order_of(model, data)
    for kind in model.consumes:
        statistic: Any = data.statistic(kind, model.order, units=units)
        if statistic is not None:
            if units and data.unit == "row" and data.resampled_whole(kind):
                raise PlanError(f"{model.name} resamples whole rankings, not rows", allowed="ranking, item, judge")
            conversion = data.conversion(statistic, instead=kind is not model.consumes[0])
            summary = replace(data.summary(order, units=units), conversion=conversion)
            if isinstance(statistic, Games) and order is not None:
                summary = replace(summary, digest=statistic.digest())
            return statistic, summary
    raise _refusal(model, data.kind)


def _controlled(model: Any, data: Any, *, units: bool) -> tuple[Any, EvidenceSummary]:
    """Return judgments one by one with covariates; rows that lack one are accounted for."""
    judgments = model.judgments(data, units=units)
    decided, tied = judgments.totals
    summary = EvidenceSummary(
        kind=data.kind,
        rows=judgments.account.read,
        refused=judgments.account.refused,
        systems=judgments.size,
        judgments=judgments.number,
        wins=decided,
        ties=tied,
        digest=judgments.digest,
        units=data.judgments.unit_sizes,
        effective=judgments.effective,
    )
    return judgments, summary


def _refuse_single_items(model: Model, data: DataSet) -> None:
    """Refuse a model of single items for a metric whose items have no score of their own."""
    if data.single_items or data.corpus_metric is None:
        return
    from betterthan.datasets import ItemParts  # noqa: PLC0415 (only of scores that metrics computed)

    if ItemParts in model.consumes:
        return
    from betterthan.metrics import build_metric  # noqa: PLC0415 (only of scores that metrics computed)

    instead = build_metric(data.corpus_metric).instead
    raise ModelError(
        f"{data.corpus_metric} is a score of the whole test set, so {model.name} cannot rank by single items",
        remedy=f"Use {spelling.option('model', 'corpus')}{f', or score {instead}' if instead else ''}.",
    )


def _refusal(model: Model, kind: str) -> ModelError:
    """Return the refusal that says what the model ranks, and what to do: convert, or take another model."""
    if kind in model.accepts:
        return ModelError(
            f"{model.name} needs labels by people beside the {kind}",
            remedy=f"Name them with {spelling.option('gold')}.",
        )
    convertible = {"scores": ("rankings", "judgments"), "rankings": ("judgments",), "judgments": ()}
    ways = [other for other in convertible[kind] if other in model.accepts]
    first = f"Convert it first: {spelling.conversion(ways[0])}. Or use" if ways else "Use"
    return ModelError(
        f"{model.name} ranks {' or '.join(model.accepts)}, but this evidence is {kind}",
        remedy=f"{first} a model for {kind}, such as bradley-terry or win-rate.",
    )
