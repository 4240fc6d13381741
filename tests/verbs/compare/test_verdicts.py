"""What a duel concludes: with few, saturated, tied, skewed or grouped scores, by the default call."""

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt


def _compare(a: Any, b: Any, **choices: Any) -> bt.Duel:
    scores = bt.read_scores({"owl": np.asarray(a, dtype=float).tolist(), "yak": np.asarray(b, dtype=float).tolist()})
    return bt.compare(scores, **choices)


def _outcomes(number: int, won: float, lost: float) -> list[tuple[int, int, float]]:
    """Return all likely numbers of items won and lost, with their chances."""
    found = [(w, x) for w in range(number + 1) for x in range(number + 1 - w)]
    chances = stats.multinomial.pmf([(w, x, number - w - x) for w, x in found], number, [won, lost, 1 - won - lost])
    return [(w, x, float(chance)) for (w, x), chance in zip(found, chances, strict=True) if chance > 2e-4]


def _consistent(duel: bt.Duel) -> None:
    """Check that the sentence claims nothing that its interval or its p deny."""
    effect, none = duel.answer.effect, 0.5 if duel.question == "wins" else 0.0
    if duel.shown is None:
        assert " is better than " not in duel.verdict
        assert " is worse than " not in duel.verdict
        return
    assert duel.p <= 1 - duel.level
    end = effect.low if duel.shown == "better" else effect.high
    if end is not None:
        assert (end > none) if duel.shown == "better" else (end < none)
    assert f"owl is {duel.shown} than yak" in duel.verdict


def _sound(duel: bt.Duel) -> None:
    """Check that no interval is without width, and no p is 0."""
    assert all(test.p > 0 for test in duel.tests)
    assert all(effect.low is None or effect.low != effect.high for effect in duel.effects)
    assert duel.equivalence.p > 0


@pytest.mark.parametrize("number", [15, 30])
def test_right_and_wrong_answers_near_one(number: int) -> None:
    covered, contradicted, total = 0.0, 0.0, 0.0
    for wins, losses, chance in _outcomes(number, 0.9 * 0.05, 0.95 * 0.1):
        a = [1] * wins + [0] * losses + [1] * (number - wins - losses)
        b = [0] * wins + [1] * losses + [1] * (number - wins - losses)
        duel = _compare(a, b)
        mean = duel.effect("mean_difference")
        assert (duel.recommended, duel.test("mcnemar").note) == ("mcnemar-mid-p", "exact")
        covered += chance * (mean.low <= -0.05 <= mean.high)
        contradicted += chance * (duel.answer.excludes != (duel.p <= 0.05))
        total += chance
        _consistent(duel)
        _sound(duel)
    assert covered / total >= 0.94
    assert contradicted / total <= 0.04


def test_both_right_on_the_same_items() -> None:
    duel = _compare([1] * 20, [1] * 20)
    mean = duel.effect("mean_difference")
    assert (mean.low, mean.high) == pytest.approx((-0.16843, 0.16843), abs=1e-5)
    _sound(duel)
    assert "cannot be tested without a margin" in duel.to_text()
    near = _compare([0] + [1] * 19, [0] + [1] * 19, margin=0.02)
    assert max(near.equivalence.p, near.equivalence.p_bootstrap) == pytest.approx(0.98**20)
    assert (
        "The two are not shown to be equivalent within ±0.02, as given (two one-sided tests, p = 0.67)"
        in near.to_text()
    )


