"""Rank evidence: compute leaderboards from evidence and a plan."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import FloatArray, PlanError, Progress, parallel, part_of, silent, spelling
from betterthan.datasets import (
    DataSet,
    EvidenceSummary,
    Games,
    PairCounts,
    ScoreMatrix,
    data_sets,
)
from betterthan.evidence import Account, Order
from betterthan.findings import Finding, kinds
from betterthan.inference import draw_intervals
from betterthan.models import Fit, Model
from betterthan.options import ANYTIME, FAMILY_WISE, REPEATED, Plan, RankOptions, Settings, takes
from betterthan.uncertainty import Decisions, Draws, ranks_and_clusters, resampling, scales
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.rank.board_columns import BoardRow
from betterthan.verbs.rank.leaderboard import Leaderboard
from betterthan.verbs.rank.leaderboards import Leaderboards, Origin
from betterthan.verbs.rank.model_statistic import by_units_of, order_of, statistic_for
from betterthan.verbs.rank.settings import (
    models_of,
    need_alike,
    need_corrected,
    need_pair_counts,
    planned,
    reading_with,
    settle,
    settled_for,
    unit_of,
    what_changed,
)

if TYPE_CHECKING:
    from betterthan.state import Start
    from betterthan.verbs.rank.corrected_system import CorrectedSystem

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
        from betterthan.verbs.rank.incremental import rank_with_state  # noqa: PLC0415 (it ranks, too)

        return rank_with_state(evidence, options)
    plan, costs = options.asked(), options.costs()
    starts: Mapping[str, Start] = {}
    grows = getattr(evidence, "grows", None) is True  # a state
    if grows:
        plan, starts = planned(plan, evidence), evidence.known.starts
    unit = plan.unit if plan.per_pair is None else None  # single comparisons are drawn from any evidence
    sets = data_sets(
        evidence,
        unit=unit,
        tolerance=plan.tolerance or 0.0,
        units=plan.ci != "none",
        pools_tasks=True,
        takes_labels=True,
    )
    if len(sets.sets) == 1 and (sets.random or plan.overall or plan.average or plan.weights):
        plan.need_several(1, random=bool(sets.random))
    need_alike(plan, sets)
    if costs is not None:
        _frontier().need_intervals(plan, options.same_within)
    left_out, reading = support.left_out(sets), reading_with(sets, plan.control)
    boards: list[Leaderboard] = []
    for given in sets:
        data = (given.as_independent() if plan.ci == "information" else given).in_buckets(plan.buckets)
        settings = settle(plan, data)
        models = models_of(settings)
        need_corrected(data, models)
        if grows:
            need_pair_counts([model for _, model in models])
        _read_in_order(data, [model for _, model in models], units=settings.ci not in _WITHOUT_UNITS)
        style = _style(data, settings, models) if reading is not None and reading.ignored else []
        for text, model in models:
            progress = part_of(options.progress, len(boards), len(sets.sets) * len(models))
            own = by_units_of(model, data, plan.unit)
            settled = settled_for(settings, text, model, data.default_scale).changed(unit=unit_of(plan, own))
            units = settings.ci not in _WITHOUT_UNITS
            hint = None if own is data else support.BY_MEAN
            boards.append(
                board_of(
                    model,
                    settled,
                    own,
                    [*left_out, *style],
                    units=units,
                    hint=hint,
                    progress=progress,
                    start=starts.get(text),
                    fewer=plan.resamples is None,
                )
            )
            if costs is not None and model is models[0][1]:  # a margin is on the scale of one model
                boards[-1] = _frontier().with_frontier(boards[-1], own, costs, options.same_within)
    findings = tuple(dict.fromkeys(finding for board in boards for finding in board.findings))
    scale = next((board.settings.scale for board in boards if board.settings.scale is not None), None)
    if reading is not None and reading.profiles:
        boards = [replace(board, profiles=reading.profiles) for board in boards]
    whole = boards[0].settings if len(boards) == 1 else settings.changed(scale=scale)
    if len({board.settings.unit for board in boards}) > 1:  # every data set has its own
        whole = whole.changed(unit="")
    digest = "+".join(dict.fromkeys(board.data for board in boards if board.mechanism == boards[0].mechanism))
    if changed := what_changed(plan, digest):
        findings = (*changed, *findings)
        boards = [replace(board, findings=(*changed, *board.findings)) for board in boards]
    result = Leaderboards(
        settings=whole,
        boards=tuple(boards),
        findings=findings,
        reading=reading,
        data=digest,
        origin=Origin(evidence, plan),
    )
    result = result if len(sets.sets) == 1 else result.with_overall(sets, plan)
    return result if options.before is None else result.since(options.before)


def _read_in_order(data: DataSet, models: list[Model], *, units: bool) -> None:
    """Read judgments in the order of the file at once where some model needs it: others then share them."""
    if any(Games in model.consumes and order_of(model, data) == "file" for model in models):
        data.tally("file", units=units)


def leaderboard_of(data: DataSet, plan: Plan) -> Leaderboard:
    """Rank one data set by its first default model, or the one of the plan."""
    settings = settle(plan, data)
    text, model = models_of(settings)[0]
    return board_of(model, settled_for(settings, text, model, data.default_scale), data, [])


def board_of(
    model: Model,
    settings: Settings,
    data: DataSet,
    left_out: list[Finding],
    *,
    units: bool = True,
    hint: str | None = None,
    progress: Progress = silent,
    start: "Start | None" = None,
    fewer: bool = False,
) -> Leaderboard:
    """Rank one data set by one model; without `units` rows need not be separated by them.

    `hint` says what to do where the model left a unit out, `start` where the strengths were with less evidence.
    `fewer` allows fewer resamples where each takes long.
    """
    statistic, summary = _statistic(model, settings, data, units=units)
    if settings.control is not None:
        model, statistic, summary, unidentified = _control().identified(model, statistic, summary, data, units=units)
        left_out = [*left_out, *unidentified]
    usual = settings.resamples
    order = order_of(model, data)
    with parallel.one_blas_thread():
        fit = model.fit(statistic) if start is None else _fit_near(model, statistic, start)
        if fewer and settings.ci == "bootstrap":
            work = model.refitter(fit, statistic).work
            settings = settings.changed(resamples=resampling.affordable(usual, work))
        scale = _scale(settings, fit, model)
        draws = _draws(model, fit, statistic, settings, progress)
    if draws is not None and draws.buckets:
        settings = settings.changed(buckets=draws.buckets)
    if draws is not None and settings.ci in REPEATED:  # the score is the mean over runs, as WMT takes it
        fit = replace(fit, strength=draws.strength.mean(axis=0))
    counts, account = _counted(settings, statistic, data, order, units=units)
    refused = support.refused(account)
    findings = [*left_out, *refused, *support.similar_names(fit.systems), *support.weighted(summary), *fit.findings]
    if Games in model.consumes:
        from betterthan.models import isolated_groups, one_sided_systems  # noqa: PLC0415 (others find them by fitting)

        findings += [*isolated_groups(counts), *one_sided_systems(counts)]
    if order == "time":
        findings.append(support.ordered_by(data.roles["time"]))
    if not fit.converged:
        findings.append(support.not_converged(model.name, fit.iterations))
    if draws is not None:
        findings += _about_draws(draws, settings, data, fit, counts, usual=usual, hint=hint)
    if isinstance(statistic, ScoreMatrix):
        findings += support.not_corpus(data, model.name)
    if isinstance(statistic, PairCounts) or settings.control is not None:
        findings += support.tied(summary.ties, summary.wins + summary.ties, settings.ties)
    ends, decisions = None, None
    if draws is not None:
        ends, about_ends = _intervals(model, fit, scale, draws, settings, statistic)
        findings += [*about_ends, *support.collected(data, summary, anytime=settings.horizon == ANYTIME)]
        decisions = _decisions(model, fit, draws, settings, statistic, counts)
    rows = _rows(counts, fit, scale, draws, settings, ends, decisions, logarithmic=model.logarithmic)
    return Leaderboard(
        settings=settings,
        data=summary.digest,
        findings=tuple(findings),
        rows=rows,
        evidence=summary,
        model=model,
        fit=fit,
        draws=draws,
        decisions=decisions,
        title=data.title,
        named=data.named if data.title else ("", ""),
        scope=_scope(settings, data),
        controlled=_control().report(model, fit, statistic, settings, scale) if settings.control is not None else None,
        corrections=_correction(statistic, rows, scale),
    )


def _about_draws(
    draws: Draws, settings: Settings, data: DataSet, fit: Fit, counts: PairCounts, *, usual: int, hint: str | None
) -> list[Finding]:
    """Return findings about how intervals were made."""
    # Judgments resampled one by one are taken as independent.
    unit = "row" if settings.ci == "redraws" else None
    findings = [
        *support.resampling(draws, data.settled(unit, data.tolerance).other_units, hint),
        *support.few_of_systems(draws, fit.systems, fit.placed),
    ]
    if settings.resamples < usual:
        fewer = kinds.resampling.FEWER_RESAMPLES
        findings.append(fewer.found(resamples=settings.resamples, usual=usual, systems=len(fit.systems)))
    if settings.per_pair is not None:
        number = _pair_samples().sample_size(settings.per_pair, counts.size)
        findings.append(kinds.resampling.SAMPLED_COMPARISONS.found(number=number))
    return findings


def _frontier() -> Any:
    from betterthan.verbs.rank import cost_frontier  # noqa: PLC0415 (few boards have costs)

    return cost_frontier


def _control() -> Any:
    from betterthan.verbs.rank import control_report  # noqa: PLC0415 (most boards control for nothing)

    return control_report


def _style(data: DataSet, settings: Settings, models: list[tuple[str, Model]]) -> list[Finding]:
    """Report features of style that predict the outcome and are not controlled for, for boards with intervals."""
    if settings.control is not None or settings.ci in _WITHOUT_UNITS:
        return []
    if settings.per_pair is not None or not any(model.logarithmic for _, model in models):
        return []
    return support.style(data, settings.ties)


def _counted(
    settings: Settings, statistic: Any, data: DataSet, order: Order | None, *, units: bool
) -> tuple[PairCounts, Account]:
    """Return the counts of pairs and the row account; rows that lack what is controlled for are left out."""
    if settings.control is not None and not isinstance(statistic, PairCounts):
        return statistic.counts, statistic.account
    counts = statistic if settings.per_pair is not None else data.pairs(order, units=units)
    return counts, data.account(order, units=units)


def _correction(
    statistic: Any, rows: tuple[BoardRow, ...], scale: scales.Scale
) -> "tuple[CorrectedSystem, ...] | None":
    """Return what people's labels change, in the order of the rows; None where there are no labels."""
    if isinstance(statistic, PairCounts | Games | ScoreMatrix):
        return None
    from betterthan.datasets import GoldJudgments, GoldMatrix  # noqa: PLC0415 (few have labels)

    if not isinstance(statistic, GoldJudgments | GoldMatrix):
        return None
    from betterthan.verbs.rank import correction  # noqa: PLC0415 (few have labels)

    every = (
        correction.of_judgments(statistic, scale)
        if isinstance(statistic, GoldJudgments)
        else correction.of_scores(statistic)
    )
    found = {each.system: each for each in every}
    return tuple(found[row.system] for row in rows)


