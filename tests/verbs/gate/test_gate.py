"""`gate`: pass, fail or inconclusive, by the interval that `compare` gives."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.verbs.gate.gate_checks import GateCheck

RNG = np.random.default_rng(3)
OLD = RNG.normal(10, 2, 80)
NEW = OLD + RNG.normal(0, 1, 80)


def _scores(new: np.ndarray = NEW, old: np.ndarray = OLD) -> dict[str, list[float]]:
    return {"new": new.tolist(), "old": old.tolist()}


def _t_ends(differences: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Return the ends of a one-sided interval by SciPy."""
    error, freedom = stats.sem(differences), len(differences) - 1
    reach = stats.t.ppf(level, freedom) * error
    return differences.mean() - reach, differences.mean() + reach


def _only(found: bt.Gate) -> GateCheck:
    (check,) = found.checks
    return check


def test_the_interval_is_that_of_students_t_and_of_compare() -> None:
    check = _only(bt.gate(_scores(), "new", "old", not_worse_than=0.3))
    low, high = _t_ends(NEW - OLD)
    assert (check.difference.low, check.difference.high) == (pytest.approx(low), pytest.approx(high))
    effect = bt.compare(_scores(), "new", "old", level=0.9).effect("mean_difference")
    assert effect is not None
    assert (check.difference.low, check.difference.high) == (effect.low, effect.high)
    assert (check.new_value, check.old_value) == (pytest.approx(NEW.mean()), pytest.approx(OLD.mean()))


@pytest.mark.parametrize(
    ("shift", "decision", "code"), [(0.0, "pass", 0), (-1.5, "fail", 1), (-0.3, "inconclusive", 4), (1.0, "pass", 0)]
)
def test_three_decisions(shift: float, decision: str, code: int) -> None:
    found = bt.gate(_scores(NEW - NEW.mean() + OLD.mean() + shift), "new", "old", not_worse_than=0.3)
    low, high = _t_ends(NEW - NEW.mean() + OLD.mean() + shift - OLD)
    assert (found.decision, found.exit_code) == (decision, code)
    assert decision == ("pass" if low > -0.3 else "fail" if high < -0.3 else "inconclusive")


@pytest.mark.parametrize("better_by", [0, 0.5])
def test_better_by_asks_for_more(better_by: float) -> None:
    level = NEW - NEW.mean() + OLD.mean()
    decisions = [
        bt.gate(_scores(level + shift), "new", "old", better_by=better_by).decision
        for shift in (better_by - 1, better_by, better_by + 1)
    ]
    assert decisions == ["fail", "inconclusive", "pass"]


def test_a_percentage_is_decided_by_fieller() -> None:
    """NEW − 98 % of OLD is tested against 0, so that the pass begins where Fieller's interval of the ratio does."""
    ratio = _fieller_low(NEW, OLD)
    for margin, decision in ((1 - ratio + 0.0005, "pass"), (1 - ratio - 0.0005, "inconclusive")):
        found = bt.gate(_scores(), "new", "old", not_worse_than=f"{100 * margin:.8f}%")
        assert found.decision == decision
        check = _only(found)
        assert check.limit == pytest.approx(-margin)
        assert check.difference.value == pytest.approx(NEW.mean() / OLD.mean() - 1)


def test_a_percentage_of_what_should_be_small_is_decided_by_fieller_too() -> None:
    """The pass of a higher mean begins where the upper end of Fieller's interval does, one over that of OLD / NEW."""
    evidence = bt.read({"item": [*range(80)] * 2, "system": ["new"] * 80 + ["old"] * 80, "wer": [*NEW, *OLD]})
    ratio = 1 / _fieller_low(OLD, NEW)
    for margin, decision in ((ratio - 1 + 0.0001, "pass"), (ratio - 1 - 0.0001, "inconclusive")):
        found = bt.gate(evidence, "new", "old", not_worse_than=f"{100 * margin:.8f}%")
        assert found.decision == decision


