"""Radius and scale against a brute-force grid; the accuracy radius against all that can be tried."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import Fit, build_model
from betterthan.readers.read_evidence import read_judgments
from betterthan.verbs.select import prediction_scores, tuned_predictions
from tests.verbs.select.worlds import votes

GAP = np.array([1.5, 0.4, -0.2, 0.0, -1.1])
COUNTS = np.array([[20.0, 9, 6, 5, 2], [6.0, 7, 6, 7, 4], [4.0, 6, 8, 5, 15]])


def _log_loss(gap: np.ndarray, counts: np.ndarray, radius: float, scale: float) -> float:
    """Cut a normal distribution in three, by another library's distribution function."""
    win, loss = stats.norm.cdf((gap - radius) / scale), stats.norm.cdf((-gap - radius) / scale)
    tie = stats.norm.cdf((radius - gap) / scale) - stats.norm.cdf((-radius - gap) / scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(counts > 0, counts * np.log(np.stack([win, tie, loss])), 0.0)
    return -float(np.sum(terms) / np.sum(counts))


def test_radius_and_scale_are_the_best_of_a_grid() -> None:
    cut = tuned_predictions.tune(GAP, COUNTS)
    found = _log_loss(GAP, COUNTS, cut.radius, 1 / cut.slope)
    grid = product(np.linspace(0.05, 3, 60), np.linspace(0.3, 6, 60))
    least = min((_log_loss(GAP, COUNTS, radius, scale), radius, scale) for radius, scale in grid)
    assert found <= least[0]
    assert found == pytest.approx(least[0], abs=2e-4)
    assert (cut.radius, 1 / cut.slope) == pytest.approx(least[1:], abs=0.1)


def test_the_chances_are_those_of_the_formula() -> None:
    cut = tuned_predictions.Cut(0.7, 0.4)
    radius, scale = cut.radius, 1 / cut.slope
    assert cut.chances(GAP)[0] == pytest.approx(stats.norm.cdf((GAP - radius) / scale))
    assert cut.chances(GAP)[2] == pytest.approx(stats.norm.cdf((-GAP - radius) / scale))
    assert cut.chances(GAP).sum(axis=0) == pytest.approx(np.ones(5))


@pytest.mark.parametrize("at", [(0.7, 0.4), (3.0, 0.01), (0.01, 2.5)])
def test_the_slopes_are_derivatives(at: tuple[float, float]) -> None:
    cut = tuned_predictions.Cut(*at)
    by_gap, by_threshold = cut.slopes(GAP, cut.log_chances(GAP))
    for outcome, pair in product(range(3), range(len(GAP))):

        def value(x: np.ndarray, outcome: int = outcome, pair: int = pair) -> float:
            return float(tuned_predictions.Cut(*x).log_chances(GAP)[outcome, pair])

        wanted = optimize.approx_fprime(np.array(at), value, 1e-7)
        found = [by_gap[outcome, pair] * GAP[pair], by_threshold[outcome, pair]]
        assert found == pytest.approx(wanted, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(
    ("gap", "counts", "what"),
    [
        (GAP, np.vstack([COUNTS[0], np.zeros(5), COUNTS[2]]), "no ties"),
        (GAP, np.vstack([np.zeros(5), COUNTS[1], np.zeros(5)]), "only ties"),
        (np.zeros(5), COUNTS, "equal strengths"),
        (np.array([1.0, 2.0]), np.array([[5.0, 9.0], [0.0, 0.0], [0.0, 0.0]]), "all as expected"),
        (np.array([1.0, 2.0]), np.array([[0.0, 0.0], [0.0, 0.0], [5.0, 9.0]]), "all against expectation"),
        (np.array([1.0, 0.1]), np.array([[5.0, 0.0], [0.0, 9.0], [0.0, 0.0]]), "separated"),
        (np.array([3.0, -3.0]), np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1e6]]), "extreme"),
        (np.array([1.0, 0.5]), np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), "one judgment"),
    ],
)
def test_nothing_is_ever_infinite(gap: np.ndarray, counts: np.ndarray, what: str) -> None:
    cut = tuned_predictions.tune(gap, counts)
    chances = cut.chances(np.append(gap, [-4.0, 0.0, 4.0]))
    assert np.all(np.isfinite(chances)), what
    assert chances.sum(axis=0) == pytest.approx(np.ones(len(gap) + 3))
    assert np.isfinite(cut.radius)
    assert cut.radius >= 0
    if what == "no ties":
        assert cut.radius == 0.0
        assert np.all(chances[1] == 0.0)
    if what == "only ties":
        assert np.all(chances[1, :5] > 1 - prediction_scores.FLOOR)
    if what == "all against expectation":  # a model that is wrong is not turned round: it says nothing
        assert chances[0] == pytest.approx(np.full(5, 0.5), abs=0.01)


