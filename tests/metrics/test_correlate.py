"""Metrics against people: correlations by SciPy, calibrated ties by trying every threshold, tests by listing all swaps."""

from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import betterthan as bt
from betterthan.verbs.correlate import metric_correlation
from betterthan.verbs.correlate.perm_both import perm_both
from betterthan.verbs.correlate.true_qualities import NoisyMeans, TrueQualities

SYSTEMS = metric_correlation.OF_SYSTEMS
SCORES = st.integers(2, 6).flatmap(
    lambda items: st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=4, max_size=4),
        min_size=items,
        max_size=items,
    )
)


def _two(cells: list[list[tuple[int, int]]]) -> metric_correlation.TwoMetrics:
    values = np.array(cells, dtype=float)
    return metric_correlation.TwoMetrics.of(values[..., 0], values[..., 1])


def _accuracy_at(two: metric_correlation.TwoMetrics, threshold: float) -> float:
    """Return the mean over items of the share of right pairs, with ties up to a threshold."""
    shares = []
    for one, other in zip(two.one, two.other, strict=True):
        right = []
        for first, second in combinations(range(len(one)), 2):
            gap = one[first] - one[second]
            sign = 0 if abs(gap) <= threshold else np.sign(gap)
            right.append(sign == np.sign(other[first] - other[second]))
        shares.append(np.mean(right))
    return float(np.mean(shares))


@given(SCORES)
def test_calibrated_ties_are_the_best_of_all_thresholds(cells: list[list[tuple[int, int]]]) -> None:
    two = _two(cells)
    best = max(_accuracy_at(two, threshold) for threshold in range(6))
    pairs = metric_correlation.ItemPairs.of(two)
    assert pairs.measures(np.ones((len(cells), 1)))[1, 0] == pytest.approx(best)
    assert metric_correlation.of_items("item-accuracy", two) == pytest.approx(best)
    assert _accuracy_at(two, pairs.threshold) == pytest.approx(best)


def test_no_pair_need_be_tied() -> None:
    """Where all pairs are right and people tie none, every tie would be a mistake."""
    values = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 3.0]])
    two = metric_correlation.TwoMetrics.of(values, values)
    assert metric_correlation.of_items("item-accuracy", two) == pytest.approx(1.0)
    assert metric_correlation.ItemPairs.of(two).threshold == 0.0
    assert metric_correlation.ItemPairs.of(two).measures(np.ones((2, 1)))[1, 0] == pytest.approx(1.0)


@given(SCORES, st.data())
def test_measures_with_weights_are_those_of_repeated_items(
    cells: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(cells), max_size=len(cells)))
    if sum(weights) == 0:
        return
    two, repeated = _two(cells), _two([row for row, times in zip(cells, weights, strict=True) for _ in range(times)])
    column = np.array(weights, dtype=float)[:, None]
    found = two.of_systems(column)[:, 0]
    one, other = (values.mean(axis=0).round(10) for values in (repeated.one, repeated.other))
    if len(set(one)) > 1 and len(set(other)) > 1:
        expected = [
            stats.pearsonr(one, other).statistic,
            stats.spearmanr(one, other).statistic,
            stats.kendalltau(one, other).statistic,
        ]
        assert found[:3] == pytest.approx(expected, abs=1e-8)
    signs = [
        np.sign(values[first] - values[second])
        for values in (one, other)
        for first, second in combinations(range(4), 2)
    ]
    assert found[3] == pytest.approx(np.mean(np.array(signs[:6]) == np.array(signs[6:])))
    by_item = [
        stats.kendalltau(*row).statistic
        for row in zip(repeated.one, repeated.other, strict=True)
        if len(set(row[0])) > 1 and len(set(row[1])) > 1
    ]
    kendall, accuracy = metric_correlation.ItemPairs.of(two).measures(column)[:, 0]
    if by_item:
        assert kendall == pytest.approx(np.mean(by_item))
    assert accuracy == pytest.approx(max(_accuracy_at(repeated, threshold) for threshold in range(6)))