def _scope(settings: Settings, data: DataSet) -> str:
    """Return what rank ranges hold for; comparisons that are drawn one by one say nothing about other items."""
    if settings.ci in _WITHOUT_UNITS:
        return ""
    if settings.per_pair is not None:
        return f"for samples from these {data.counted}s"
    return data.scope(anytime=settings.horizon == ANYTIME)


def _decisions(  # noqa: PLR0917 (what a decision is made of)
    model: Model, fit: Fit, draws: Draws, settings: Settings, statistic: Any, counts: PairCounts
) -> Decisions:
    """Decide about all pairs of systems."""
    if settings.horizon == ANYTIME:
        from betterthan.uncertainty import decide_anytime  # noqa: PLC0415 (most evidence is looked at once)

        return decide_anytime(fit, counts, settings.level)
    if isinstance(statistic, ScoreMatrix):
        from betterthan.verbs.rank.score_intervals import pair_tests  # noqa: PLC0415 (judgments have no means)

        alone = pair_tests(model, statistic, tolerance=settings.tolerance, seed=settings.seed)
        return ranks_and_clusters.decisions_of(fit, draws, settings.level, None, alone)
    if _has_labels(statistic):
        from betterthan.verbs.rank.corrected_intervals import corrected_pair_p  # noqa: PLC0415 (few have labels)

        return ranks_and_clusters.decisions_of(fit, draws, settings.level, None, corrected_pair_p(statistic))
    if _of_whole_test_set(statistic):
        return ranks_and_clusters.decisions_of(fit, draws, settings.level)
    # Resampling a record of wins alone, or of losses alone, always gives the same.
    won, tied, lost = counts.per_system()
    both = (won + tied > 0) & (lost + tied > 0)
    return ranks_and_clusters.decisions_of(fit, draws, settings.level, both, judged=won + tied + lost)


