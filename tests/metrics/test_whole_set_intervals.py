"""Intervals of metrics of a whole test set: their ends, their variance, and how often they hold the truth."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import effective_size
from betterthan.metrics import build_metric


@pytest.mark.parametrize(("right", "number"), [(0, 9), (1, 9), (17, 40), (9, 9)])
def test_ends_are_mid_p_values_of_the_binomial_distribution(right: int, number: int) -> None:
    ends = [float(effective_size._mid_p(np.array([right / number]), number, tail)[0]) for tail in (0.025, 0.975)]
    for end, side in zip(ends, (-1, 1), strict=True):
        if 1e-6 < end < 1 - 1e-6:
            beyond = stats.binom.sf(right, number, end) if side < 0 else stats.binom.cdf(right - 1, number, end)
            assert beyond + stats.binom.pmf(right, number, end) / 2 == pytest.approx(0.025, abs=1e-9)
    assert ends[0] - 1e-9 <= right / number <= ends[1] + 1e-9
    assert ends[0] < ends[1]


@pytest.mark.parametrize("metric", ["f1", "f1(average=micro)", "mcc"])
def test_influence_of_items_on_labels_has_the_variance_of_resamples(metric: str) -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(3, 1500, p=[0.6, 0.3, 0.1])
    said = np.where(rng.random(1500) < 0.7, truth, rng.integers(3, size=1500))
    parts = np.stack([said, truth], axis=1).astype(float)
    of = build_metric(metric)
    influence = of.influence(parts)
    assert influence is not None
    drawn = of.whole(parts, rng.multinomial(1500, np.full(1500, 1 / 1500), 1500).T.astype(float))
    assert np.sqrt(np.sum(influence.items**2)) == pytest.approx(drawn.std(), rel=0.06)


#: Chances of labels by their truth: one rare class of three, and systems that are right on 99 of 100 items.
RARE = np.array([[0.54, 0.04, 0.02], [0.06, 0.30, 0.01], [0.006, 0.006, 0.018]])
CEILING = np.diag([0.495, 0.297, 0.198]) + np.array([[0, 3, 2], [1.8, 0, 1.2], [1.25, 0.75, 0]]) / 1000


@pytest.mark.parametrize("metric", ["f1", "f1(average=micro)", "mcc"])
@pytest.mark.parametrize("chances", [RARE, CEILING], ids=["rare", "ceiling"])
def test_intervals_of_labels_hold_the_truth(metric: str, chances: Any) -> None:
    """Of 100 items some three are of the rare class, which some samples lack; others have no error at all."""
    rng, of, held = np.random.default_rng(7), build_metric(metric), 0
    cells = np.array([(said, true) for true in range(3) for said in range(3)], dtype=float)
    truth = float(of.whole(cells, chances.reshape(-1, 1))[0])
    for _ in range(200):
        parts = cells[rng.choice(9, 100, p=chances.ravel() / chances.sum())]
        influence, bounds = of.influence(parts), of.bounds
        assert influence is not None
        assert bounds is not None
        score = float(of.whole(parts, np.ones((100, 1)))[0])
        found = effective_size.score_interval(score, influence, np.arange(100), bounds, 0.95)
        assert found is not None
        assert bounds[0] <= found[0] < found[1] <= bounds[1]
        held += found[0] <= truth <= found[1]
    assert held >= 186  # 93 %
