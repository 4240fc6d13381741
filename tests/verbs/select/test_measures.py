"""Measures against what they mean, judgment by judgment."""

from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betterthan.verbs.select import prediction_scores
from betterthan.verbs.select.baselines import BOUND, CONSTANT, FREQUENCIES, references

COUNTS = np.array([[6.0, 0.0, 2.0, 0.0], [3.0, 4.0, 0.0, 0.0], [1.0, 0.0, 2.0, 0.0]])
CHANCES = np.array([[0.5, 0.25, 0.05, 1.0], [0.3, 0.5, 0.05, 0.0], [0.2, 0.25, 0.9, 0.0]])
PREDICTED = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])


def _one_by_one(counts: np.ndarray) -> list[tuple[int, int]]:
    """Return pair and outcome of every single judgment."""
    return [
        (pair, outcome)
        for outcome in range(3)
        for pair in range(counts.shape[1])
        for _ in range(int(counts[outcome, pair]))
    ]


def _expected_calibration_error(judged: list[tuple[int, int]], chances: np.ndarray) -> float:
    """Go through all chances of all judgments, bin by bin."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for pair, outcome in judged:
        for other in range(3):
            chance = float(chances[other, pair])
            bins.setdefault(min(int(chance * 10), 9), []).append((chance, other == outcome))
    whole = sum(len(each) for each in bins.values())
    gaps = [
        abs(np.mean([chance for chance, _ in each]) - np.mean([true for _, true in each])) * len(each) / whole
        for each in bins.values()
    ]
    return float(sum(gaps))


def test_every_measure_is_the_mean_over_judgments() -> None:
    judged = _one_by_one(COUNTS)
    found = prediction_scores.measure(COUNTS, CHANCES, PREDICTED)
    chances = [CHANCES[outcome, pair] for pair, outcome in judged]
    assert found["accuracy"] == pytest.approx(np.mean([PREDICTED[outcome, pair] for pair, outcome in judged]))
    assert found["log_loss"] == pytest.approx(np.mean([-log(chance) for chance in chances]))
    assert found["perplexity"] == pytest.approx(2 ** np.mean([-log2(chance) for chance in chances]))
    squares = [sum((CHANCES[other, pair] - (other == outcome)) ** 2 for other in range(3)) for pair, outcome in judged]
    assert found["brier"] == pytest.approx(np.mean(squares))
    assert found["calibration_error"] == pytest.approx(_expected_calibration_error(judged, CHANCES))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6))
def test_measures_of_any_counts(cells: list[tuple[int, int, int]]) -> None:
    counts = np.array(cells, dtype=float).T
    counts[0, 0] += 1
    rng = np.random.default_rng(len(cells))
    chances = rng.dirichlet(np.ones(3), counts.shape[1]).T
    judged = _one_by_one(counts)
    found = prediction_scores.measure(counts, chances, prediction_scores.most_probable(chances))
    assert found["calibration_error"] == pytest.approx(_expected_calibration_error(judged, chances))
    assert found["accuracy"] == pytest.approx(
        np.mean([np.argmax(chances[:, pair]) == outcome for pair, outcome in judged])
    )


def test_what_was_held_impossible_counts_as_the_floor() -> None:
    counts, chances = np.array([[0.0], [1.0], [0.0]]), np.array([[1.0], [0.0], [0.0]])
    found = prediction_scores.measure(counts, chances, chances)
    assert found["log_loss"] == pytest.approx(-log(prediction_scores.FLOOR))
    assert found["brier"] == 2.0


def test_reliability_has_sum_of_chances_how_often_they_came_true_and_number() -> None:
    bins = prediction_scores.reliability(COUNTS, CHANCES)
    assert bins[2].sum() == 3 * COUNTS.sum()
    assert bins[1].sum() == COUNTS.sum()
    assert bins[:, 9].tolist() == [0.9 * 4, 2.0, 4.0]  # the last bin: one chance of 0.9, four judgments, two came true
    assert (
        prediction_scores.calibration_error(bins)
        == prediction_scores.measure(COUNTS, CHANCES, PREDICTED)["calibration_error"]
    )


def test_equally_probable_outcomes_share_a_prediction() -> None:
    assert prediction_scores.most_probable(np.array([[0.4, 0.5], [0.2, 0.2], [0.4, 0.3]])).T.tolist() == [
        [0.5, 0, 0.5],
        [1, 0, 0],
    ]


def test_references_by_hand() -> None:
    training = np.array([[6.0, 0.0], [2.0, 0.0], [2.0, 0.0]])  # a fifth ties
    held_out = np.array([[3.0, 0.0], [1.0, 2.0], [0.0, 2.0]])
    found = references(training, held_out)
    assert found[CONSTANT].T.tolist() == pytest.approx(np.array([[0.4, 0.2, 0.4]] * 2))
    assert found[FREQUENCIES][:, 0] == pytest.approx(np.array([6 + 0.6, 2 + 0.3, 2 + 0.6]) / 11.5)
    assert found[FREQUENCIES][:, 1] == pytest.approx(np.array([0.4, 0.2, 0.4]))  # never met: the constant
    bound = prediction_scores.measure(held_out, found[BOUND], prediction_scores.most_probable(found[BOUND]))
    assert bound["accuracy"] == pytest.approx((3 + 2) / 8)
    entropy = -(3 * log(3 / 4) + log(1 / 4) + 4 * log(1 / 2)) / 8
    assert bound["log_loss"] == pytest.approx(entropy)
    assert bound["calibration_error"] == pytest.approx(0.0)
    constant = prediction_scores.measure(held_out, found[CONSTANT], prediction_scores.most_probable(found[CONSTANT]))
    assert constant["accuracy"] == pytest.approx((3 + 2) / 2 / 8)  # without knowledge, each side half the time
    one_pair = references(training, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))[BOUND]
    assert np.all(np.isfinite(one_pair))
