"""From what was asked and what the evidence is to settings in which nothing is left open."""

from collections.abc import Sequence
from dataclasses import replace

from betterthan.datasets.dataset import DataSet
from betterthan.errors import ModelError, PlanError
from betterthan.evidence.state import State
from betterthan.metrics.base import build as metric_of
from betterthan.models.base import Model, build
from betterthan.named import split
from betterthan.options.rank import Plan, Settings
from betterthan.options.shared import FAMILY_WISE, REPEATED, WMT
from betterthan.reduce.pairs import PairCounts
from betterthan.spelling import option

#: Where scores come in, disagreement between mechanisms is shown, not hidden.
_DEFAULT_MODEL = {"judgments": "bradley-terry", "rankings": "bradley-terry", "scores": "mean,median,bradley-terry"}
#: What people publish: arenas and shared tasks Elo, evaluations with scores the share of items won.
_DEFAULT_SCALE = {"judgments": "elo", "rankings": "elo", "scores": "winrate"}
#: Ties treated by a likelihood of their own are a model of their own.
_TIE_MODELS = {"davidson", "rao-kupper"}


def settle(plan: Plan, data: DataSet) -> Settings:
    """Fill in what the evidence and the kind of intervals decide; the unit is what the data set settled."""
    ci = plan.ci or "bootstrap"
    model, ties = plan.model or _DEFAULT_MODEL[data.kind], plan.ties
    if (
        plan.model is None
        and data.scores is not None
        and data.scores.parts is not None
        and ci not in {"analytic", "information"}
    ):
        model = "corpus,mean,bradley-terry" if metric_of(data.scores.metric).by_item else "corpus"
    elif (
        plan.model is None and data.scores is not None and (data.scores.two_valued or ci in {"analytic", "information"})
    ):
        model = "mean,bradley-terry"  # a median of two values ties nearly all, and has no such intervals
    if plan.model is None and data.scores is not None and plan.unit == "item+judge":
        model = ",".join(text for text in split(model) if text in {"mean", "median"})  # others take items alone
    if plan.per_pair is not None:
        _check_samples(plan, ci)
        model = plan.model or "bradley-terry"
    if ties in _TIE_MODELS:
        model, ties = _as_model(model, str(ties)), None
    runs = ci in REPEATED
    if runs and plan.unit not in {None, "row"}:
        raise PlanError(
            f"{option('ci', ci)} repeats single judgments and has no unit of dependence",
            remedy=f"Leave out {option('unit', plan.unit)}, or use {option('ci', 'bootstrap')}.",
        )
    return Settings(
        model=model,
        ties=ties,
        scale=plan.scale,
        ci=ci,
        unit=unit_of(plan, data),
        resamples=plan.resamples or (100 if runs else 1000),
        level=plan.level or (0.96 if runs else 0.95),
        clusters=plan.clusters or (WMT if runs else FAMILY_WISE),
        seed=plan.seed or 0,
        anchor=plan.anchor,
        reweight=plan.reweight,
        tolerance=plan.tolerance or 0.0,
        per_pair=plan.per_pair,
        buckets=plan.buckets,
    )


def unit_of(plan: Plan, data: DataSet) -> str:
    """Return the unit of dependence, empty where there are no intervals to need one."""
    if plan.per_pair is not None:
        return "row"
    return plan.unit or "" if plan.ci == "none" else data.unit


def _check_samples(plan: Plan, ci: str) -> None:
    """Refuse what has no effect on comparisons drawn one by one."""
    if ci not in {"bootstrap", "none"}:
        raise PlanError(
            f"{option('per_pair')} has intervals from samples of that size, not {option('ci', ci)}",
            remedy=f"Leave out {option('ci')}.",
        )
    for name, allowed in (("unit", {None, "row"}), ("reweight", {None})):
        if getattr(plan, name) not in allowed:
            raise PlanError(
                f"{option('per_pair')} draws single comparisons, so {option(name, getattr(plan, name))} has no effect",
                remedy="Leave one of them out.",
            )


def _as_model(model: str, ties: str) -> str:
    """Take Bradley–Terry's relative with such ties in its place."""
    texts = list(dict.fromkeys(ties if text == "bradley-terry" else text for text in split(model)))
    if ties not in texts:
        raise PlanError(f"{option('ties', ties)} is for bradley-terry, which is not among the models: {model}.")
    return ",".join(texts)


def models_of(settings: Settings) -> list[tuple[str, Model]]:
    """Build the models, each with its text, and refuse choices that none of them has."""
    texts = split(settings.model)
    models = [build(text, ties=settings.ties, seed=settings.seed) for text in texts]
    for place, model in enumerate(models):
        if model in models[:place]:
            raise PlanError(f"the model {texts[place]!r} is named twice: {settings.model}", remedy="Name it once.")
    if settings.ties is not None and all(model.ties is None for model in models):
        raise PlanError(
            f"{settings.model} has no treatment of ties to choose", remedy=f"Leave out {option('ties', settings.ties)}."
        )
    for choice in ("scale", "anchor"):
        if getattr(settings, choice) is not None and not any(model.logarithmic for model in models):
            said = option(choice, getattr(settings, choice))
            raise PlanError(
                f"{said} needs log-strengths, but {settings.model} has a score of its own",
                remedy=f"Leave out {option(choice)}, or use bradley-terry.",
            )
    return list(zip(texts, models, strict=True))


def settled_for(settings: Settings, text: str, model: Model, kind: str) -> Settings:
    """Return the settings of one model's board: what it has no choice of is absent."""
    return settings.changed(
        model=text,
        ties=model.ties,
        scale=(settings.scale or _DEFAULT_SCALE[kind]) if model.logarithmic else None,
        anchor=settings.anchor if model.logarithmic else None,
    )


#: What a state's leaderboard is about: another choice is another leaderboard.
_KEPT = ("model", "ties", "reweight", "per_pair")


def to_keep(plan: Plan) -> Plan:
    """Return the plan that a state keeps: its model is named, so that a later call can be compared with it."""
    return replace(plan, model=plan.model or _DEFAULT_MODEL["judgments"], data=None)


def planned(plan: Plan, state: State) -> Plan:
    """Return a plan completed by that of the state, refusing another model of the same leaderboard."""
    kept = state.known.plan
    if kept is None:
        return plan
    for name in _KEPT:
        value = getattr(plan, name)
        if value is not None and value != getattr(kept, name):
            before = getattr(kept, name)
            was = f"with {option(name, before)}" if before is not None else f"without {option(name)}"
            raise PlanError(
                f"{option(name, value)} differs from the state, which was made {was}",
                remedy=f"Leave out {option(name)}, or begin another state.",
            )
    silent = replace(kept, resamples=None, level=None, clusters=None, buckets=None, unit=None)
    return plan.over(kept if plan.ci in {None, kept.ci} else silent)


def need_pair_counts(models: Sequence[Model]) -> None:
    """Refuse models that need more of known judgments than the counts of pairs."""
    for model in models:
        if PairCounts not in model.consumes:
            raise ModelError(
                f"{model.name} takes judgments one by one, but a state keeps counts of pairs",
                remedy="Use a model such as bradley-terry or davidson, or rank all files at once.",
            )
