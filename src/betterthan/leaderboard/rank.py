"""From evidence and a plan to leaderboards: the main job."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import data_sets
from betterthan.datasets.summary import EvidenceSummary
from betterthan.errors import PlanError
from betterthan.evidence.state import Start, State
from betterthan.findings import Finding
from betterthan.findings.resampling import FEWER_RESAMPLES, SAMPLED_COMPARISONS
from betterthan.infer.draws import Draws
from betterthan.infer.intervals import Ends, percentile
from betterthan.infer.ranks import clusters, in_order, ranges_of, ranks_of
from betterthan.infer.resample import affordable, analytic, bootstrap, repeated
from betterthan.infer.scale import Scale, chances_by_gap
from betterthan.leaderboard import names, support
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.boards import Leaderboards, Origin
from betterthan.leaderboard.corpus import corpus_intervals
from betterthan.leaderboard.made_for import need_alike, what_changed
from betterthan.leaderboard.row import Row
from betterthan.leaderboard.settle import models_of, need_pair_counts, planned, settle, settled_for, unit_of
from betterthan.leaderboard.statistic import by_units_of, order_of, statistic_for
from betterthan.models.base import Fit, Model
from betterthan.models.direct.counts import islands, one_sided
from betterthan.options.rank import RankOptions, Settings
from betterthan.options.shared import REPEATED
from betterthan.options.verb import takes
from betterthan.parallel import one_blas_thread
from betterthan.progress import Progress, part_of, silent
from betterthan.reduce.games import Games
from betterthan.reduce.pairs import PairCounts, reweighted
from betterthan.reduce.parts import ItemParts
from betterthan.reduce.samples import sample_size, sampled
from betterthan.reduce.scores import ScoreMatrix
from betterthan.spelling import option

#: Draws from a known distribution cost nothing, and this many make the intervals' own noise invisible.
_ANALYTIC_DRAWS = 10_000
#: Intervals that need no units: rows are then not kept apart by them.
_WITHOUT_UNITS = ("none", *REPEATED)


@takes(RankOptions)
def rank(evidence: Any, options: RankOptions) -> Leaderboards:
    """Rank systems from judgments, rankings or scores, or from anything those can be read from.

    Several models, metrics or data sets give one leaderboard each; several models also say where they disagree. A
    `plan`, saved or taken from a signature, can be given and changed by further options.

    >>> board = rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=200).board
    >>> [row.system for row in board]
    ['owl', 'yak']
    >>> rank({"owl": [3, 5, 4], "yak": [2, 1, 9]}, ci="none").disagreement[0].same_best
    False
    """
    if options.state is not None:
        from betterthan.leaderboard.update import rank_with_state  # noqa: PLC0415 (it ranks, too)

        return rank_with_state(evidence, options)
    plan = options.asked()
    starts: Mapping[str, Start] = {}
    if isinstance(evidence, State):
        plan, starts = planned(plan, evidence), evidence.known.starts
    unit = plan.unit if plan.per_pair is None else None  # single comparisons are drawn from any evidence
    sets = data_sets(evidence, unit=unit, tolerance=plan.tolerance or 0.0, units=plan.ci != "none")
    need_alike(plan, sets)
    left_out = support.left_out(sets)
    boards: list[Leaderboard] = []
    for given in sets:
        data = (given.as_independent() if plan.ci == "information" else given).in_buckets(plan.buckets)
        settings = settle(plan, data)
        models = models_of(settings)
        if isinstance(evidence, State):
            need_pair_counts([model for _, model in models])
        _read_in_order(data, [model for _, model in models], units=settings.ci not in _WITHOUT_UNITS)
        for text, model in models:
            progress = part_of(options.progress, len(boards), len(sets) * len(models))
            own = by_units_of(model, data, plan.unit)
            settled = settled_for(settings, text, model, data.kind).changed(unit=unit_of(plan, own))
            units = settings.ci not in _WITHOUT_UNITS
            hint = None if own is data else support.BY_MEAN
            boards.append(
                board_of(
                    model,
                    settled,
                    own,
                    left_out,
                    units=units,
                    hint=hint,
                    progress=progress,
                    start=starts.get(text),
                    fewer=plan.resamples is None,
                )
            )
    findings = tuple(dict.fromkeys(finding for board in boards for finding in board.findings))
    scale = next((board.settings.scale for board in boards if board.settings.scale is not None), None)
    whole = boards[0].settings if len(boards) == 1 else settings.changed(scale=scale)
    if len({board.settings.unit for board in boards}) > 1:  # every data set has its own
        whole = whole.changed(unit="")
    digest = "+".join(dict.fromkeys(board.data for board in boards if board.mechanism == boards[0].mechanism))
    if changed := what_changed(plan, digest):
        findings = (*changed, *findings)
        boards = [replace(board, findings=(*changed, *board.findings)) for board in boards]
    return Leaderboards(
        settings=whole, boards=tuple(boards), findings=findings, reading=sets.reading, data=digest,
        origin=Origin(evidence, plan),
    )  # fmt: skip


def _read_in_order(data: DataSet, models: list[Model], *, units: bool) -> None:
    """Read judgments in the order of the file at once where some model needs it: others then share them."""
    if any(Games in model.consumes and order_of(model, data) == "file" for model in models):
        data.tally("file", units=units)


def board_of(
    model: Model,
    settings: Settings,
    data: DataSet,
    left_out: list[Finding],
    *,
    units: bool = True,
    hint: str | None = None,
    progress: Progress = silent,
    start: Start | None = None,
    fewer: bool = False,
) -> Leaderboard:
    """Rank one data set by one model; without `units` rows need not be kept apart by them.

    `hint` says what to do where the model left a unit out, `start` where the strengths were with less evidence.
    `fewer` allows fewer resamples where each takes long.
    """
    statistic, summary = _statistic(model, settings, data, units=units)
    usual = settings.resamples
    if fewer and settings.ci == "bootstrap":
        settings = settings.changed(resamples=affordable(usual, model.work(statistic)))
    order = order_of(model, data)
    with one_blas_thread():
        fit = model.fit(statistic) if start is None else _fit_near(model, statistic, start)
        scale = _scale(settings, fit, model)
        draws = _draws(model, fit, statistic, settings, progress)
    if draws is not None and draws.buckets:
        settings = settings.changed(buckets=draws.buckets)
    if draws is not None and settings.ci in REPEATED:  # the score is the mean over runs, as WMT takes it
        fit = replace(fit, strength=draws.strength.mean(axis=0))
    counts = statistic if settings.per_pair is not None else data.pairs(order, units=units)
    refused = support.refused(data.account(order, units=units))
    findings = [*left_out, *refused, *names.alike(fit.systems), *support.weighted(summary), *fit.findings]
    if Games in model.consumes:
        findings += [*islands(counts), *one_sided(counts)]
    if order == "time" and data.judgments is not None:
        findings.append(support.ordered_by(data.judgments.roles["time"]))
    if not fit.converged:
        findings.append(support.not_converged(model.name, fit.iterations))
    if draws is not None:
        # Judgments drawn again one by one are taken as independent.
        unit = "row" if settings.ci == "redraws" else None
        findings += support.resampling(draws, data.settled(unit, data.tolerance).other_units, hint)
        if settings.resamples < usual:
            findings.append(FEWER_RESAMPLES.found(resamples=settings.resamples, usual=usual, systems=len(fit.systems)))
        if settings.per_pair is not None:
            findings.append(SAMPLED_COMPARISONS.found(number=sample_size(settings.per_pair, counts.size)))
    if isinstance(statistic, ScoreMatrix):
        findings += support.not_corpus(data, model.name)
    if isinstance(statistic, PairCounts):
        findings += support.tied(summary.ties, summary.wins + summary.ties, settings.ties)
    ends = None if draws is None else _intervals(model, fit, scale, draws, settings.level, statistic)
    rows = _rows(
        counts, fit, scale, draws, settings, ends, logarithmic=model.logarithmic,
        counted=not isinstance(statistic, ScoreMatrix | ItemParts),
    )  # fmt: skip
    return Leaderboard(
        settings=settings, data=summary.digest, findings=tuple(findings), rows=rows, evidence=summary, model=model,
        fit=fit, draws=draws, title=data.title,
    )  # fmt: skip


def _fit_near(model: Model, statistic: Any, start: Start) -> Fit:
    """Begin where the strengths were; systems that are new begin in the middle."""
    strength = np.array([start.strength.get(system, 0.0) for system in statistic.systems])
    return model.fit_near(statistic, strength, start.parameters)


def _statistic(model: Model, settings: Settings, data: DataSet, *, units: bool) -> tuple[Any, EvidenceSummary]:
    """Return what the model is fitted to, weighed as asked, and the evidence in numbers."""
    statistic, summary = statistic_for(model, data, units=units)
    if settings.ci == "information" and (summary.effective is not None or settings.reweight is not None):
        raise PlanError(
            f"{option('ci', 'information')} takes a weight as a number of judgments",
            remedy=f"Use {option('ci', 'analytic')}: a weight then says how much one judgment counts.",
        )
    wanted = "per_pair" if settings.per_pair is not None else "reweight"
    if getattr(settings, wanted) is None:
        return statistic, summary
    if not isinstance(statistic, PairCounts):
        raise PlanError(
            f"{model.name} is not fitted to counts of pairs, so these cannot be weighed or drawn",
            remedy=f"Leave out {option(wanted, getattr(settings, wanted))}, or use bradley-terry.",
        )
    if settings.per_pair is not None:
        return sampled(statistic, settings.per_pair, settings.seed), summary
    return reweighted(statistic), summary


def _scale(settings: Settings, fit: Fit, model: Model) -> Scale:
    if settings.scale is None:
        return Scale.own(fit.estimable, lower_is_better=fit.lower_is_better)
    return Scale.of(settings.scale, fit.systems, fit.estimable, settings.anchor, chances_by_gap(model, fit))


def _draws(model: Model, fit: Fit, statistic: Any, settings: Settings, progress: Progress) -> Draws | None:
    number = settings.resamples
    match settings.ci:
        case "none":
            return None
        case "bootstrap":
            return bootstrap(
                model, fit, statistic, resamples=number, seed=settings.seed, buckets=settings.buckets, progress=progress
            )
        case "runs" | "redraws":
            redraw = settings.ci == "redraws"
            return repeated(model, fit, statistic, runs=number, seed=settings.seed, redraw=redraw, progress=progress)
    draws = max(number, _ANALYTIC_DRAWS)
    return analytic(model, fit, statistic, clustered=settings.ci == "analytic", draws=draws, seed=settings.seed)


def _intervals(model: Model, fit: Fit, scale: Scale, draws: Draws, level: float, statistic: Any) -> Ends:  # noqa: PLR0917
    """Return the ends of every system's interval, on the scale that is shown."""
    if isinstance(statistic, ScoreMatrix):
        from betterthan.leaderboard.accuracy import accuracy_intervals  # noqa: PLC0415 (judgments have no accuracy)

        if (exact := accuracy_intervals(model, statistic, level)) is not None:
            low, high = (scale.apply(end) for end in exact)
            return np.minimum(low, high).tolist(), np.maximum(low, high).tolist()
    if isinstance(statistic, ItemParts):
        return corpus_intervals(statistic, fit, scale.apply(draws.strength), level)
    return percentile(scale.apply(draws.strength), level, fit.open_low, fit.open_high, model.bounds)