def _of_whole_test_set(statistic: Any) -> bool:
    """Whether the scores are those of a metric of whole test sets."""
    if isinstance(statistic, PairCounts | Games):
        return False
    from betterthan.datasets import ItemParts  # noqa: PLC0415 (judgments need none)

    return isinstance(statistic, ItemParts)


def _has_labels(statistic: Any) -> bool:
    """Whether people's labels correct the scores."""
    if isinstance(statistic, PairCounts | Games | ScoreMatrix):
        return False
    from betterthan.datasets import GoldMatrix  # noqa: PLC0415 (few have labels)

    return isinstance(statistic, GoldMatrix)


def _fit_near(model: Model, statistic: Any, start: "Start") -> Fit:
    """Begin where the strengths were; systems that are new begin in the middle."""
    strength = np.array([start.strength.get(system, 0.0) for system in statistic.systems])
    return model.fit_near(statistic, strength, start.parameters)


def _statistic(model: Model, settings: Settings, data: DataSet, *, units: bool) -> tuple[Any, EvidenceSummary]:
    """Return the statistic that the model is fitted to, weighted as requested, and the evidence summary."""
    statistic, summary = statistic_for(model, data, units=units)
    if settings.ci == "information" and (summary.effective is not None or settings.reweight is not None):
        raise PlanError(
            f"{spelling.option('ci', 'information')} takes a weight as a number of judgments",
            remedy=f"Use {spelling.option('ci', 'analytic')}: a weight then says how much one judgment counts.",
        )
    wanted = "per_pair" if settings.per_pair is not None else "reweight"
    if getattr(settings, wanted) is None:
        return statistic, summary
    if not isinstance(statistic, PairCounts):
        raise PlanError(
            f"{model.name} is not fitted to counts of pairs, so these cannot be weighed or drawn",
            remedy=f"Leave out {spelling.option(wanted, getattr(settings, wanted))}, or use bradley-terry.",
        )
    if settings.per_pair is not None:
        return _pair_samples().sampled(statistic, settings.per_pair, settings.seed), summary
    return statistic.reweighted(), summary


