"""From evidence and a plan to leaderboards: the main job."""

from dataclasses import fields, replace
from typing import Any

from threadpoolctl import threadpool_limits

from betterthan.errors import PlanError
from betterthan.evidence.read import as_evidence
from betterthan.findings import Finding
from betterthan.infer.draws import Draws
from betterthan.infer.intervals import percentile
from betterthan.infer.ranks import clusters, rank_ranges, ranks_of
from betterthan.infer.resample import analytic, bootstrap, repeated
from betterthan.infer.scale import Scale
from betterthan.leaderboard import names, support
from betterthan.leaderboard.board import Leaderboard, Row
from betterthan.leaderboard.boards import Leaderboards
from betterthan.leaderboard.reduction import Reduction, reductions, statistic_for
from betterthan.models.base import Fit, Model, build
from betterthan.models.direct.counts import islands, one_sided
from betterthan.plan import Plan
from betterthan.progress import Progress, silent
from betterthan.reduce.games import Games
from betterthan.reduce.pairs import PairCounts
from betterthan.spelling import option

#: Draws from a known distribution cost nothing, and this many make the intervals' own noise invisible.
_ANALYTIC_DRAWS = 10_000
#: Where scores come in, disagreement between mechanisms is shown, not hidden.
_DEFAULT_MODEL = {"judgments": "bradley-terry", "rankings": "bradley-terry", "scores": "mean,median,bradley-terry"}
#: Ties treated by a likelihood of their own are a model of their own.
_TIE_MODELS = {"davidson", "rao-kupper"}


def rank(
    evidence: Any, plan: Plan | None = None, *, progress: Progress = silent, **choices: Any
) -> Leaderboard | Leaderboards:
    """Rank systems from judgments, rankings or scores, or from anything those can be read from.

    Choices are those of `Plan`: model, ties, scale, ci, resample, resamples, level, seed, anchor, tolerance. Several
    models, metrics or data sets give one leaderboard each; several models also say where they disagree.

    >>> board = rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=200)
    >>> [row.system for row in board]
    ['owl', 'yak']
    >>> rank({"owl": [3, 5, 4], "yak": [2, 1, 9]}, ci="none").disagreement[0].same_best
    False
    """
    plan = replace(plan, **choices) if plan else Plan.of(**choices)
    evidence = as_evidence(evidence)
    if plan.tolerance and evidence.kind != "scores":
        raise PlanError(
            f"{option('tolerance')} is for scores, but this evidence is {evidence.kind}", remedy="Leave it out."
        )
    plan = _settled(plan, evidence.kind)
    models = _models(plan)
    parts, left_out = reductions(evidence, plan, models)
    doubts = support.refused(left_out) if left_out else []
    boards: list[Leaderboard] = []
    for reduction in parts:
        for model, text in zip(models, plan.models, strict=True):
            part = _part(progress, len(boards), len(parts) * len(models))
            boards.append(_board(model, replace(plan, model=text), reduction, doubts, part))
    return boards[0] if len(boards) == 1 else Leaderboards(tuple(boards), plan)


def _settled(plan: Plan, kind: str) -> Plan:
    """Fill in what the kind of evidence and of intervals decide."""
    runs = plan.ci == "runs"
    model = plan.model or _DEFAULT_MODEL[kind]
    if plan.model is None and kind == "scores" and plan.ci in {"analytic", "information"}:
        model = "mean,bradley-terry"  # a median has no such intervals
    if plan.ties in _TIE_MODELS:
        texts = [plan.ties if text == "bradley-terry" else text for text in replace(plan, model=model).models]
        likelihoods = list(dict.fromkeys(texts))
        if plan.ties not in likelihoods:
            raise PlanError(
                f"{option('ties', plan.ties)} is for bradley-terry, which is not among the models: {model}."
            )
        plan = replace(plan, ties=None)
        model = ",".join(likelihoods)
    return replace(
        plan,
        model=model,
        resamples=plan.resamples or (100 if runs else 1000),
        level=plan.level or (0.96 if runs else 0.95),
    )


def _models(plan: Plan) -> list[Model]:
    """Build the models, and refuse choices that none of them has."""
    models = [build(text, ties=plan.ties, seed=plan.seed) for text in plan.models]
    for place, model in enumerate(models):
        if model in models[:place]:
            raise PlanError(f"the model {plan.models[place]!r} is named twice: {plan.model}", remedy="Name it once.")
    if plan.ties is not None and not any(_has_ties(model) for model in models):
        raise PlanError(
            f"{plan.model} has no treatment of ties to choose", remedy=f"Leave out {option('ties', plan.ties)}."
        )
    for choice in ("scale", "anchor"):
        if getattr(plan, choice) is not None and not any(model.logarithmic for model in models):
            raise PlanError(
                f"{option(choice, getattr(plan, choice))} needs log-strengths, but {plan.model} has a score of its own",
                remedy=f"Leave out {option(choice)}, or use bradley-terry.",
            )
    return models