def _fieller_low(new: np.ndarray, old: np.ndarray) -> float:
    """Return the low end of Fieller's 90 % interval of a ratio of paired means, from its quadratic equation."""
    n = len(new)
    t2 = stats.t.ppf(0.95, n - 1) ** 2
    covariance = np.cov(new, old) / n
    a = old.mean() ** 2 - t2 * covariance[1, 1]
    b = -2 * (new.mean() * old.mean() - t2 * covariance[0, 1])
    c = new.mean() ** 2 - t2 * covariance[0, 0]
    return float((-b - np.sqrt(b**2 - 4 * a * c)) / (2 * a))


def test_where_less_is_better_signs_turn() -> None:
    evidence = bt.read({"item": [*range(80)] * 2, "system": ["new"] * 80 + ["old"] * 80, "wer": [*NEW, *OLD]})
    for margin, shown in ((0.3, -0.3), ("3%", -0.03)):
        check = _only(bt.gate(evidence, "new", "old", not_worse_than=margin))
        assert (check.less, check.limit) == (True, pytest.approx(-shown))
        low, high = _t_ends(NEW - OLD)
        scale = 1.0 if check.limit == 0.3 else OLD.mean()
        assert check.difference.value == pytest.approx((NEW - OLD).mean() / scale)
        assert check.decision == ("pass" if high < 0.3 else "fail" if low > 0.3 else "inconclusive")
        assert check.new_value == pytest.approx(NEW.mean())


def _sliced(shifts: dict[str, float], each: int = 30) -> bt.Scores:
    rng = np.random.default_rng(5)
    rows = []
    for part, shift in shifts.items():
        noise = rng.normal(0, 1, each)
        for item, value in enumerate(noise - noise.mean() + shift):
            rows += [(part, f"{part}{item}", "old", 5.0), (part, f"{part}{item}", "new", 5.0 + value)]
    names = ("lang", "item", "system", "score")
    return bt.read({name: [row[place] for row in rows] for place, name in enumerate(names)}, dataset="lang")


def test_every_slice_must_pass_and_one_that_fails_is_named() -> None:
    fine = bt.gate(_sliced({"de": 0.5, "en": 0.5, "fr": 0.5}), "new", "old", not_worse_than=0.2, slices="lang")
    assert (fine.decision, len(fine.checks)) == ("pass", 4)
    assert fine.verdict == "Pass: new keeps every margin in all 4 checks, for items like these."
    worse = bt.gate(_sliced({"de": 2.0, "en": 2.0, "fr": -1.5}), "new", "old", not_worse_than=0.2, slices="lang")
    assert worse.decision == "fail"
    assert worse.verdict == "Fail: new is worse by more than its margin on 1 of 4 checks: score (lang fr)."
    assert [check.part for check in worse.checks] == ["", "de", "en", "fr"]
    whole = bt.gate(_sliced({"de": 0.5, "en": 0.5, "fr": 0.0}), "new", "old", not_worse_than=0.2, slices="lang")
    assert whole.decision == "inconclusive"
    assert whole.checks[0].n == 90


def test_failing_is_corrected_by_holm_and_passing_is_not() -> None:
    """A slice with p = .03 against its margin fails alone, and not among 13 checks."""
    rng = np.random.default_rng(7)
    noise = rng.normal(0, 1, 30)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    shift = -0.2 + stats.t.ppf(0.03, 29) / np.sqrt(30)
    shifts = {f"s{place:02}": 3.0 for place in range(11)} | {"worst": 0.0}
    rows = [
        (part, f"{part}{item}", name, 5 + (name == "new") * (each + value))
        for part, each in shifts.items()
        for item, value in enumerate(noise + (shift if part == "worst" else 0))
        for name in ("old", "new")
    ]
    columns = {name: [row[place] for row in rows] for place, name in enumerate(("lang", "item", "system", "score"))}
    alone = bt.gate(
        bt.read(columns, where="lang=worst", dataset="lang"), "new", "old", not_worse_than=0.2, slices="lang"
    )
    among = bt.gate(bt.read(columns, dataset="lang"), "new", "old", not_worse_than=0.2, slices="lang")
    last = among.checks[-1]
    assert (last.part, last.decision) == ("worst", "inconclusive")
    assert last.difference.high is not None
    assert last.difference.high < -0.2
    assert among.decision == "inconclusive"
    assert alone.decision == "inconclusive"  # two checks of the same 30 items: p = .03 is above .025
    assert _only(bt.gate(bt.read(columns, where="lang=worst"), "new", "old", not_worse_than=0.2)).decision == "fail"