def _pair_samples() -> Any:
    from betterthan.datasets import pair_samples  # noqa: PLC0415 (few ask for samples)

    return pair_samples


def _scale(settings: Settings, fit: Fit, model: Model) -> scales.Scale:
    if settings.scale is None:
        return scales.Scale.own(fit.estimable, lower_is_better=fit.lower_is_better)
    return scales.Scale.of(
        settings.scale, fit.systems, fit.estimable, settings.anchor, scales.chances_by_gap(model, fit)
    )


def _draws(model: Model, fit: Fit, statistic: Any, settings: Settings, progress: Progress) -> Draws | None:
    number = settings.resamples
    match settings.ci:
        case "none":
            return None
        case "bootstrap":
            return resampling.bootstrap(
                model, fit, statistic, resamples=number, seed=settings.seed, buckets=settings.buckets, progress=progress
            )
        case "runs" | "redraws":
            redraw = settings.ci == "redraws"
            return resampling.repeated(
                model, fit, statistic, runs=number, seed=settings.seed, redraw=redraw, progress=progress
            )
    draws = max(number, _ANALYTIC_DRAWS)
    return resampling.analytic(
        model, fit, statistic, clustered=settings.ci == "analytic", draws=draws, seed=settings.seed
    )


def _intervals(  # noqa: PLR0917
    model: Model, fit: Fit, scale: scales.Scale, draws: Draws, settings: Settings, statistic: Any
) -> tuple[draw_intervals.Ends, list[Finding]]:
    """Return the ends of every system's interval, on the scale that is shown, and findings about them."""
    level = settings.level
    if isinstance(statistic, ScoreMatrix):
        from betterthan.verbs.rank import score_intervals  # noqa: PLC0415 (judgments have no means)

        if (found := score_intervals.board_intervals(model, fit, scale, statistic, level, settings.seed)) is not None:
            return found
    if _has_labels(statistic):
        from betterthan.verbs.rank.corrected_intervals import corrected_intervals  # noqa: PLC0415 (few have labels)

        return corrected_intervals(statistic, fit, level), []
    if _of_whole_test_set(statistic):
        from betterthan.verbs.rank.test_set_intervals import corpus_intervals  # noqa: PLC0415 (few have such scores)

        return corpus_intervals(statistic, fit, scale.apply(draws.strength), level), []

    def ends(scores: FloatArray) -> draw_intervals.Ends:
        return draw_intervals.percentile(scores, level, fit.open_low, fit.open_high, model.bounds)

    usual = ends(scale.apply(draws.for_intervals(fit.strength, level)))
    if settings.ci not in REPEATED and model.smooth:  # places may well be the same in every resample
        usual = draw_intervals.open_where_nothing_varies(usual)
    if settings.horizon != ANYTIME or not model.logarithmic:
        return usual, []
    from betterthan.uncertainty import shrunk  # noqa: PLC0415 (most evidence has pairs that no policy chose)

    shrinkage = shrunk(fit, draws, level)
    if shrinkage is None:
        return usual, []
    wider = draw_intervals.hull(usual, ends(scale.apply(shrinkage.strength)))
    return wider, support.chosen_by_judgments(shrinkage.share)


def _rows(  # noqa: PLR0917 (what a row is made of, in its order)
    counts: PairCounts,
    fit: Fit,
    scale: scales.Scale,
    draws: Draws | None,
    settings: Settings,
    ends: draw_intervals.Ends | None,
    decisions: Decisions | None,
    *,
    logarithmic: bool,
) -> tuple[BoardRow, ...]:
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
    if draws is not None and ends is not None and decisions is not None:
        low, high = ends
        by_pairs = settings.clusters == FAMILY_WISE
        first, last = decisions.ranges if by_pairs else ranks_and_clusters.rank_ranges(draws, settings.level)
        ranked = ranked | ((first == last) & ~fit.apart)
        extra = {
            "rank_low": first.tolist(),
            "rank_high": last.tolist(),
            "cluster": ranks_and_clusters.clusters(ranks_and_clusters.in_order(fit, ~ranked), first, last, ~ranked),
            "p_best": draws.best(),
        }
    ranks = ranks_and_clusters.ranks_of(fit.strength, ~ranked, fit.resolution)
    return tuple(
        BoardRow(
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
        for place in ranks_and_clusters.in_order(fit, ~ranked)
    )