def _has_ties(model: Model) -> bool:
    return "ties" in {option.name for option in fields(model)}  # type: ignore[arg-type]


def _board(model: Model, plan: Plan, reduction: Reduction, left_out: list[Finding], progress: Progress) -> Leaderboard:
    statistic, summary = statistic_for(model, reduction)
    plan = replace(
        plan,
        ties=getattr(model, "ties", None),
        scale=(plan.scale or "worth") if model.logarithmic else None,
        resample=reduction.unit,
        anchor=plan.anchor if model.logarithmic else None,
    )
    # One BLAS thread: small solves gain nothing from more, and lose a lot on a busy machine.
    with threadpool_limits(1):
        fit = model.fit(statistic)
        scale = _scale(plan, fit)
        draws = _draws(model, fit, statistic, plan, progress)
    if draws is not None and plan.ci == "runs":  # the score is the mean over runs, as WMT takes it
        fit = replace(fit, strength=draws.strength.mean(axis=0))
    counts = reduction.pairs(model)
    findings = [*left_out, *support.refused(reduction.account(model)), *names.alike(fit.systems), *fit.findings]
    if Games in model.consumes:
        findings += [*islands(counts), *one_sided(counts)]
    if reduction.order(model) == "time":
        findings.append(support.ordered_by(reduction.evidence.roles["time"]))  # type: ignore[union-attr]
    if not fit.converged:
        findings.append(support.not_converged(model.name, fit.iterations))
    if draws is not None:
        findings += support.resampling(draws, reduction.other_units)
    if isinstance(statistic, PairCounts):
        findings += support.tied(summary.ties, summary.wins + summary.ties, plan.ties)
    rows = _rows(counts, fit, scale, draws, plan, logarithmic=model.logarithmic)
    return Leaderboard(rows, plan, summary, model, fit, draws, tuple(findings), reduction.title)


def _scale(plan: Plan, fit: Fit) -> Scale:
    if plan.scale is None:
        return Scale.own(fit.estimable, lower_is_better=fit.lower_is_better)
    return Scale.of(plan.scale, fit.systems, fit.estimable, plan.anchor)


def _draws(model: Model, fit: Fit, statistic: Any, plan: Plan, progress: Progress) -> Draws | None:
    number = plan.resamples or 0
    match plan.ci:
        case "none":
            return None
        case "bootstrap":
            return bootstrap(model, fit, statistic, resamples=number, seed=plan.seed, progress=progress)
        case "runs":
            return repeated(model, fit, statistic, runs=number, seed=plan.seed, progress=progress)
    draws = max(number, _ANALYTIC_DRAWS)
    return analytic(model, fit, statistic, clustered=plan.ci == "analytic", draws=draws, seed=plan.seed)


def _rows(
    counts: PairCounts, fit: Fit, scale: Scale, draws: Draws | None, plan: Plan, *, logarithmic: bool
) -> tuple[Row, ...]:
    size = len(fit.systems)
    scores = scale.apply(fit.strength)
    won, tied, lost = counts.per_system()
    ranks = ranks_of(fit.strength, fit.apart, fit.resolution)
    order = sorted(range(size), key=lambda place: (ranks[place], fit.systems[place]))
    low: list[float | None] = [None] * size
    high: list[float | None] = [None] * size
    extra: dict[str, list[Any]] = {name: [None] * size for name in ("rank_low", "rank_high", "cluster", "p_best")}
    if draws is not None:
        level = plan.level or 0.95
        low, high = percentile(scale.apply(draws.strength), level, fit.open_low, fit.open_high)
        first, last = rank_ranges(draws, level)
        extra = {
            "rank_low": first.tolist(),
            "rank_high": last.tolist(),
            "cluster": clusters(order, first, last, fit.apart),
            "p_best": draws.best(),
        }
    return tuple(
        Row(
            rank=int(ranks[place]),
            system=fit.systems[place],
            score=float(scores[place]),
            log_strength=float(fit.strength[place]) if logarithmic else None,
            low=low[place],
            high=high[place],
            wins=float(won[place]),
            ties=float(tied[place]),
            losses=float(lost[place]),
            comparisons=float(won[place] + tied[place] + lost[place]),
            **{name: values[place] for name, values in extra.items()},
        )
        for place in order
    )


def _part(progress: Progress, place: int, parts: int) -> Progress:
    """Report one board's progress as a part of the whole."""
    return lambda done, total: progress(place * total + done, parts * total)