def test_whole_of_slices_is_what_compare_gives_without_them() -> None:
    rng = np.random.default_rng(11)
    rows = [
        (f"q{item}", ["de", "fr"][item % 2], name, str(run), float(rng.exponential() * (1 + (name == "new"))))
        for item in range(40)
        for name in ("old", "new")
        for run in range(3)
    ]
    columns = {
        name: [row[place] for row in rows] for place, name in enumerate(("item", "lang", "system", "seed", "score"))
    }
    plain = _only(bt.gate(bt.read(columns), "new", "old", not_worse_than=0.1))
    sliced = bt.gate(bt.read(columns, dataset="lang"), "new", "old", not_worse_than=0.1, slices="lang").checks[0]
    assert plain.unit == "item+run"
    assert sliced.difference == plain.difference
    assert (sliced.n, sliced.unit) == (40, "item+run")


def _two_metrics() -> bt.Scores:
    rng = np.random.default_rng(2)
    rows = [
        (item, name, int(rng.random() < 0.9), float(rng.gamma(20, 5))) for item in range(200) for name in ("new", "old")
    ]
    names = ("item", "system", "correct", "latency_ms")
    return bt.read(
        {name: [row[place] for row in rows] for place, name in enumerate(names)}, score=["correct", "latency_ms"]
    )


def test_guards_have_margins_of_their_own() -> None:
    found = bt.gate(_two_metrics(), "new", "old", not_worse_than=0.1, guard={"latency_ms": "+10%"})
    correct, latency = found.checks
    assert (correct.guard, correct.limit, correct.relative) == (False, -0.1, False)
    assert (latency.guard, latency.limit, latency.relative, latency.less) == (True, 0.1, True, True)
    assert found.decision == "pass"
    tight = bt.gate(_two_metrics(), "new", "old", not_worse_than=0.1, guard={"latency_ms": "0.1%"})
    assert (tight.checks[0].decision, tight.checks[1].decision, tight.decision) == (
        "pass",
        "inconclusive",
        "inconclusive",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"not_worse_than": 0.1, "guard": {"latency_ms": "-5%"}},
            "guard latency_ms=-5% lets latency_ms fall, but less of it is better. Write latency_ms=+5%, or say which "
            "direction is better with lower_is_better='none'.",
        ),
        (
            {"not_worse_than": 0.1, "guard": {"tokens": "5%"}},
            "guard names 'tokens', which is no metric here; there are: correct, latency_ms. Name the columns of all "
            "metrics with score.",
        ),
        (
            {"not_worse_than": 0.1, "better_by": 0.1},
            "not_worse_than and better_by are two different gates. Leave one of them out.",
        ),
        ({"not_worse_than": "two"}, "not_worse_than must be a margin such as 0.02 or 2%, got 'two'."),
        ({"not_worse_than": "-0.1"}, "not_worse_than takes a margin without a sign, got '-0.1'."),
        ({"not_worse_than": True}, "not_worse_than must be a margin such as 0.02 or 2%, got 'True'."),
        ({"not_worse_than": "1e400"}, "not_worse_than must be a margin such as 0.02 or 2%, got '1e400'."),
    ],
)
def test_margins_that_contradict_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.gate(_two_metrics(), "new", "old", **options)
    assert str(refusal.value) == message


