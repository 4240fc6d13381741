"""The three states of a statement, and how often the rule is wrong."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from betterthan.inference import Estimate, mean_of, share_of
from betterthan.verbs.study.agreement import Expected, about_zero, above, below, near, rounded
from betterthan.verbs.study.experiments.base import Claim


@pytest.mark.parametrize(
    ("expected", "low", "high", "agreement"),
    [
        (near(0.4, 0.05), 0.36, 0.44, "agrees"),
        (near(0.4, 0.05), 0.15, 0.25, "differs"),  # 20 % against 40 %
        (near(0.4, 0.05), 0.0, 0.7, "cannot tell"),  # 20 % against 40 %, with a wide interval
        (near(0.4, 0.05), 0.42, 0.46, "cannot tell"),
        (near(0.4, 0.05), 0.4, 0.4, "cannot tell"),  # nothing varied
        (near(0.4, 0.05), None, 0.41, "cannot tell"),
        (above(0), 0.1, 0.3, "agrees"),
        (above(0), 0.0, 0.3, "cannot tell"),
        (above(0), -0.3, -0.1, "differs"),
        (above(0), -0.3, 0.0, "differs"),
        (below(0), -0.3, -0.1, "agrees"),
        (below(0), -0.3, 0.1, "cannot tell"),
        (below(0), 0.1, 0.3, "differs"),
        (Expected(low=0.8), 0.8, 0.9, "agrees"),
        (Expected(low=0.8), 0.7, 0.79, "differs"),
        (Expected(high=0.06), 0.0, 0.06, "agrees"),
        (Expected(high=0.06), 0.05, 0.07, "cannot tell"),
        (Expected(high=0.06), 0.07, 0.09, "differs"),
    ],
)
def test_the_interval_decides(expected: Expected, low: float | None, high: float | None, agreement: str) -> None:
    assert expected.agreement_of(Estimate(0.2, low, high)) == agreement


def test_a_figure_without_an_interval_decides_only_if_it_is_exact() -> None:
    assert near(0.4, 0.05).agreement_of(Estimate(0.4, None, None)) == "cannot tell"
    assert Claim.exact("x", "0.4", 0.4, near(0.4, 0.05)).agreement == "agrees"
    assert Claim.exact("x", "0.4", 0.46, near(0.4, 0.05)).agreement == "differs"
    assert Claim.exact("x", "30.646", 30.64649, rounded(30.646, 3)).agreement == "agrees"
    assert Claim.exact("x", "30.646", 30.64651, rounded(30.646, 3)).agreement == "differs"
    assert Claim.of("x", "", Estimate(None, None, None), above(0)).agreement == "cannot tell"


def test_margins_are_stated() -> None:
    stated = [str(each) for each in (near(0.4, 0.05), about_zero(0.01), above(0), below(0.5), Expected(low=0.8))]
    assert stated == ["within ±0.05", "within ±0.01", "above 0", "below 0.5", "at least 0.8"]
    assert str(Expected(low=0.93, high=0.99)) == "0.93 to 0.99"


def test_causes_are_of_what_does_not_agree() -> None:
    wide = Estimate(0.2, 0.0, 0.7)
    assert Claim.of("x", "", Estimate(0.4, 0.39, 0.41), near(0.4, 0.05), "Other data.").cause == ""
    assert Claim.of("x", "", wide, near(0.4, 0.05), "Other data.").cause == (
        "Other data. The interval reaches beyond the margin."
    )
    difference = Claim.of("x", "", wide, near(0.4, 0.05)).difference
    assert difference is not None
    assert (difference.value, difference.low, difference.high) == pytest.approx((-0.2, -0.4, 0.3))
    assert Claim.of("x", "", wide, above(0)).difference is None


def _normal(rng: np.random.Generator, mean: float) -> Estimate:
    return mean_of((mean + 0.03 * rng.normal(size=20)).tolist(), 0.95)


def _share(rng: np.random.Generator, mean: float) -> Estimate:
    return share_of((rng.random(2000) < mean).tolist(), 0.95)


def _by_data_set(rng: np.random.Generator, mean: float) -> Estimate:
    """Five data sets of 13 tables each, as those of the study of disagreement."""
    values = mean + np.repeat(0.01 * rng.normal(size=5), 13) + 0.02 * rng.normal(size=65)
    return mean_of(values.tolist(), 0.95, (0.0, 1.0), [str(place // 13) for place in range(65)])


@pytest.mark.parametrize("draw", [_normal, _share, _by_data_set])
@pytest.mark.parametrize("side", [-1, 1])
def test_how_often_the_rule_errs(draw: Callable[[np.random.Generator, float], Estimate], side: int) -> None:
    """A truth at the margin agrees in about 2.5 % of samples, one beyond it in fewer, and a true figure never differs."""
    rng = np.random.default_rng(1)

    def shares(truth: float) -> dict[str, float]:
        found = Counter(near(0.4, 0.05).agreement_of(draw(rng, truth)) for _ in range(400))
        return {state: found[state] / 400 for state in ("agrees", "differs", "cannot tell")}

    at_margin = shares(0.4 + side * 0.05)
    assert 0.004 < at_margin["agrees"] < 0.05  # 2.5 % and the error of 400 samples
    assert at_margin["differs"] < 0.05
    beyond = shares(0.4 + side * 0.1)
    assert beyond["agrees"] == 0
    assert beyond["differs"] > 0.7
    true = shares(0.4)
    assert true["differs"] < 0.005
    assert true["agrees"] > 0.6
