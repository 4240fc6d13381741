"""Uncertainty of metrics whose items have no score of their own, against closed forms and brute force."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import effective_size, randomisation
from betterthan.metrics import build_metric


def _areas(seed: int, size: int = 30, gap: float = 1.0) -> tuple[Any, Any, Any]:
    """Return truths and decision values of two systems, some of them equal."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(size) < 0.4).astype(float)
    truth[:4] = 0, 0, 1, 1
    one = np.round(gap * truth + rng.normal(size=size), 1)
    return truth, one, np.round(0.5 * one + gap * truth / 2 + rng.normal(size=size), 1)


def _components(truth: Any, value: Any) -> tuple[Any, Any]:
    """Compare every positive with every negative, as DeLong et al. (1988) define it."""
    order = np.sign(value[truth == 1][:, None] - value[truth == 0]) / 2 + 0.5
    return order.mean(axis=1), order.mean(axis=0)


@pytest.mark.parametrize("seed", range(5))
def test_areas_have_delong_s_covariance(seed: int) -> None:
    truth, one, two = _areas(seed)
    found = [build_metric("roc-auc").influence(np.stack([value, truth], axis=1)) for value in (one, two)]
    (a, b), (c, d) = _components(truth, one), _components(truth, two)
    covariance = np.cov(np.stack([a, c])) / len(a) + np.cov(np.stack([b, d])) / len(b)
    got = np.array([[np.sum(x.items * y.items) for x in found] for y in found])
    assert got == pytest.approx(covariance)
    gap = effective_size.difference_of(*found, np.arange(len(truth)))
    of_kinds = [np.var(x - y, ddof=1) / len(x) + 1 / 12 / len(x) ** 2 for x, y in ((a, c), (b, d))]
    assert gap.variance == pytest.approx(sum(of_kinds))
    numbers = (len(a) - 1, len(b) - 1)
    welch = sum(of_kinds) ** 2 / sum(part**2 / number for part, number in zip(of_kinds, numbers, strict=True))
    assert gap.freedom == pytest.approx(welch)


def _scored(metric: str, truth: Any, **values: Any) -> bt.Scored:
    columns = {name: np.asarray(each).tolist() for name, each in values.items()}
    return bt.score({**columns, "truth": np.asarray(truth).astype(int).tolist()}, metric, "truth", systems=list(values))


def test_a_comparison_of_areas_has_one_p_that_no_scale_changes() -> None:
    truth, one, two = _areas(7, 60)
    duel = bt.compare(_scored("roc-auc", truth, owl=one, yak=two))
    again = bt.compare(_scored("roc-auc", truth, owl=np.exp(one), yak=two))
    assert [test.name for test in duel.tests] == ["delong"]
    assert [effect.name for effect in duel.effects] == ["corpus_difference"]
    assert again.p == duel.p
    assert again.effects == duel.effects
    (a, b), (c, d) = _components(truth, one), _components(truth, two)
    error = np.sqrt(sum(np.var(x - y, ddof=1) / len(x) + 1 / 12 / len(x) ** 2 for x, y in ((a, c), (b, d))))
    statistic = (a.mean() - c.mean()) / error
    assert duel.tests[0].statistic == pytest.approx(statistic)
    freedom = float(duel.tests[0].note.split()[2])
    assert duel.p == pytest.approx(2 * stats.t.sf(abs(statistic), freedom), rel=0.01)
    effect = duel.effects[0]
    assert (effect.low > 0 or effect.high < 0) == (duel.p < 0.05)
    assert duel.to_latex().count("delong") == 1


def test_dependent_items_are_counted_by_their_group() -> None:
    """Every item twice has no more information than once."""
    truth, one, two = _areas(3, 60)
    single = randomisation.PairedParts(
        build_metric("roc-auc"), np.stack([one, truth], axis=1), np.stack([two, truth], axis=1), np.arange(60), False
    )
    twice = randomisation.PairedParts(
        single.metric,
        np.repeat(single.a, 2, axis=0),
        np.repeat(single.b, 2, axis=0),
        np.repeat(np.arange(60), 2),
        False,
    )
    assert twice.uncertainty.variance == pytest.approx(single.uncertainty.variance, rel=0.05)


