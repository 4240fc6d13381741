"""Two systems on several tasks: each as compare does, and overall with the level that it states."""

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import task_mean
from betterthan.inference.tests.paired_tests import Differences


def _long(scores: dict[str, np.ndarray[Any, Any]]) -> dict[str, list[Any]]:
    """Return long scores of two systems on every task, items × systems each."""
    table: dict[str, list[Any]] = {"task": [], "item": [], "system": [], "score": []}
    for task, values in scores.items():
        for item, row in enumerate(values):
            for system, score in zip(("owl", "yak"), row, strict=True):
                for name, value in zip(table, (task, str(item), system, float(score)), strict=True):
                    table[name].append(value)
    return table


def test_tasks_are_compared_as_by_themselves() -> None:
    rng = np.random.default_rng(3)
    scores = {task: rng.normal(size=(40, 2)) + np.array([shift, 0]) for task, shift in (("x", 1.5), ("y", 0.0))}
    found = bt.compare_tasks(_long(scores), "owl", "yak")
    for task in found.tasks:
        values = scores[task.dataset]
        alone = bt.compare({"owl": values[:, 0].tolist(), "yak": values[:, 1].tolist()}, "owl", "yak")
        assert task.p == pytest.approx(alone.p)
        assert task.difference.value == pytest.approx(alone.mean_difference)
    smallest, other = sorted(found.tasks, key=lambda each: each.p)
    assert smallest.p_adjusted == pytest.approx(2 * smallest.p)
    assert (smallest.shown, other.shown) == ("better", None)
    assert found.overall[0].difference.value == pytest.approx(np.mean([each.difference.value for each in found.tasks]))
    assert found.overall[0].shown == "better"
    assert found.verdict.startswith(
        "owl is better than yak overall on score, on these 2 tasks (mean difference over tasks"
    )
    document = json.loads(found.to_json())
    assert [each["dataset"] for each in document["tasks"]] == ["x", "y"]
    assert bt.compare_tasks(_long(scores), "yak", "owl").overall[0].shown == "worse"
    assert "95 % confidence interval by item" in found.verdict
    with pytest.raises(bt.PlanError, match="tasks are compared by the mean score, not by question='wins'"):
        bt.compare_tasks(_long(scores), "owl", "yak", question="wins")


def _differences(values: np.ndarray, group: np.ndarray) -> Differences:
    return Differences(values, np.zeros(len(values)), group)


def test_one_task_is_a_t_test() -> None:
    values = np.random.default_rng(0).normal(0.2, 1, 30)
    difference, p = task_mean.overall([task_mean.TaskMean.of(_differences(values, np.arange(30)))], 0.95)
    expected = stats.ttest_1samp(values, 0.0)
    assert p == pytest.approx(expected.pvalue)
    assert (difference.low, difference.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_equal_systems_differ_overall_as_rarely_as_the_level_says() -> None:
    rng = np.random.default_rng(1)
    alarms, covered, runs = 0, 0, 400
    for _ in range(runs):
        # Right and wrong answers of two equal systems, on tasks of different size and difficulty.
        scores = {
            f"t{k}": (rng.random((size, 2)) < p).astype(float)
            for k, (size, p) in enumerate([(20, 0.9), (60, 0.5), (100, 0.7)])
        }
        means = [task_mean.TaskMean.of(Differences(*values.T, np.arange(len(values)))) for values in scores.values()]
        difference, p = task_mean.overall(means, 0.95)
        assert difference.low is not None
        assert difference.high is not None
        assert p is not None
        alarms += p <= 0.05
        covered += difference.low <= 0 <= difference.high
        assert (p <= 0.05) == (not difference.low <= 0 <= difference.high)
    assert alarms / runs <= 0.075
    assert covered / runs >= 0.925


def test_groups_of_items_are_dependent_overall() -> None:
    rng = np.random.default_rng(2)
    values, group = np.repeat(rng.normal(size=20), 10), np.repeat(np.arange(20), 10)
    alone, together = (
        task_mean.TaskMean.of(_differences(values, np.arange(200))),
        task_mean.TaskMean.of(_differences(values, group)),
    )
    assert together.freedom == pytest.approx(19)
    assert together.variance == pytest.approx(10 * alone.variance * (20 / 19) / (200 / 199))
