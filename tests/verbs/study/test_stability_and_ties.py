"""More comparisons, fewer changes; more ties, less correlation."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt

CLEAR = (
    [("owl", "yak", "a")] * 70 + [("owl", "yak", "b")] * 30 + [("yak", "elk", "a")] * 70 + [("yak", "elk", "b")] * 30
)
CLEAR += [("owl", "elk", "a")] * 80 + [("owl", "elk", "b")] * 20


def test_more_comparisons_fewer_changes() -> None:
    found = bt.study("stability", quick=True)
    fewer, settled = found.claims
    assert fewer.agreement == "agrees"
    assert fewer.ours.high < -1
    columns = found.columns()
    changed = dict(zip(columns["comparisons"], columns["changed"], strict=True))
    assert settled.ours.value == pytest.approx((changed[200] - changed[1000]) / 8)
    assert settled.expected.high == 0.05
    assert settled.agreement == "agrees"
    assert columns["line"][0] == round(12 * 8 * np.log(8)) == 200
    assert 200 in columns["comparisons"]
    assert columns["changed"][0] > 3 * columns["changed"][-1]


def test_changes_are_those_of_the_binomial() -> None:
    """Two systems at 60:40 change places when fewer than half of ten comparisons are won; with five they are equal."""
    votes = [("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 40
    columns = bt.study("stability(runs=2000,most=20)", votes, quick=True).columns()
    lost, tied = stats.binom.cdf(4, 10, 0.6), stats.binom.pmf(5, 10, 0.6)
    assert columns["comparisons"][0] == 10
    assert columns["changed"][0] == pytest.approx(2 * lost + tied, abs=0.06)  # a tie moves the second system alone


def test_systems_that_are_equal_never_settle() -> None:
    votes = [("owl", "yak", "a"), ("owl", "yak", "b")] * 50
    found = bt.study("stability(runs=200)", votes, quick=True)
    assert found.claim("More comparisons").agreement != "agrees"


def test_a_curve_that_still_falls_is_not_stable() -> None:
    """Two systems at 55:45: at 12·m·ln m = 17 comparisons they change places far more often than at 1,000."""
    votes = [("owl", "yak", "a")] * 55 + [("owl", "yak", "b")] * 45
    claim = bt.study("stability(runs=400)", votes, quick=True).claim("12·m·ln m")
    lost = [2 * stats.binom.cdf((size - 1) // 2, size, 0.55) for size in (17, 1000)]
    tied = stats.binom.pmf(500, 1000, 0.55)
    assert claim.ours.value == pytest.approx((lost[0] - lost[1] - tied) / 2, abs=0.08)
    assert claim.agreement == "differs"


def test_a_curve_that_ends_before_the_rule_says_nothing_about_it() -> None:
    claim = bt.study("stability(most=50)", CLEAR * 3, quick=True).claim("12·m·ln m")
    assert claim.agreement == "agrees"  # 40 comparisons of three systems
    claim = bt.study("stability(most=30,runs=10)", CLEAR * 3, quick=True).claim("12·m·ln m")
    assert (claim.ours.value, claim.agreement) == (None, "cannot tell")
    assert "The curve ends before it" in claim.cause


def test_ties_cost_correlation() -> None:
    found = bt.study("ties", quick=True)
    half, late = found.claims
    assert half.agreement == "agrees"
    assert half.difference.value == pytest.approx(half.ours.known - 0.8)
    assert late.ours.high < 0
    columns = found.columns()
    assert columns["ties"] == [step / 10 for step in range(11)]
    assert columns["spearman"][0] > columns["spearman"][9]
    assert (columns["spearman"][-1], columns["undecided"][-1]) == (None, 1.0)  # nothing but ties: no order
    assert found.plot().to_svg().startswith("<svg")


def test_judgments_are_compared_with_their_own_order() -> None:
    columns = bt.study("ties(runs=50)", CLEAR, quick=True).columns()
    assert columns["spearman"][0] > 0.8
    assert columns["comparisons"][0] == round(12 * 3 * np.log(3))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ties(steps=3)", "ties: steps must be even, so that one half of the comparisons is among them, got 3."),
        ("stability(most=5)", "stability: most must be a whole number of at least 20 and at most 1e+06, got 5."),
    ],
)
def test_what_is_refused(name: str, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name)
    assert str(refusal.value) == message
