"""Resolve the options of `rank` for the evidence, so that no setting is left open."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from betterthan import __version__
from betterthan.base import ModelError, PlanError, registry, spelling
from betterthan.datasets import DataSet, DataSets, PairCounts, direction_of
from betterthan.evidence import Reading
from betterthan.findings import Finding, kinds
from betterthan.models import Model, build_model
from betterthan.options import ANYTIME, FAMILY_WISE, REPEATED, WMT, Plan, Settings

if TYPE_CHECKING:
    from betterthan.state import State

#: Ties treated by a likelihood of their own are a model of their own.
_TIE_MODELS = {"davidson", "rao-kupper"}
#: Intervals that are drawn by units, None where nobody chose: decisions at every look need these.
_DRAWN = (None, "bootstrap", "analytic", "information")


def settle(plan: Plan, data: DataSet) -> Settings:
    """Fill in what the evidence and the kind of intervals decide; the unit is what the data set settled."""
    ci = plan.ci or data.default_intervals
    if plan.control is not None and not data.pairwise:
        raise PlanError(
            f"{spelling.option('control', plan.control)} is for judgments of two outputs, but this evidence is "
            f"{data.kind}",
            remedy="Leave it out.",
        )
    model, ties = plan.model or data.default_models(ci, plan.unit), plan.ties
    if plan.per_pair is not None:
        _check_samples(plan, ci)
        model = plan.model or "bradley-terry"
    if ties in _TIE_MODELS:
        model, ties = _as_model(model, str(ties)), None
    runs = ci in REPEATED
    if runs and plan.unit not in {None, "row"}:
        raise PlanError(
            f"{spelling.option('ci', ci)} repeats single judgments and has no unit of dependence",
            remedy=f"Leave out {spelling.option('unit', plan.unit)}, or use {spelling.option('ci', 'bootstrap')}.",
        )
    clusters = plan.clusters or (WMT if runs else FAMILY_WISE)
    return Settings(
        model=model,
        ties=ties,
        scale=plan.scale,
        ci=ci,
        unit=unit_of(plan, data),
        resamples=plan.resamples or (100 if runs else 1000),
        level=plan.level or (0.96 if runs else 0.95),
        clusters=clusters,
        horizon=_horizon(plan, data, clusters),
        seed=plan.seed or 0,
        anchor=plan.anchor,
        reweight=plan.reweight,
        tolerance=plan.tolerance or 0.0,
        per_pair=plan.per_pair,
        buckets=plan.buckets,
        control=plan.control,
    )


def _horizon(plan: Plan, data: DataSet, clusters: str) -> str | None:
    """Return how often results may be read; None where that is once, by default."""
    possible = clusters == FAMILY_WISE and plan.ci in _DRAWN and plan.per_pair is None
    if plan.horizon is None:
        return ANYTIME if possible and data.watched else None
    if plan.horizon == ANYTIME and not possible:
        against = "per_pair" if plan.per_pair is not None else "clusters" if plan.ci in _DRAWN else "ci"
        named = spelling.option(against, getattr(plan, against))
        raise PlanError(
            f"{spelling.option('horizon', ANYTIME)} decides about all pairs at once, which {named} does not",
            remedy="Leave one of them out.",
        )
    if plan.horizon == ANYTIME and data.labelled:
        raise PlanError(
            f"{spelling.option('horizon', ANYTIME)} decides about pairs by their own judgments, which labels do not "
            "correct",
            remedy=f"Leave it out, or leave out {spelling.option('gold')}.",
        )
    if plan.horizon == ANYTIME and not data.sequential:
        raise PlanError(
            f"{spelling.option('horizon', ANYTIME)} decides about pairs by their judgments, and these are scores",
            remedy="Leave it out.",
        )
    return plan.horizon


def unit_of(plan: Plan, data: DataSet) -> str:
    """Return the unit of dependence, empty where there are no intervals to need one."""
    if plan.per_pair is not None:
        return "row"
    return plan.unit or "" if plan.ci == "none" else data.unit


def _check_samples(plan: Plan, ci: str) -> None:
    """Refuse what has no effect on comparisons drawn one by one."""
    if ci not in {"bootstrap", "none"}:
        raise PlanError(
            f"{spelling.option('per_pair')} has intervals from samples of that size, not {spelling.option('ci', ci)}",
            remedy=f"Leave out {spelling.option('ci')}.",
        )
    for name, allowed in (("unit", {None, "row"}), ("reweight", {None})):
        if getattr(plan, name) not in allowed:
            raise PlanError(
                f"{spelling.option('per_pair')} draws single comparisons, so "
                f"{spelling.option(name, getattr(plan, name))} has no effect",
                remedy="Leave one of them out.",
            )


def _as_model(model: str, ties: str) -> str:
    """Take Bradley–Terry's relative with such ties in its place."""
    texts = list(dict.fromkeys(ties if text == "bradley-terry" else text for text in registry.split(model)))
    if ties not in texts:
        raise PlanError(
            f"{spelling.option('ties', ties)} is for bradley-terry, which is not among the models: {model}."
        )
    return ",".join(texts)


def models_of(settings: Settings) -> list[tuple[str, Model]]:
    """Build the models, each with its text, and refuse choices that none of them has."""
    texts = registry.split(settings.model)
    models = [build_model(text, ties=settings.ties, seed=settings.seed) for text in texts]
    if settings.control is not None:
        models = [_controlled(model, settings) for model in models]
    for place, model in enumerate(models):
        if model in models[:place]:
            raise PlanError(f"the model {texts[place]!r} is named twice: {settings.model}", remedy="Name it once.")
    if settings.ties is not None and all(model.ties is None for model in models):
        raise PlanError(
            f"{settings.model} has no treatment of ties to choose",
            remedy=f"Leave out {spelling.option('ties', settings.ties)}.",
        )
    for choice in ("scale", "anchor"):
        if getattr(settings, choice) is not None and not any(model.logarithmic for model in models):
            said = spelling.option(choice, getattr(settings, choice))
            raise PlanError(
                f"{said} needs log-strengths, but {settings.model} has a score of its own",
                remedy=f"Leave out {spelling.option(choice)}, or use bradley-terry.",
            )
    return list(zip(texts, models, strict=True))


