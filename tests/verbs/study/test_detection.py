"""The smallest difference that pairs detect, against the binomial distribution."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt


def test_uniform_scores_follow_the_binomial() -> None:
    columns = bt.study("detection(runs=4000,comparisons=11|100,step=0.05)").columns()
    assert set(columns["comparisons"]) == {11, 100, round(12 * 9 * np.log(9))}
    for amount, difference, right in zip(columns["comparisons"], columns["difference"], columns["right"], strict=True):
        win = 1 - (1 - difference) ** 2 / 2
        half = stats.binom.pmf(amount / 2, amount, win) / 2 if amount % 2 == 0 else 0.0
        wanted = stats.binom.sf(amount // 2, amount, win) + half
        assert right == pytest.approx(wanted, abs=4 * np.sqrt(wanted * (1 - wanted) / 4000) + 1e-3)


def test_more_comparisons_detect_smaller_differences() -> None:
    found = bt.study("detection", quick=True)
    assert all(claim.agreement == "agrees" for claim in found.claims)
    assert found.claims[0].ours.low > 0.95
    smallest = [row[1] for row in found.summary.rows]
    assert smallest[0] == "none so small"
    assert float(smallest[-1]) < float(smallest[1])
    assert found.plot().to_svg().startswith("<svg")


def test_own_scores_are_centred_and_raised() -> None:
    """Differences of two systems are 2, 4, …, 20, their median 11, the range 30: a tenth more is won by six of ten."""
    scores = {"a": [10.0 + 2.0 * n for n in range(1, 11)], "b": [10.0, *[10.0] * 8, 10.0]}
    columns = bt.study("detection(comparisons=1,runs=5000,step=0.1,most=1)", scores).columns()
    extent = 30.0 - 10.0
    for difference, amount, right in zip(columns["difference"], columns["comparisons"], columns["right"], strict=True):
        if amount == 1:
            gaps = np.array([2.0 * n for n in range(1, 11)]) - 11.0 + difference * extent
            assert right == pytest.approx(np.mean(gaps > 0) + np.mean(gaps == 0) / 2, abs=0.03)
    assert columns["right"][-1] == 1.0


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        (
            "detection",
            {"a": [1.0, 0.0, 1.0, 0.0], "b": [1.0, 1.0, 0.0, 0.0]},
            "detection raises scores, which breaks ties, and 50 % of comparisons tie. It needs scores that hardly ever tie (at most 5 %).",
        ),
        (
            "detection",
            [("a", "b", "a")] * 3,
            "detection is a study of a table of scores, but this evidence is judgments",
        ),
        ("detection(most=0.001)", None, "detection: most must be a number of at least 0.01 and at most 10, got 0.001."),
    ],
)
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, evidence)
    assert str(refusal.value) == message