@pytest.mark.parametrize("measure", ["pearson", "kendall", "accuracy", "item-kendall", "item-accuracy"])
def test_random_swaps_are_those_of_all_swaps(measure: str) -> None:
    """Two items and three systems have 64 ways to swap cells."""
    rng = np.random.default_rng(4)
    human = rng.normal(size=(2, 3))
    one, two = human + rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    z = [(values - values.mean()) / values.std() for values in (one, two)]

    def gap(first: Any, second: Any) -> float:
        def agreement(values: Any) -> float:
            pair = metric_correlation.TwoMetrics(values, human)
            if measure.startswith("item"):
                return metric_correlation.of_items(measure, pair)
            return float(
                pair.of_systems(np.ones((2, 1)))[["pearson", "spearman", "kendall", "accuracy"].index(measure), 0]
            )

        return agreement(first) - agreement(second)

    observed = gap(*z)
    every = [
        abs(gap(np.where(swap, z[1], z[0]), np.where(swap, z[0], z[1])))
        for swap in (np.array(bits, dtype=bool).reshape(2, 3) for bits in product([0, 1], repeat=6))
    ]
    expected = np.mean(np.array(every) >= abs(observed) - 1e-12)
    found, test = perm_both(one, two, human, measure, 2000, np.random.default_rng(0))
    assert found == pytest.approx(observed)
    assert test.p == pytest.approx(expected, abs=0.05)


def test_peoples_scores_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    scored = bt.score("examples/outputs.jsonl", "chrf,wer", "examples/references.jsonl")
    found = bt.correlate(scored, "examples/ratings.csv", resamples=100)
    assert (found.human, [row.metric for row in found.rows]) == ("human", ["chrf", "wer"])
    columns, ratings = scored.columns(), (Path("examples") / "ratings.csv").read_text("utf-8").splitlines()[1:]
    rows = [line.split(",") for line in ratings]
    both = {
        name: [*columns[name], *(row[place] for row in rows)]
        for place, name in enumerate(["item", "system", "metric", "score"])
    }
    other = bt.correlate(bt.read_scores(both, lower_is_better=["wer"]), "human", resamples=100)
    assert [row.measures for row in other.rows] == [row.measures for row in found.rows]


def test_what_cannot_be_correlated_is_refused() -> None:
    scores = {"item": ["1"] * 4, "system": ["a", "b"] * 2, "metric": ["x", "x", "y", "y"], "score": [1, 2, 3, 4]}
    for given_, human, message in (
        (scores, "z", "only 2 systems have scores by all metrics. A correlation needs at least three."),
        (
            {"a": [1.5, 2], "b": [2, 1], "c": [3, 3]},
            None,
            "there is one metric only: the scores. Give scores of several metrics, named in a column (metric).",
        ),
        (
            [("a", "b", "left")],
            None,
            "metrics are correlated from scores, and this is judgments. Give scores of several metrics.",
        ),
    ):
        with pytest.raises(bt.BetterthanError) as refusal:
            bt.correlate(given_, human)
        assert str(refusal.value) == message
    three = {
        "item": ["1", "2"] * 6,
        "system": ["a", "a", "b", "b", "c", "c"] * 2,
        "metric": ["x"] * 6 + ["y"] * 6,
        "score": range(12),
    }
    with pytest.raises(bt.PlanError, match=r"there is no metric 'z'\. Known: x, y\."):
        bt.correlate(three, "z")


def test_intervals_hold_the_agreement_as_often_as_they_say() -> None:
    """Of 4,000 items as the population, samples of 60 are correlated."""
    rng = np.random.default_rng(8)
    human = np.linspace(0, 3, 6) + rng.normal(size=(4000, 6))
    metric = np.array([0, 2, 0.5, 3, 1.5, 2.5]) + 0.5 * human + rng.normal(size=(4000, 6))
    truth = metric_correlation.TwoMetrics.of(metric, human).of_systems(np.ones((4000, 1)))[0, 0]
    held = 0
    for _ in range(150):
        rows = rng.integers(4000, size=60)
        stacked = np.stack([human[rows], metric[rows]])
        metrics, items, systems = np.meshgrid(["human", "auto"], range(60), range(6), indexing="ij")
        columns = {"metric": metrics, "item": items, "system": systems, "score": stacked}
        found = bt.correlate(
            {name: values.ravel().tolist() for name, values in columns.items()}, "human", resamples=300
        )
        estimate = found["auto"].measures["pearson"]
        held += estimate.low <= truth <= estimate.high
    assert 0.9 <= held / 150 <= 0.985, held / 150