@pytest.mark.parametrize("metric", ["f1", "mcc", "f1(average=micro)"])
def test_labels_have_the_influence_of_leaving_items_out(metric: str) -> None:
    """The score with an added item of every label, half of it right, and without one item after the other."""
    rng = np.random.default_rng(1)
    truth = rng.choice(3, 25, p=[0.6, 0.3, 0.1]).astype(float)
    said = np.where(rng.random(25) < 0.7, truth, rng.choice(3, 25).astype(float))
    made = build_metric(metric)
    found = made.influence(np.stack([said, truth], axis=1))

    def score(keep: Any) -> float:
        counts = [
            np.array([[float(np.sum(part[keep])) + added] for part in parts])
            for parts, added in (
                ([(said == label) & (truth == label) for label in range(3)], 0.5),
                ([said == label for label in range(3)], 1.0),
                ([truth == label for label in range(3)], 1.0),
            )
        ]
        return float(made.of_counts(*counts)[0])

    every = np.ones(25, dtype=bool)
    assert found.smoothed == pytest.approx(score(every))
    left_out = [score(np.arange(25) != place) for place in range(25)]
    assert found.items == pytest.approx(found.smoothed - np.array(left_out))


@pytest.mark.parametrize(
    ("metric", "output"), [("roc-auc", [0.1] * 9 + [0.9] * 9), ("f1", [0] * 9 + [1] * 9), ("mcc", [0] * 9 + [1] * 9)]
)
def test_perfect_scores_have_intervals_with_a_width(metric: str, output: list[float]) -> None:
    scored = _scored(metric, [0] * 9 + [1] * 9, owl=output, yak=output)
    board = bt.rank(scored).board
    assert [(row.score, row.high) for row in board] == [(1.0, 1.0)] * 2
    assert all(0.4 < row.low < 0.95 for row in board)
    duel = bt.compare(scored)
    assert duel.p == 1
    assert duel.effects[0].low < 0 < duel.effects[0].high


@pytest.mark.parametrize(("metric", "instead"), [("roc-auc", ""), ("f1", ", or score accuracy")])
def test_single_items_are_refused_with_a_remedy_that_works(metric: str, instead: str) -> None:
    truth, one, two = _areas(2)
    one, two = ((one > 0.5).astype(int), (two > 0.5).astype(int)) if metric == "f1" else (one, two)
    scored = _scored(metric, truth, owl=one, yak=two)
    assert [board.mechanism for board in bt.rank(scored, ci="none")] == ["corpus"]
    for model in ("mean", "bradley-terry"):
        with pytest.raises(bt.ModelError) as refusal:
            bt.rank(scored, model=model)
        assert str(refusal.value) == (
            f"{metric} is a score of the whole test set, so {model} cannot rank by single items. "
            f"Use model='corpus'{instead}."
        )
    assert bt.rank(scored, model="corpus", ci="none").board.rows
    if instead:
        assert bt.rank(_scored("accuracy", truth, owl=one, yak=two), model="mean", ci="none").board.rows
    with pytest.raises(bt.PlanError, match=r"single items cannot be compared by it. Leave out question='wins'\.$"):
        bt.compare(scored, question="wins")
    assert not bt.compare_all(_scored(metric, truth, owl=one, yak=two, elk=one)).omnibus


@pytest.mark.parametrize(("metric", "positives"), [("roc-auc", 0.2), ("f1", 0.05), ("mcc", 0.05)])
def test_intervals_near_a_bound_hold_the_truth(metric: str, positives: float) -> None:
    """Areas of 0.98, and labels of which one is rare: percentiles and BCa intervals covered 74 to 90 %."""
    rng, held, runs = np.random.default_rng(11), 0, 400
    made = build_metric(metric)
    chances = np.array([[0.98, 0.02], [0.3, 0.7]])
    cells = chances * np.array([[1 - positives], [positives]])
    if metric == "roc-auc":
        expected, bounds = float(stats.norm.cdf(3 / np.sqrt(2))), (0.0, 1.0)
    else:
        counts = [part[:, None] for part in (np.diag(cells), cells.sum(axis=0), cells.sum(axis=1))]
        expected, bounds = float(made.of_counts(*counts)[0]), made.bounds
    for _ in range(runs):
        truth = (rng.random(120) < positives).astype(float)
        truth[:2] = 0, 1
        said = 3 * truth + rng.normal(size=120)
        if metric != "roc-auc":
            said = (rng.random(120) < chances[truth.astype(int), 1]).astype(float)
        parts = np.stack([said, truth], axis=1)
        score = float(made.whole(parts, np.ones((120, 1)))[0])
        low, high = effective_size.score_interval(score, made.influence(parts), np.arange(120), bounds, 0.95)
        assert bounds[0] <= low <= score <= high <= bounds[1]
        held += low <= expected <= high
    assert held / runs >= 0.93