def test_without_a_margin_one_is_suggested_and_nothing_decided() -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.gate(_scores(), "new", "old")
    error = stats.sem(NEW - OLD) * stats.t.ppf(0.95, 79) / stats.norm.ppf(0.95)
    least = (stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) * error
    assert 0.2 < least < 0.3
    assert str(refusal.value) == (
        "a gate needs the loss that you would accept, and no data can say it. With 80 items, a version as good as the "
        "old one usually passes (80 %, level 95 %) if the margin is at least the score: 0.3. Decide what a loss costs "
        "you, and give it: not_worse_than='0.3'"
    )


def test_looks_spend_the_level_between_them() -> None:
    spent = 0.0
    for look in (1, 2, 3, 50):
        found = bt.gate(_scores(), "new", "old", not_worse_than=0.3, look=look)
        spent += 1 - found.decided_at
        low, high = _t_ends(NEW - OLD, 1 - 0.05 / (look * (look + 1)))
        check = _only(found)
        assert (check.difference.low, check.difference.high) == (pytest.approx(low), pytest.approx(high))
        assert ("often-looked-at" in [finding.code for finding in found.findings]) == (look >= 20)
    assert spent < 0.05


def test_votes_are_gated_by_the_share_won() -> None:
    votes = [("new", "old", "a")] * 60 + [("new", "old", "b")] * 40 + [("new", "old", "tie")] * 20
    check = _only(bt.gate(votes, "new", "old", not_worse_than=0.03))
    effect = bt.compare(votes, "new", "old", level=0.9).effect("superiority")
    assert effect is not None
    assert effect.low is not None
    assert (check.difference.value, check.difference.low) == (pytest.approx(70 / 120 - 0.5), effect.low - 0.5)
    assert (check.decision, check.metric) == ("pass", "share won")
    with pytest.raises(bt.PlanError) as refusal:
        bt.gate(votes, "new", "old", not_worse_than="3%")
    assert str(refusal.value) == (
        "judgments say which version won, so there is no mean to take a percentage of. Give the margin as a share of "
        "judgments won, such as 0.02."
    )


def test_several_old_versions_must_all_be_kept_up_with() -> None:
    evidence = {"new": (NEW + 1).tolist(), "old": OLD.tolist(), "older": (OLD + 3).tolist()}
    found = bt.gate(evidence, "new", ["old", "older"], not_worse_than=0.3)
    assert [(check.old, check.decision) for check in found.checks] == [("old", "pass"), ("older", "fail")]
    assert found.verdict == ("Fail: new is worse by more than its margin on 1 of 2 checks: the score against older.")


def test_tasks_count_equally_and_may_be_a_sample_of_others() -> None:
    evidence = _sliced({"de": 0.5, "en": 0.5, "fr": -0.3})
    check = _only(bt.gate(evidence, "new", "old", not_worse_than=0.2))
    whole = bt.compare_tasks(evidence, "new", "old", level=0.9).overall[0]
    assert check.difference == whole.difference
    assert check.decision == "pass"
    sampled = bt.gate(_read_random(evidence), "new", "old", not_worse_than=0.2)
    assert sampled.decision == "inconclusive"
    assert "for tasks like these" in bt.gate(_read_random(evidence), "new", "old", not_worse_than=5).verdict


def _read_random(evidence: bt.Scores) -> bt.Scores:
    from dataclasses import replace

    return replace(evidence, random=("task",))