@given(
    st.lists(
        st.tuples(st.integers(-4, 4), st.integers(0, 4), st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=7
    )
)
def test_the_accuracy_radius_is_the_smallest_of_the_best(pairs: list[tuple[int, int, int, int]]) -> None:
    gap, *rest = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    counts = np.stack(rest)
    counts[0, 0] += 1
    met = np.abs(gap[counts.sum(axis=0) > 0])
    levels = sorted(set(met))
    tried = [0.0, *((low + high) / 2 for low, high in pairwise(levels)), levels[-1]]
    right = {radius: float(np.sum(counts * tuned_predictions.outcomes(gap, radius))) for radius in tried}
    assert tuned_predictions.tune_accuracy(gap, counts) == min(
        radius for radius in tried if right[radius] == max(right.values())
    )


def test_outcomes_follow_the_sign_of_the_gap_outside_the_radius() -> None:
    assert tuned_predictions.outcomes(np.array([0.5, -0.5, 0.2, -0.2, 0.0]), 0.2).T.tolist() == [
        [1, 0, 0],
        [0, 0, 1],
        [0, 1, 0],
        [0, 1, 0],
        [0, 1, 0],
    ]
    assert tuned_predictions.outcomes(np.array([1e-3, 0.0]), 0.0).T.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_gaps_are_in_standard_deviations_and_rounding_is_none() -> None:
    strength = np.array([1.0, 3.0, 3.0 + 1e-10, 5.0])
    first, second = np.array([0, 1, 0]), np.array([3, 2, 1])
    assert tuned_predictions.gaps(strength, first, second) == pytest.approx(
        [-4 / np.std(strength), 0.0, -2 / np.std(strength)]
    )
    assert tuned_predictions.gaps(np.full(4, 7.0), first, second).tolist() == [0.0, 0.0, 0.0]
    assert tuned_predictions.gaps(strength, first, second) == pytest.approx(
        tuned_predictions.gaps(100 * strength + 5, first, second)
    )


def test_a_system_that_training_did_not_see_is_an_average_one() -> None:
    fit = tuned_predictions.for_all(Fit.plain(("elk", "owl"), np.array([1.0, 3.0])), ("elk", "ibis", "owl"))
    assert fit.strength.tolist() == [1.0, 2.0, 3.0]
    assert fit.apart.tolist() == [False, True, False]
    nothing = tuned_predictions.for_all(Fit.plain(("elk", "owl"), np.full(2, np.nan)), ("elk", "ibis", "owl"))
    assert nothing.strength.tolist() == [0.0, 0.0, 0.0]


def _counts() -> PairCounts:
    return PairCounts.of(read_judgments(votes(300)).tally())


@pytest.mark.parametrize("name", ["davidson", "rao-kupper", "thurstone(ties=threshold)", "newman", "plackett-luce"])
def test_models_with_a_likelihood_for_ties_use_their_own_chances(name: str) -> None:
    counts, model = _counts(), build_model(name)
    fit = model.fit(counts)
    chances = tuned_predictions.own_chances(model, fit, counts.first, counts.second)
    assert chances is not None
    for place, pair in enumerate(zip(counts.first, counts.second, strict=True)):
        assert chances[:, place] == pytest.approx(model.probability(fit, *map(int, pair)))


@pytest.mark.parametrize(
    "name", ["bradley-terry", "thurstone(ties=half)", "hopkins-may", "expected-wins", "rank-centrality"]
)
def test_all_others_are_cut_by_a_radius(name: str) -> None:
    counts, model = _counts(), build_model(name)
    assert tuned_predictions.own_chances(model, model.fit(counts), counts.first, counts.second) is None


def test_without_ties_in_training_a_tie_model_has_no_chances_of_its_own() -> None:
    counts, model = PairCounts.of(read_judgments(votes(300, tie=0.0)).tally()), build_model("davidson")
    assert tuned_predictions.own_chances(model, model.fit(counts), counts.first, counts.second) is None
