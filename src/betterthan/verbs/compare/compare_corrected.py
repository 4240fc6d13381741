"""Compare two systems by a judge's scores or judgments that people's labels correct."""

import numpy as np

from betterthan.base import FloatArray, PlanError, spelling
from betterthan.datasets import DataSet, DataSets, GoldJudgments, GoldMatrix
from betterthan.inference import Effect, Test, corrected_means, effect_of
from betterthan.models import GoldRegression, build_model
from betterthan.options import CompareOptions, Plan
from betterthan.verbs.compare.duel import Duel
from betterthan.verbs.compare.paired_evidence import two_systems
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.rank import corrected_intervals, leaderboard_of

_REASON = "the difference is that of people's labels over all items, of which the judge's scores predict most"


def compare_corrected(sets: DataSets, options: CompareOptions) -> Duel:
    """Compare two systems as the corrected leaderboard does, from the same means and errors."""
    data = sets.only("a comparison of two systems")
    judgments, scores = data.statistic(GoldJudgments), data.statistic(GoldMatrix)
    if judgments is not None:
        return _judged(sets, data, judgments, options)
    assert scores is not None
    return _scored(sets, data, scores, options)


def _judged(sets: DataSets, data: DataSet, statistic: GoldJudgments, options: CompareOptions) -> Duel:
    """Compare by the corrected strengths of all systems."""
    _refuse(options, question="wins")
    a, b = two_systems(statistic.systems, options.a, options.b)
    board = leaderboard_of(data, Plan(level=options.level, seed=options.seed, scale="log"))
    assert board.draws is not None
    assert board.decisions is not None
    one, two = (np.array([statistic.systems.index(name)]) for name in (a, b))
    gap = float(board.fit.strength[one[0]] - board.fit.strength[two[0]])
    errors = board.draws.errors.differences(one, two)
    reach = float(errors.reach(options.level)[0])
    share, low, high = (1 / (1 + np.exp(-each)) for each in (gap, gap - reach, gap + reach))
    people = data.pairs_by_people()
    assert people is not None
    met = (people.first == min(one[0], two[0])) & (people.second == max(one[0], two[0]))
    record = people.outcomes[:, met].sum(axis=1)
    won, tied, lost = record if one[0] < two[0] else record[::-1]
    number = int(np.round(record.sum()))
    test = Test(
        "corrected-t",
        gap / float(np.sqrt(np.max(errors.variances, axis=0)[0])),
        float(board.decisions.p[one[0], two[0]]),
        f"by the strengths of all systems, {number:,} judgments of the two by people",
    )
    return Duel(
        settings=options.changed(a=a, b=b, groups=None, unit=data.unit, question="wins"),
        data=data.digest,
        reading=sets.reading,
        pairing={"evidence": data.kind, "model": board.mechanism, "unit": data.unit},
        a=a,
        b=b,
        kind=data.kind,
        n=int(np.sum(statistic.labelled)),
        units=int(np.sum(statistic.labelled)),
        scope=data.scope(),
        values=None,
        lower_is_better=False,
        wins=round(float(won)),
        ties=round(float(tied)),
        losses=round(float(lost)),
        effects=(effect_of("superiority", float(share), float(low), float(high)),),
        tests=(test,),
        recommended="corrected-t",
        reason="people's judgments correct the judge's, and the strengths of all systems share them",
        equivalence=None,
        findings=board.findings,
    )


def _scored(sets: DataSets, data: DataSet, statistic: GoldMatrix, options: CompareOptions) -> Duel:
    """Compare by the corrected means."""
    _refuse(options)
    a, b = two_systems(statistic.systems, options.a, options.b)
    fit = build_model("corrected-mean").fit(statistic)
    pair = (statistic.systems.index(a), statistic.systems.index(b))
    errors, found = corrected_intervals.errors_of(statistic), GoldRegression.of(statistic)
    gap = float(found.mean[pair[0]] - found.mean[pair[1]])
    ends = corrected_means.difference_interval(found.mean, errors, *pair, options.level)
    p = float(corrected_means.pair_p(found.mean, errors)[pair])
    error = float(np.sqrt(errors.variances[pair]))
    labels = _labelled(statistic, pair)
    number = int(np.sum(np.any(statistic.labelled[:, pair], axis=1)))
    won = np.sign(labels)
    sign = -1.0 if statistic.lower_is_better else 1.0
    freedom = float(errors.freedom[pair])
    note = f"t with {freedom:.1f} degrees of freedom, {len(labels):,} items with labels of both"
    return Duel(
        settings=options.changed(a=a, b=b, groups=None, unit=data.unit, question="mean"),
        data=data.digest,
        reading=sets.reading,
        pairing={"evidence": "scores", "model": "corrected-mean", "unit": data.unit},
        a=a,
        b=b,
        kind="scores",
        n=number,
        units=int(np.sum(np.any(errors.labels[:, pair] > 0, axis=1))),
        scope=data.scope(),
        values=(sign * float(found.mean[pair[0]]), sign * float(found.mean[pair[1]])),
        lower_is_better=statistic.lower_is_better,
        wins=int(np.sum(won > 0)),
        ties=int(np.sum(won == 0)),
        losses=int(np.sum(won < 0)),
        effects=(effect_of("mean_difference", gap, *ends), *_alone(found, pair)),
        tests=(Test("corrected-t", gap / error if error > 0 else None, p, note),),
        recommended="corrected-t",
        reason=_REASON,
        equivalence=None,
        findings=(*support.left_out(sets), *support.refused(data.account()), *fit.findings),
    )


def _alone(found: GoldRegression, pair: tuple[int, int]) -> tuple[Effect, Effect]:
    """Return the difference by the labels alone, and by the judge alone, whose error no interval would show."""
    by_labels, by_judge = (float(means[pair[0]] - means[pair[1]]) for means in (found.by_labels, found.by_judge))
    return Effect("label_difference", by_labels, None, None), Effect("judge_difference", by_judge, None, None)


def _labelled(statistic: GoldMatrix, pair: tuple[int, int]) -> FloatArray:
    """Return the differences of labels on the items that have both."""
    both = statistic.labelled[:, pair[0]] & statistic.labelled[:, pair[1]]
    differences: FloatArray = statistic.gold[both, pair[0]] - statistic.gold[both, pair[1]]
    return differences


def _refuse(options: CompareOptions, question: str = "mean") -> None:
    """Refuse what labels do not answer."""
    if options.question not in {None, question}:
        what = "means" if question == "mean" else "shares won"
        raise PlanError(
            f"people's labels correct {what}, so they do not answer {spelling.option('question', options.question)}",
            remedy=f"Leave it out, or leave out {spelling.option('gold')}.",
        )
    for name in ("groups", "margin"):
        if getattr(options, name) is not None:
            raise PlanError(
                f"{spelling.option(name)} has no effect on scores that people's labels correct",
                remedy=f"Leave it out, or leave out {spelling.option('gold')}.",
            )