def _rows(  # noqa: PLR0917 (what a row is made of, in its order)
    counts: PairCounts,
    fit: Fit,
    scale: Scale,
    draws: Draws | None,
    settings: Settings,
    ends: Ends | None,
    *,
    logarithmic: bool,
    counted: bool,
) -> tuple[Row, ...]:
    size = len(fit.systems)
    scores = scale.apply(fit.strength)
    won, tied, lost = counts.per_system()
    low: list[float | None] = [None] * size
    high: list[float | None] = [None] * size
    extra: dict[str, list[Any]] = {name: [None] * size for name in ("rank_low", "rank_high", "cluster", "p_best")}
    # A prior places who never won or never lost. Where it alone does, there is no score to show, and no rank either
    # as long as others have one.
    scored = fit.placed if logarithmic else fit.estimable | ~fit.apart
    ranked = scored & ~fit.apart if np.any(scored) else ~fit.apart
    if draws is not None and ends is not None:
        level = settings.level
        low, high = ends
        # Resampling a record of wins alone, or of losses alone, always gives the same.
        both = (won + tied > 0) & (lost + tied > 0) if counted else None
        first, last = ranges_of(fit, draws, level, settings.clusters, both)
        ranked = ranked | ((first == last) & ~fit.apart)
        extra = {
            "rank_low": first.tolist(),
            "rank_high": last.tolist(),
            "cluster": clusters(in_order(fit, ~ranked), first, last, ~ranked),
            "p_best": draws.best(),
        }
    ranks = ranks_of(fit.strength, ~ranked, fit.resolution)
    return tuple(
        Row(
            rank=int(ranks[place]) if ranked[place] else None,
            system=fit.systems[place],
            score=float(scores[place]) if scored[place] else None,
            log_strength=float(fit.strength[place]) if logarithmic and scored[place] else None,
            low=low[place],
            high=high[place],
            wins=float(won[place]),
            ties=float(tied[place]),
            losses=float(lost[place]),
            comparisons=float(won[place] + tied[place] + lost[place]),
            **{name: values[place] for name, values in extra.items()},
        )
        for place in in_order(fit, ~ranked)
    )