def test_two_runs_of_one_system_that_differ_keep_it_from_passing() -> None:
    same = {"old": OLD.tolist(), "again": (OLD + RNG.normal(0, 0.5, 80)).tolist()}
    other = {"old": OLD.tolist(), "again": (OLD + 0.4 + RNG.normal(0, 0.5, 80)).tolist()}
    quiet = bt.gate(_scores(NEW + 1), "new", "old", not_worse_than=0.3, rerun=same)
    assert (quiet.decision, len(quiet.reruns)) == ("pass", 1)
    loud = bt.gate(_scores(NEW + 1), "new", "old", not_worse_than=0.3, rerun=other)
    assert (loud.decision, loud.findings[0].code) == ("inconclusive", "rerun-differs")
    assert loud.verdict == "Inconclusive: new passes, but two runs of the same system differ significantly."
    assert loud.reruns[0].difference.value == pytest.approx(np.mean(other["again"]) - OLD.mean())
    narrower = bt.gate(_scores(NEW + 1), "new", "old", not_worse_than=0.3, rerun=other, level=0.8)
    assert "80 % confidence interval" in narrower.findings[0].message
    assert "80 % confidence interval" in narrower.to_text()


def test_a_percentage_leaves_something_of_the_old_mean() -> None:
    with pytest.raises(bt.PlanError, match="leaves nothing"):
        bt.gate(_scores(), "new", "old", not_worse_than="100%")
    lower = bt.gate(_scores(), "new", "old", not_worse_than="150%", lower_is_better=True)
    assert lower.checks[0].limit == 1.5


def test_a_version_that_lacks_items_does_not_pass() -> None:
    """What it crashed on must not help it."""
    whole = {"id": [*range(80)], "score": OLD.tolist()}
    cut = {"id": [*range(70)], "score": (OLD[:70] + 1 + RNG.normal(0, 0.1, 70)).tolist()}
    found = bt.gate(bt.read_runs(cut, whole, names=("new", "old")), "new", "old", not_worse_than=0.3)
    assert (found.checks[0].decision, found.decision) == ("pass", "inconclusive")
    assert found.verdict == (
        "Inconclusive: new passes, but it lacks items that the old version has. Give them a score, or leave them out "
        "of both."
    )
    turned = bt.gate(bt.read_runs(whole, cut, names=("new", "old")), "new", "old", not_worse_than=3)
    assert turned.decision == "pass"


def test_flipped_items_are_named_with_both_scores() -> None:
    evidence = {"new": [1, 0, 0, 1, 1, 0], "old": [1, 1, 0, 0, 0, 1]}
    found = bt.gate(evidence, "new", "old", not_worse_than=0.9, flips=1)
    assert [(flip.item, flip.new, flip.old, flip.change) for flip in found.flips] == [
        ("2", 0.0, 1.0, "worse"),
        ("5", 1.0, 0.0, "better"),
    ]
    assert "Items that flipped" in found.to_text()


def test_every_format_says_the_same() -> None:
    found = bt.gate(_sliced({"de": 2.0, "fr": -1.5}), "new", "old", not_worse_than=0.2, slices="lang")
    document = json.loads(found.to_json())
    assert (document["decision"], document["exit_code"], document["schema"]) == ("fail", 1, "gate/1")
    assert [check["decision"] for check in document["checks"]] == [check.decision for check in found.checks]
    markdown = found.to_markdown()
    assert markdown.startswith(f"**{found.verdict}**\n\n| check | new | old |")
    suite = ElementTree.fromstring(found.to_junit().encode())
    cases = {case.get("name"): [each.tag for each in case] for case in suite}
    assert cases["decision"] == ["failure"]
    assert cases["score · fr"] == ["failure"]
    assert cases["score · de"] == ["system-out"]
    assert suite.get("failures") == str(1 + sum(check.decision != "pass" for check in found.checks))


def test_further_items_are_those_that_would_decide(tmp_path: Path) -> None:
    """With the items that it asks for, and the same difference, the decision is a pass in 80 % of cases."""
    del tmp_path
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 1, 60)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    check = _only(bt.gate(_scores(10 + noise, np.full(60, 10.0)), "new", "old", not_worse_than=0.2))
    assert check.more is not None
    n = 60 + check.more
    power = stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, 0.2 * np.sqrt(n))
    assert power == pytest.approx(0.8, abs=0.01)