def _judged_texts() -> dict[str, list[Any]]:
    """Return scores of ten systems on 25 items by two metrics and by people; one metric sees quality, one hardly."""
    rng = np.random.default_rng(6)
    quality = np.linspace(-1.5, 1.5, 10)
    rows: dict[str, list[Any]] = {"metric": [], "instance": [], "system": [], "score": []}
    for metric, noise, weight in (("good", 0.3, 1.0), ("poor", 1.0, 0.05), ("human", 0.3, 1.0)):
        for item in range(25):
            for system in range(10):
                cells = (metric, f"i{item:02d}", f"S{system}", float(weight * quality[system] + rng.normal(0, noise)))
                for name, cell in zip(rows, cells, strict=True):
                    rows[name].append(cell)
    return rows


def test_metrics_against_people() -> None:
    rows = _judged_texts()
    found = bt.correlate(bt.read_scores(rows), "human", measure="kendall", resamples=200)
    cells = np.array(rows["score"]).reshape(3, 25, 10)
    good, poor, human = cells.mean(axis=1)
    for name, means in (("good", good), ("poor", poor)):
        row = found[name]
        assert (row.systems, row.items) == (10, 25)
        assert row.observed["pearson"] == pytest.approx(stats.pearsonr(means, human).statistic)
        assert row.observed["kendall"] == pytest.approx(stats.kendalltau(means, human).statistic, abs=1e-9)
        for measure, estimate in row.measures.items():
            if name == "good" or measure.startswith("item"):
                assert estimate.low <= estimate.value <= estimate.high
                assert estimate.low <= row.observed[measure] <= estimate.high
    (versus,) = found.versus
    difference = found[versus.a].observed["kendall"] - found[versus.b].observed["kendall"]
    assert {versus.a, versus.b} == {"good", "poor"}
    assert versus.difference == pytest.approx(difference)
    assert versus.p < 0.05
    assert "1 of 1 pairs of metrics differ significantly by kendall" in found.to_text()
    assert bt.correlate(bt.read_scores(rows), resamples=20).versus == ()


def _scores(metric: np.ndarray, human: np.ndarray) -> dict[str, list[Any]]:
    """Return scores (items × systems) by a metric and by people as a long table, without those that are missing."""
    metrics, items, systems = np.meshgrid(["auto", "human"], *map(range, metric.shape), indexing="ij")
    columns = {"metric": metrics, "item": items, "system": systems, "score": np.stack([metric, human])}
    there = ~np.isnan(columns["score"])
    return {name: values[there].tolist() for name, values in columns.items()}


