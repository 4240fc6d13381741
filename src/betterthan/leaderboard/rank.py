"""From evidence and a plan to a leaderboard: the main job."""

from dataclasses import replace
from typing import Any

from threadpoolctl import threadpool_limits

from betterthan.diagnose import names, support
from betterthan.errors import PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import read
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.findings import Finding
from betterthan.infer.draws import Draws
from betterthan.infer.intervals import percentile
from betterthan.infer.ranks import clusters, rank_ranges, ranks_of
from betterthan.infer.resample import analytic, bootstrap
from betterthan.infer.scale import Scale
from betterthan.leaderboard.board import Leaderboard, Row
from betterthan.leaderboard.boards import Leaderboards
from betterthan.leaderboard.summary import EvidenceSummary
from betterthan.models.base import Fit, Model, build
from betterthan.plan import Plan
from betterthan.progress import Progress, silent
from betterthan.reduce.pairs import PairCounts, count_pairs, count_scores, totals

#: Draws from a known distribution cost nothing, and this many make the intervals' own noise invisible.
_ANALYTIC_DRAWS = 10_000


def rank(
    evidence: Any, plan: Plan | None = None, *, progress: Progress = silent, **choices: Any
) -> Leaderboard | Leaderboards:
    """Rank systems from judgments, rankings or scores, or from anything those can be read from.

    Choices are those of `Plan`: model, ties, scale, ci, resample, resamples, level, seed, anchor, tolerance. Several
    metrics or data sets give one leaderboard each.

    >>> board = rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=200)
    >>> [row.system for row in board]
    ['owl', 'yak']
    """
    chosen = replace(plan, **choices) if plan else Plan.of(**choices)
    if not isinstance(evidence, (Judgments, Rankings, Scores)):
        evidence = read(evidence)
    if isinstance(evidence, Scores):
        boards = [
            _rank_scores(table, evidence.account, chosen, _part(progress, place, len(evidence.tables)))
            for place, table in enumerate(evidence.tables)
        ]
    elif isinstance(evidence, Rankings):
        boards = [_rank_judgments(evidence.to_judgments(), evidence.account, chosen, progress)]
    else:
        parts, left_out = evidence.parts()
        boards = [
            _rank_judgments(part, None, chosen, _part(progress, place, len(parts)), title)
            for place, (title, part) in enumerate(parts)
        ]
        if left_out and left_out.refused:
            boards = [replace(board, findings=(*support.refused(left_out), *board.findings)) for board in boards]
    return boards[0] if len(boards) == 1 else Leaderboards(tuple(boards))


def _rank_judgments(
    evidence: Judgments, came_as: Account | None, plan: Plan, progress: Progress, title: str = ""
) -> Leaderboard:
    """Rank judgments; `came_as` is the account of the rankings they were made from."""
    unit = plan.resample or next(iter(evidence.units), "row")
    by = () if unit == "row" or plan.ci == "none" else tuple(unit.split("+"))
    # Units of one judgment each are the judgments themselves, and those need no table of units.
    single = len(by) == 1 and by[0] in evidence.roles and not evidence.counts and "weight" not in evidence.roles
    if single and len(set(evidence.table.unique([evidence.roles[by[0]]]))) == 1:
        by = ()
    tally = evidence.tally(*by)
    counts = count_pairs(tally, by)
    account = came_as or tally.account
    decided, tied = totals(counts.outcomes)
    summary = EvidenceSummary(
        kind="rankings" if came_as else "judgments",
        rows=account.read,
        refused=account.refused,
        systems=counts.size,
        judgments=float(tally.times.sum()),
        wins=decided,
        ties=tied,
        digest=counts.digest(),
        units=evidence.unit_sizes,
        conversion=evidence.conversion,
    )
    others = tuple(other for other in evidence.units if other not in unit.split("+") and other != "ranking")
    return _board(counts, replace(plan, resample=unit), summary, account, progress, others=others, title=title)


def _rank_scores(table: ScoreTable, account: Account, plan: Plan, progress: Progress) -> Leaderboard:
    unit = plan.resample or "item"
    if unit != "item":
        raise PlanError(
            f"scores are resampled by item (the instance), got {unit!r}. Convert them to judgments for other units."
        )
    counts = count_scores(table, plan.tolerance)
    decided, tied = totals(counts.outcomes)
    conversion = f"scores→pairs(tolerance={plan.tolerance:g})" if plan.tolerance else "scores→pairs"
    summary = EvidenceSummary(
        kind="scores",
        rows=account.read,
        refused=account.refused,
        systems=counts.size,
        judgments=decided + tied,
        wins=decided,
        ties=tied,
        digest=counts.digest(),
        units={"item": len(table.instances)},
        conversion=conversion,
    )
    return _board(counts, replace(plan, resample=unit), summary, account, progress, title=table.title)


def _board(
    counts: PairCounts,
    plan: Plan,
    summary: EvidenceSummary,
    account: Account,
    progress: Progress,
    *,
    others: tuple[str, ...] = (),
    title: str = "",
) -> Leaderboard:
    model = build(plan.model, ties=plan.ties)
    plan = replace(plan, ties=getattr(model, "ties", plan.ties))
    # One BLAS thread: small solves gain nothing from more, and lose a lot on a busy machine.
    with threadpool_limits(1):
        fit = model.fit(counts)
        scale = Scale.of(plan.scale, counts.systems, fit.estimable, plan.anchor)
        draws = _draws(model, fit, counts, plan, progress)
    findings: list[Finding] = [*support.refused(account), *names.alike(counts.systems), *fit.findings]
    if draws is not None:
        findings += support.resampling(draws, others)
    findings += support.tied(summary.ties, summary.wins + summary.ties, plan.ties)
    rows = _rows(counts, fit, scale, draws, plan)
    return Leaderboard(rows, plan, summary, model, fit, draws, tuple(findings), title)


def _draws(model: Model, fit: Fit, counts: PairCounts, plan: Plan, progress: Progress) -> Draws | None:
    if plan.ci == "none":
        return None
    if plan.ci == "bootstrap":
        return bootstrap(model, fit, counts, resamples=plan.resamples, seed=plan.seed, progress=progress)
    draws = max(plan.resamples, _ANALYTIC_DRAWS)
    return analytic(model, fit, counts, clustered=plan.ci == "analytic", draws=draws, seed=plan.seed)


def _rows(counts: PairCounts, fit: Fit, scale: Scale, draws: Draws | None, plan: Plan) -> tuple[Row, ...]:
    size = counts.size
    scores = scale.apply(fit.log_strength)
    won, tied, lost = counts.per_system()
    ranks = ranks_of(fit.log_strength, fit.apart)
    order = sorted(range(size), key=lambda place: (ranks[place], counts.systems[place]))
    low: list[float | None] = [None] * size
    high: list[float | None] = [None] * size
    extra: dict[str, list[Any]] = {name: [None] * size for name in ("rank_low", "rank_high", "cluster", "p_best")}
    if draws is not None:
        low, high = percentile(scale.apply(draws.log_strength), plan.level, fit.open_low, fit.open_high)
        first, last = rank_ranges(draws, plan.level)
        extra = {
            "rank_low": first.tolist(),
            "rank_high": last.tolist(),
            "cluster": clusters(order, first, last, fit.apart),
            "p_best": draws.best(),
        }
    return tuple(
        Row(
            rank=int(ranks[place]),
            system=counts.systems[place],
            score=float(scores[place]),
            log_strength=float(fit.log_strength[place]),
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
