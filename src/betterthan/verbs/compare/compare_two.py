"""Compare two systems."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import PlanError, parallel, spelling
from betterthan.datasets import counted_noun, data_sets
from betterthan.findings import Finding, kinds
from betterthan.inference import Differences, Effect, Test, effect_of, effect_sizes, equivalence, questions, studentise
from betterthan.inference import mcnemar as mcnemar_tests
from betterthan.inference import paired_tests as paired
from betterthan.inference import randomisation as whole_set_tests
from betterthan.options import UNIT_WORDS, CompareOptions, takes
from betterthan.verbs.compare.among_all_pairs import among_all_pairs
from betterthan.verbs.compare.compare_corrected import compare_corrected
from betterthan.verbs.compare.duel import Duel
from betterthan.verbs.compare.paired_evidence import JudgedPair, Pairing, pair_systems

_WHOLE_REASONS = {
    "randomisation": "outputs are swapped item by item, so that the metric is computed as it is defined",
    "delong": "it compares the order of items within each system, whatever the scales of the systems are",
}
_FEW = int(kinds.resampling.FEW_UNITS.thresholds["exact_tests"])


@takes(CompareOptions)
def compare(evidence: Any, options: CompareOptions) -> Duel:
    """Compare two systems on the same items, or in the judgments between them.

    Without names the evidence must hold two systems. `question` says what decides: the mean score (the default for
    scores), the typical item, or the share of items won (always for judgments). `groups` says which items are dependent
    (documents, prompts; by item, or in their order), unless the scores were read with a `group` column. Tests and
    intervals then take groups as the units; `unit="item"` takes items as independent all the same. `margin` is the
    difference up to which systems are practically equal; `ties` of the sign test are dropped or split.

    >>> duel = compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.effect("mean_difference").value
    2.0
    """
    by_item = "" if options.question in {None, "mean"} else f"the question {options.question!r}"
    unit = None if options.groups is not None else options.unit
    sets = data_sets(evidence, unit=unit, tolerance=options.tolerance, takes_labels=True)
    if any(each.labelled for each in sets):
        corrected = compare_corrected(sets, options)
        return replace(corrected, among_all_pairs=among_all_pairs(sets, options, corrected.a, corrected.b))
    pairing = pair_systems(
        sets, options.a, options.b, options.groups, unit=options.unit, tolerance=options.tolerance, by_item=by_item
    )
    with parallel.one_blas_thread():
        found = (_scores if pairing.kind == "scores" else _judgments)(pairing, options)
    return replace(found, among_all_pairs=among_all_pairs(sets, options, found.a, found.b))


def _scores(pairing: Pairing, options: CompareOptions) -> Duel:
    if pairing.corpus is not None and not pairing.corpus.metric.by_item:
        return _test_set(pairing, pairing.corpus, options)
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    rng = np.random.default_rng(options.seed)
    resampled = studentise(differences, rng)
    tests = [paired.t_test(differences), *_signs(differences, (wins, ties, losses), options)]
    tests += [paired.wilcoxon(differences, rng), paired.wilcoxon(differences, rng, zeros="pratt")]
    tests += [paired.mood(differences, rng), *paired.permutation(differences, _flips(options)), resampled.test()]
    if differences.binary and not differences.grouped:  # by group it is the sign test
        tests += mcnemar_tests.mcnemar(wins, losses)
    found = {
        each.question: each for each in questions.answers(differences, tests, options.level, options.seed, resampled)
    }
    measured = effect_sizes.effects(differences, options.level, rng, [each.effect for each in found.values()])
    if pairing.corpus is not None:
        found["corpus"], further = _whole(pairing.corpus, options)
        tests += [found["corpus"].test, *further]
    elif options.question == "corpus":
        raise PlanError(
            "these scores do not say what each item adds to the score of the whole test set",
            remedy=f"Score the outputs with {spelling.verb('score')}, or leave out "
            f"{spelling.option('question', 'corpus')}.",
        )
    answer = found[options.question or ("mean" if pairing.corpus is None else "corpus")]
    return _duel(
        pairing,
        options.changed(question=answer.question),
        tests=tuple(tests),
        recommended=answer.test.name,
        effects=(*([found["corpus"].effect] if "corpus" in found else []), *measured),
        reason=f"{answer.reason}; {_other_question(answer)}",
        equivalence=equivalence.equivalence(differences, options.margin, rng, resampled),
        differences=differences,
        findings=(*pairing.findings, *_own_findings(pairing, ties), *_disagreement(pairing, found, options.level)),
    )


def _test_set(pairing: Pairing, corpus: whole_set_tests.PairedParts, options: CompareOptions) -> Duel:
    """Compare by a metric whose items have no score of their own: one difference, one test."""
    if options.question not in {None, "corpus"} or options.margin is not None:
        what = "margin" if options.question in {None, "corpus"} else "question"
        raise PlanError(
            f"{pairing.metric} is a score of the whole test set, so single items cannot be compared by it",
            remedy=f"Leave out {spelling.option(what, getattr(options, what))}.",
        )
    answer, _ = _whole(corpus, options)
    return _duel(
        pairing,
        options.changed(question="corpus"),
        tests=(answer.test,),
        recommended=answer.test.name,
        effects=(answer.effect,),
        reason=answer.reason,
        equivalence=None,
        findings=(*pairing.findings, *_own_findings(pairing, 0)),
    )


def _whole(corpus: whole_set_tests.PairedParts, options: CompareOptions) -> tuple[questions.QuestionAnswer, list[Test]]:
    """Return the comparison by a corpus-level metric, and further tests of it."""
    effect, further = whole_set_tests.difference(corpus, options.level, options.seed)
    test = whole_set_tests.test_difference(corpus, _flips(options))
    return questions.QuestionAnswer("corpus", effect, test, _WHOLE_REASONS[test.name]), further


def _other_question(answer: questions.QuestionAnswer) -> str:
    """Return which question was not asked, and who argues for it."""
    if answer.question == "corpus":
        return f"the mean over items is another question ({spelling.option('question', 'mean')})"
    if answer.question == "wins":
        return "Peyrard et al. (2021) argue for this question; the mean score is another one"
    asked = spelling.option("question", "wins")
    return f"which system wins more items is another question ({asked}), the one Peyrard et al. (2021) argue for"


def _judgments(pairing: Pairing, options: CompareOptions) -> Duel:
    if options.question not in {None, "wins"}:
        raise PlanError(
            f"judgments say which system won, not by how much, so they cannot answer {options.question!r}",
            remedy=f"Leave out {spelling.option('question', options.question)}.",
        )
    if options.margin is not None:
        raise PlanError(
            "judgments say which system won, not by how much, so differences up to a margin cannot be left out",
            remedy=f"Leave out {spelling.option('margin', options.margin)}.",
        )
    (wins, ties, losses), judged = pairing.counts, pairing.judged
    assert judged is not None
    if judged.decided.exact and judged.decided.units == wins + losses:  # every judgment is a unit
        test = paired.sign_test(wins, ties, losses, how=options.ties)
        found: tuple[Effect, ...] = (
            questions.won(pairing.differences, options.level, options.seed),
            effect_sizes.odds(wins, losses, options.level),
        )
    else:
        test, found = _robust(judged, ties, options)
    unit = UNIT_WORDS.get(pairing.unit, pairing.unit)
    together = f"; those of one {unit.replace(' and ', ' or ')} are dependent" if pairing.unit != "row" else ""
    return _duel(
        pairing,
        options.changed(question="wins"),
        effects=found,
        tests=(test,),
        recommended="sign",
        reason=f"judgments say who won, not by how much{together}",
        equivalence=None,
        findings=(*_own_findings(pairing, ties), *pairing.findings),
    )


def _robust(judged: JudgedPair, ties: int, options: CompareOptions) -> tuple[Test, tuple[Effect, ...]]:
    """Test and estimate by the unit of dependence, and with weights, by cluster-robust errors."""
    if options.ties == "against":
        raise PlanError(
            f"{spelling.option('ties', 'against')} is for independent judgments",
            remedy=f"Use {spelling.option('ties', 'split')}, or {spelling.option('unit', 'row')}.",
        )
    tested = judged.half if options.ties == "split" else judged.decided
    how = f"{ties:g} ties {'count half' if options.ties == 'split' else 'left out'}" if ties else "no ties"
    error, freedom = tested.deciding()
    statistic = (tested.value - 0.5) / error if error > 1e-9 else None
    note = f"robust, t with {freedom:.1f} degrees of freedom, {how}"
    if tested.flipped:
        statistic = (tested.value - 0.5) / tested.flipped
        note = f"weighted judgments reversed at random, normal approximation, {how}"
    if tested.exact:
        statistic, note = None, f"{tested.units:.0f} units, each of one opinion; {how}"
    share, half = judged.decided, judged.half
    low, high = (end / (1 - end) if end < 1 else np.inf for end in share.interval(options.level))
    value = share.value / (1 - share.value) if share.value < 1 else np.inf
    return Test("sign", statistic, tested.p, note), (
        effect_of("superiority", half.value, *half.interval(options.level)),
        effect_of("odds", value, low, high),
    )


def _duel(pairing: Pairing, options: CompareOptions, **found: Any) -> Duel:
    """Make the result: what was compared, under which options, and what was found."""
    wins, ties, losses = pairing.counts
    return Duel(
        settings=options.changed(a=pairing.a, b=pairing.b, groups=None, unit=pairing.unit),
        data=pairing.data,
        reading=pairing.reading,
        pairing=pairing.facts,
        a=pairing.a,
        b=pairing.b,
        kind=pairing.kind,
        n=len(pairing.differences.values),
        units=pairing.units,
        scope=pairing.scope,
        values=pairing.values,
        lower_is_better=pairing.lower_is_better,
        wins=wins,
        ties=ties,
        losses=losses,
        **found,
    )


def _flips(options: CompareOptions) -> np.random.Generator:
    """Return the generator of random flips: tests and intervals take the same ones, so that they agree."""
    return np.random.default_rng(options.seed)


def _signs(differences: Differences, counts: tuple[int, int, int], options: CompareOptions) -> list[Test]:
    """Return the sign test and its mid-p, by group where items come in groups."""
    if differences.grouped:
        if options.ties == "against":
            raise PlanError(
                f"{spelling.option('ties', 'against')} is for independent items, and these are in groups",
                remedy="Leave it out.",
            )
        return paired.sign_tests_by_group(differences, _flips(options))
    return [paired.sign_test(*counts, how=options.ties), paired.sign_mid_p(*counts, how=options.ties)]


def _disagreement(
    pairing: Pairing, found: Mapping[questions.Question, questions.QuestionAnswer], level: float
) -> list[Finding]:
    """Report where one system has the better mean and the other one wins more items, and one of the two is shown."""
    mean, wins = found["mean"], found["wins"]
    if mean.lead * wins.lead >= 0 or not (mean.shown(level) or wins.shown(level)):
        return []
    ahead, behind = (pairing.a, pairing.b) if mean.lead > 0 else (pairing.b, pairing.a)
    return [kinds.comparisons.QUESTIONS_DISAGREE.found(mean=ahead, wins=behind)]


def _own_findings(pairing: Pairing, ties: int) -> list[Finding]:
    differences, findings = pairing.differences, []
    share = ties / len(differences.values)
    if not np.any(differences.values):
        findings.append(kinds.evidence.IDENTICAL.found(pairs=f"{pairing.a!r} and {pairing.b!r}", number=1))
    elif share > kinds.ties.MANY_TIES.thresholds["many"]:
        what = f"{counted_noun(pairing.kind)}s"
        findings.append(kinds.ties.MANY_TIES.found(share=share, factor=1 / (1 - share), what=what))
    if differences.by_judge is not None and differences.by_judge.nested is None:
        findings.append(kinds.comparisons.JUDGES_IN_MEAN.found())
    if pairing.units < _FEW:
        findings.append(kinds.resampling.FEW_UNITS.found(units=pairing.units, unit=pairing.grouping))
    return findings