def _controlled(model: Model, settings: Settings) -> Model:
    """Return the model with effects of what is controlled for."""
    from betterthan.models import controlled_model  # noqa: PLC0415 (most boards control for nothing)

    assert settings.control is not None
    for name in ("reweight", "per_pair"):
        if getattr(settings, name) is not None:
            raise PlanError(
                f"{spelling.option(name, getattr(settings, name))} is for pairs, and "
                f"{spelling.option('control', settings.control)} takes judgments one by one",
                remedy="Leave one of them out.",
            )
    if settings.ci in REPEATED or settings.horizon == ANYTIME:
        against = "horizon" if settings.horizon == ANYTIME else "ci"
        raise PlanError(
            f"{spelling.option('control', settings.control)} has no decisions for "
            f"{spelling.option(against, getattr(settings, against))}",
            remedy=f"Leave out {spelling.option('control')}, or use {spelling.option('horizon', 'fixed')}."
            if against == "horizon"
            else f"Use {spelling.option('ci', 'bootstrap')} or {spelling.option('ci', 'analytic')}.",
        )
    return controlled_model.controlled(model, settings.control)


def need_corrected(data: DataSet, models: Sequence[tuple[str, Model]]) -> None:
    """Refuse models that would ignore people's labels."""
    for text, _ in models:
        if data.labelled and not text.startswith("corrected-"):
            raise PlanError(
                f"{text} does not use people's labels, which {data.main_model} does",
                remedy=f"Leave out {spelling.option('model')}, or leave out {spelling.option('gold')} to rank by the "
                "judge alone.",
            )


def reading_with(sets: DataSets, control: str | None) -> Reading | None:
    """Return how evidence was read, with the columns that it is controlled for among those used."""
    if control is None:
        return sets.reading
    from betterthan.verbs.rank import control_report  # noqa: PLC0415 (most boards control for nothing)

    return control_report.reading_of(sets, control)


def settled_for(settings: Settings, text: str, model: Model, default_scale: str) -> Settings:
    """Return the settings of one model's board: what it has no choice of is absent."""
    return settings.changed(
        model=text,
        ties=model.ties,
        scale=(settings.scale or default_scale) if model.logarithmic else None,
        anchor=settings.anchor if model.logarithmic else None,
    )


#: What a state's leaderboard is about: another choice is another leaderboard.
_KEPT = ("model", "ties", "reweight", "per_pair")


def to_keep(plan: Plan) -> Plan:
    """Return the plan that a state keeps: its model is named, so that a later call can be compared with it."""
    return replace(plan, model=plan.model or "bradley-terry", data=None)


def planned(plan: Plan, state: "State") -> Plan:
    """Return a plan completed by that of the state, refusing another model of the same leaderboard."""
    kept = state.known.plan
    if kept is None:
        return plan
    for name in _KEPT:
        value = getattr(plan, name)
        if value is not None and value != getattr(kept, name):
            before = getattr(kept, name)
            was = f"with {spelling.option(name, before)}" if before is not None else f"without {spelling.option(name)}"
            raise PlanError(
                f"{spelling.option(name, value)} differs from the state, which was made {was}",
                remedy=f"Leave out {spelling.option(name)}, or begin another state.",
            )
    silent = replace(kept, resamples=None, level=None, clusters=None, buckets=None, unit=None)
    return plan.over(kept if plan.ci in {None, kept.ci} else silent)


def need_pair_counts(models: Sequence[Model]) -> None:
    """Refuse models that need more of known judgments than the counts of pairs."""
    for model in models:
        if getattr(model, "control", None) is not None:
            raise ModelError(
                f"{spelling.option('control', model.control)} takes judgments one by one, but a state keeps counts of "  # type: ignore[attr-defined]
                "pairs",
                remedy="Rank all files at once.",
            )
        if PairCounts not in model.consumes:
            raise ModelError(
                f"{model.name} takes judgments one by one, but a state keeps counts of pairs",
                remedy="Use a model such as bradley-terry or davidson, or rank all files at once.",
            )


def need_alike(plan: Plan, sets: DataSets) -> None:
    """Refuse a plan that was made for another kind of evidence, or for scores of which less was better."""
    if plan.kind is not None and plan.kind != sets.kind:
        raise PlanError(
            f"the plan was made for {plan.kind}, and this evidence is {sets.kind}",
            remedy="Choose a plan that was made for the same kind, or leave it out.",
        )
    if plan.direction is not None and plan.direction != direction_of(data.lower_is_better for data in sets):
        which = "scores" if plan.direction == "less" else "scores of some metrics"
        raise PlanError(
            f"in the {which} that the plan was made for, less is better, and these are read in another way",
            remedy=f"Name the metrics with {spelling.option('lower_is_better')}, or leave the plan out.",
        )


def what_changed(plan: Plan, digest: str) -> tuple[Finding, ...]:
    """Report that a plan was made for other data, or by another version."""
    data = () if plan.data in {None, digest} else (kinds.reading.DATA_CHANGED.found(planned=plan.data, found=digest),)
    same = plan.version in {None, __version__}
    return data if same else (*data, kinds.reading.VERSION_CHANGED.found(planned=plan.version, found=__version__))