def _noisy(seed: int, items: int, systems: int, spread: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Return a metric that measures quality exactly, up to noise, and people's scores, which are noisier."""
    rng = np.random.default_rng(seed)
    quality = spread * rng.normal(size=systems)
    hard = rng.normal(size=(items, 1))
    return quality + hard + 0.5 * rng.normal(size=(items, systems)), quality + hard + rng.normal(size=(items, systems))


def test_the_corrected_correlation_is_that_of_different_items() -> None:
    """A product of two different items' scores has no common noise: its mean over all pairs of items has no bias."""
    metric, human = _noisy(1, 12, 6, 2.0)

    def without_noise(one: np.ndarray, other: np.ndarray) -> float:
        pairs = [np.cov(one[i], other[j])[0, 1] for i in range(12) for j in range(12) if i != j]
        return float(np.mean(pairs))

    expected = without_noise(metric, human) / np.sqrt(without_noise(metric, metric) * without_noise(human, human))
    found = bt.correlate(_scores(metric, human), "human")["auto"]
    assert found.measures["pearson"].value == pytest.approx(min(expected, 1.0), abs=1e-9)
    assert found.observed["pearson"] == pytest.approx(stats.pearsonr(metric.mean(axis=0), human.mean(axis=0)).statistic)
    moments = NoisyMeans.of(metric_correlation.TwoMetrics.of(metric, human)).resampled(np.ones((12, 1)))[-3:, 0]
    assert moments == pytest.approx(
        [without_noise(metric, metric), without_noise(human, human), without_noise(metric, human)]
    )


def test_moments_have_no_bias_where_scores_are_missing() -> None:
    rng = np.random.default_rng(3)
    quality = np.array([0.0, 0.5, 1.0, 1.5])
    found = []
    for _ in range(400):
        human = quality + rng.normal(size=(20, 4))
        metric = np.where(rng.random((20, 4)) < 0.3, np.nan, quality[::-1] + human - quality + rng.normal(size=(20, 4)))
        two = metric_correlation.TwoMetrics.of(metric, human)
        found.append(NoisyMeans.of(two).resampled(np.ones((20, 1)))[-3:, 0])
    spread = float(np.var(quality, ddof=1))
    error = np.std(found, axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(np.mean(found, axis=0) - [spread, spread, -spread]) < 4 * error)


def test_qualities_are_drawn_from_their_normal_distribution_given_the_means() -> None:
    """Moments of all resamples are the same, so that the mean of the draws has a closed form."""
    noise_one, noise_other, variance, r = 0.2, 0.6, 1.0, 0.8
    one, other = np.array([-1.0, -0.2, 1.2]), np.array([0.3, -1.1, 0.8])
    centre = np.eye(3) - 1 / 3
    noise = np.kron(np.diag([noise_one, noise_other]), centre)
    moments = np.repeat([[variance], [variance], [r * variance]], 20_001, axis=1)
    given = TrueQualities(
        np.repeat(one[:, None], 20_001, axis=1), np.repeat(other[:, None], 20_001, axis=1), moments, noise, 50
    )
    drawn = np.concatenate(given._drawn(np.arange(1, 20_001), np.full(20_001, r), np.random.default_rng(0)))
    prior = variance * np.array([[1.0, r], [r, 1.0]])
    gain = prior @ np.linalg.inv(prior + np.diag([noise_one, noise_other]))
    expected = gain @ np.stack([one, other])
    assert drawn.mean(axis=1).reshape(2, 3) == pytest.approx(expected, abs=0.03)
    spread = np.kron(prior - gain @ prior, centre)
    assert np.cov(drawn) == pytest.approx(spread, abs=0.03)


def test_a_perfect_metric_may_be_perfect() -> None:
    """Noise keeps the observed correlation below 1, also in every resample; more items would give 1."""
    held, observed = 0, []
    for seed in range(12):
        found = bt.correlate(_scores(*_noisy(seed, 60, 8, 0.6)), "human", resamples=200)["auto"]
        held += all(found.measures[name].high == 1.0 for name in SYSTEMS)
        observed.append(found.observed["pearson"])
        assert found.measures["pearson"].low < 1.0
    assert held >= 11
    assert np.mean(observed) < 0.98


def test_systems_that_do_not_differ_have_no_true_order() -> None:
    rng = np.random.default_rng(2)
    found = bt.correlate(_scores(rng.normal(size=(40, 5)), rng.normal(size=(40, 5))), "human", resamples=200)
    row = found["auto"]
    assert all(row.measures[name].to_dict() == dict.fromkeys(("value", "low", "high")) for name in SYSTEMS)
    assert all(row.observed[name] is not None for name in metric_correlation.MEASURES)
    (finding,) = [each for each in found.findings if each.code == "indistinguishable"]
    assert finding.message == (
        "The scores do not show that systems differ by auto or human, so correlations of their true qualities are not "
        "given."
    )
    assert found.columns()["value"][:4] == [None] * 4


def test_metrics_that_do_not_vary_over_items_have_no_noise() -> None:
    quality = np.array([1.0, 2.0, 3.0, 5.0])
    found = bt.correlate(_scores(np.tile(quality, (30, 1)), np.tile(quality**2, (30, 1))), "human", resamples=100)
    row = found["auto"]
    assert row.measures["pearson"].value == pytest.approx(row.observed["pearson"], abs=1e-6)
    assert row.measures["kendall"].value == 1.0


def test_few_items_are_reported() -> None:
    codes = [each.code for each in bt.correlate(_scores(*_noisy(1, 12, 6, 2.0)), "human", resamples=100).findings]
    assert "few-units" in codes