@pytest.mark.parametrize("number", [2, 3])
def test_two_or_three_grades_show_nothing(number: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        duel = _compare(rng.integers(1, 6, number), rng.integers(1, 6, number))
        assert (duel.shown, duel.p >= 2 / 2**number) == (None, True)
        _sound(duel)
    assert _compare([2, 4], [1, 3]).p == 0.5


@pytest.mark.parametrize(("number", "most"), [(5, 0.10), (10, 0.10)])
def test_few_grades_have_few_false_alarms(number: int, most: float) -> None:
    rng = np.random.default_rng(2)
    shown = 0
    for _ in range(80):
        duel = _compare(*rng.choice(5, p=[0.1, 0.2, 0.4, 0.2, 0.1], size=(2, number)))
        shown += duel.shown is not None
        _consistent(duel)
        _sound(duel)
    assert shown <= most * 80


def test_skewed_differences_are_asked_about_their_mean() -> None:
    rng = np.random.default_rng(3)
    alarms = {"mean": 0, "wilcoxon": 0}
    for _ in range(60):
        base = rng.normal(size=50)
        duel = _compare(base + rng.exponential(size=50) - 1, base)
        assert duel.answer.excludes == (duel.p <= 0.05)
        alarms["mean"] += duel.shown is not None
        alarms["wilcoxon"] += duel.test("wilcoxon").p <= 0.05
        _consistent(duel)
    assert alarms["mean"] <= 7
    assert alarms["wilcoxon"] >= 10  # another question, with another answer


@pytest.mark.parametrize("question", ["mean", "typical", "wins"])
@pytest.mark.parametrize("groups", [None, 8])
def test_no_verdict_contradicts_its_interval(question: Any, groups: int | None) -> None:
    rng = np.random.default_rng(5)
    for _ in range(25):
        grades = rng.integers(0, 4, size=(2, 32)) + np.array([[1], [0]]) * (rng.random(32) < 0.5)
        named = None if groups is None else [str(place % groups) for place in range(32)]
        duel = _compare(*grades, question=question, groups=named)
        _consistent(duel)
        _sound(duel)


def test_few_groups_of_right_and_wrong_answers_by_mid_p() -> None:
    rng = np.random.default_rng(7)
    alarms, exact, found, runs = 0, 0, 0, 120
    for _ in range(runs):
        for chance in (0.7, 0.9):
            leader = rng.random((2, 8, 1)) < np.array([0.7, chance])[::-1, None, None]
            own = rng.random((2, 8, 5)) < np.array([0.7, chance])[::-1, None, None]
            a, b = np.where(rng.random((2, 8, 5)) < 0.3, leader, own).reshape(2, 40)
            duel = _compare(a, b, groups=[str(place // 5) for place in range(40)])
            _consistent(duel)
            if chance == 0.7:
                alarms += duel.shown is not None
            else:
                found += duel.shown is not None
                exact += duel.test("permutation").p <= 0.05
    assert alarms <= 0.1 * runs
    assert found > exact


def test_the_verdict_names_question_unit_and_level() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=60)
    scores = {"owl": (base + 0.5 + rng.normal(0, 0.5, 60)).tolist(), "yak": base.tolist()}
    number = r"-?[\d.e-]+"
    mean = bt.compare(scores)
    assert re.fullmatch(
        rf"owl is better than yak on the mean score, for items like these: difference {number}, 95 % confidence interval {number} to "
        rf"{number} \(Student's t-test over 60 items, p = {number}\)\.",
        mean.verdict,
    )
    grouped = bt.compare(scores, groups=[str(place // 5) for place in range(60)], question="wins", level=0.9)
    assert re.fullmatch(
        rf"owl is better than yak on the share of items won, for groups of items like these: share won {number} \(ties count half\), 90 % confidence "
        rf"interval {number} to {number} \(sign test \(mid-p\) over 60 items in 12 groups, p = {number}\)\.",
        grouped.verdict,
    )
    typical = bt.compare(scores, question="typical")
    assert typical.verdict.startswith(
        "owl is better than yak on the typical item, for items like these: Hodges–Lehmann difference "
    )
    assert "symmetric" in typical.reason
    assert (mean.question, mean.unit, mean.shown) == ("mean", "item", "better")
    assert (grouped.signature.facts["question"], grouped.signature.facts["unit"]) == ("wins", "group")
    for duel in (mean, grouped, typical):
        assert "Peyrard et al. (2021)" in duel.reason


def test_mean_and_wins_may_disagree() -> None:
    rng = np.random.default_rng(1)
    gap = np.r_[rng.uniform(0.01, 0.1, 70), -rng.uniform(2, 3, 30)]
    duel = _compare(np.full(100, 5.0) + gap, np.full(100, 5.0))
    assert duel.shown == "worse"
    assert "'yak' has the better mean score, but 'owl' wins more items." in [f.message for f in duel.findings]
    assert _compare(np.full(100, 5.0) + gap, np.full(100, 5.0), question="wins").shown == "better"


def test_most_items_tied_say_nothing_about_the_typical_one() -> None:
    duel = _compare([3] * 80 + [4] * 10 + [5] * 10, [3] * 100, question="typical")
    assert (duel.test("wilcoxon").p < 0.001, duel.shown) == (True, None)
    assert duel.verdict.endswith("; the test alone is significant, but the estimate is 0.")


def test_unit_takes_items_as_independent_although_groups_were_read() -> None:
    columns = {
        "item": list(range(40)),
        "doc": [f"d{n // 4}" for n in range(40)],
        "owl": np.random.default_rng(0).normal(size=40).tolist(),
        "yak": [0.5] * 40,
    }
    scores = bt.read_scores(columns, group="doc")
    found = {unit: bt.compare(scores, unit=unit) for unit in (None, "group", "item")}
    assert [duel.units for duel in found.values()] == [10, 10, 40]
    assert [duel.unit for duel in found.values()] == ["group", "group", "item"]
    assert "over 40 items in 10 groups" in found[None].verdict
    assert found["item"].signature.facts["unit"] == "item"
    assert bt.power(scores, unit="item").units == 40
    with pytest.raises(bt.PlanError, match="scores are resampled by item or group, got 'judge'"):
        bt.compare(scores, unit="judge")
    with pytest.raises(bt.PlanError, match="groups were given, so the unit is the group, not 'item'"):
        bt.compare(scores, unit="item", groups=columns["doc"])


def test_judgments_cannot_say_by_how_much() -> None:
    votes = [("owl", "yak", "a")] * 9 + [("yak", "owl", "a")] * 2
    assert bt.compare(votes).question == "wins"
    with pytest.raises(bt.PlanError) as refusal:
        bt.compare(votes, question="mean")
    assert str(refusal.value) == (
        "judgments say which system won, not by how much, so they cannot answer 'mean'. Leave out question='mean'."
    )
