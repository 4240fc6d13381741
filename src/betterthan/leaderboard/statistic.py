"""Where a model and a data set meet: the statistic that the one is fitted to and the other has."""

from dataclasses import replace
from typing import Any

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.summary import EvidenceSummary
from betterthan.errors import ModelError, PlanError
from betterthan.evidence.judgments import Order
from betterthan.models.base import Model
from betterthan.reduce.games import Games
from betterthan.reduce.orders import Orders
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.scores import ScoreMatrix
from betterthan.spelling import conversion


def order_of(model: Model, data: DataSet) -> Order | None:
    """Return the order in which a model takes judgments, None for one that does not mind or tries many."""
    return data.order_of(model.order)


def by_units_of(model: Model, data: DataSet, asked: str | None) -> DataSet:
    """Return the data set by items alone where a model cannot take items and judges of scores; refused if asked for."""
    if data.scores is None or "+" not in data.unit or {ScoreMatrix, PairCounts} & set(model.consumes):
        return data
    return data.by_one_unit(asked, model.name)


def statistic_for(model: Model, data: DataSet, *, units: bool = True) -> tuple[Any, EvidenceSummary]:
    """Return the statistic that a model is fitted to, and the summary that says what was converted on the way."""
    if data.kind not in model.accepts:
        raise _refusal(model, data.kind)
    if units and data.unit == "row" and data.rankings is not None and Orders in model.consumes:
        raise PlanError(f"{model.name} resamples whole rankings, not rows", allowed="ranking, item, judge")
    order = order_of(model, data)
    for kind in model.consumes:
        statistic: Any = data.statistic(kind, model.order, units=units)
        if statistic is not None:
            summary = replace(data.summary(order, units=units), conversion=_conversion(model, data, statistic))
            if isinstance(statistic, Games) and order is not None:
                summary = replace(summary, digest=statistic.digest())
            return statistic, summary
    raise _refusal(model, data.kind)


def _conversion(model: Model, data: DataSet, statistic: Any) -> str:
    """Say how what people brought became the statistic; a model of rankings takes a judgment as a ranking of two."""
    if data.kind == "judgments" and isinstance(statistic, PairCounts) and Orders in model.consumes:
        return "judgments->rankings"
    return data.conversion(statistic)


def _refusal(model: Model, kind: str) -> ModelError:
    """Return the refusal that says what the model ranks, and what to do: convert, or take another model."""
    convertible = {"scores": ("rankings", "judgments"), "rankings": ("judgments",), "judgments": ()}
    ways = [other for other in convertible[kind] if other in model.accepts]
    first = f"Convert it first: {conversion(ways[0])}. Or use" if ways else "Use"
    return ModelError(
        f"{model.name} ranks {' or '.join(model.accepts)}, but this evidence is {kind}",
        remedy=f"{first} a model for {kind}, such as bradley-terry or win-rate.",
    )
