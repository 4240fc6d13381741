"""More runs or more items: what a difference varies by, and what other numbers would detect."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import Estimate, RunVariance
from betterthan.verbs.power.run_plan import RunPlan


def _world(
    items: int, runs: tuple[int, int], sds: tuple[float, float, float], rng: np.random.Generator, shift: float = 0.0
) -> bt.Scores:
    """Return scores whose difference varies by these standard deviations: items, runs, single answers."""
    of_item, of_run, rest = (sd / np.sqrt(2) for sd in sds)
    rows: dict[str, list[Any]] = {"item": [], "system": [], "seed": [], "score": []}
    shared = rng.normal(0, 1, items)
    for system, number, add in (("new", runs[0], shift), ("old", runs[1], 0.0)):
        own = shared + rng.normal(0, of_item, items) + add
        for run in range(number):
            rows["item"] += range(items)
            rows["system"] += [system] * items
            rows["seed"] += [run] * items
            rows["score"] += (own + rng.normal(0, of_run) + rng.normal(0, rest, items)).tolist()
    return bt.read(rows, repeat="seed")


def _variance(scores: bt.Scores) -> RunVariance:
    repeats = scores.tables[0].repeats
    assert repeats is not None
    found = RunVariance.of(repeats, 0, 1, 0.95, 0)
    assert found is not None
    return found


def test_components_are_those_of_mean_squares() -> None:
    scores = _world(12, (3, 4), (1, 0.5, 0.7), np.random.default_rng(1))
    repeats = scores.tables[0].repeats
    assert repeats is not None
    run = rest = between = 0.0
    means = []
    for system, number in ((0, 3), (1, 4)):
        table = repeats.value[repeats.system == system].reshape(12, number)
        rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
        error = sum((table[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(12) for j in range(number)) / (
            11 * (number - 1)
        )
        run += (12 * np.var(columns, ddof=1) - error) / 12
        rest += error
        between -= error / number
        means.append(rows)
    between += np.var(means[0] - means[1], ddof=1)
    found = _variance(scores)
    assert found.run.known**2 == pytest.approx(max(run, 0))
    assert found.rest.known**2 == pytest.approx(rest)
    assert found.item.known**2 == pytest.approx(max(between, 0))
    assert (found.items, found.runs) == (12, 3.5)


@pytest.mark.parametrize("sds", [(1.0, 0.3, 0.7), (0.5, 0.0, 0.7)])
def test_intervals_hold_the_truth(sds: tuple[float, float, float]) -> None:
    """94 to 97 % of 400 data sets did; fewer than 80 of 100 are seen once in a million runs at 94 %."""
    hits = np.zeros(3)
    for seed in range(100):
        found = _variance(_world(50, (3, 3), sds, np.random.default_rng(seed)))
        ends = [(each.low or 0.0, each.high or 0.0) for each in (found.item, found.run, found.rest)]
        hits += [low <= sd <= high for (low, high), sd in zip(ends, sds, strict=True)]
    assert np.all(hits >= stats.binom.ppf(1e-6, 100, 0.94))


def test_plans_reach_their_power_in_compare() -> None:
    """The number of items that a plan asks for shows the difference about as often as it says."""
    sds, runs, shift = (1.0, 0.2, 0.7), 4, 0.4
    variance = RunVariance(*(Estimate(sd, None, None) for sd in sds), items=50, runs=runs)
    items = RunPlan(variance, runs, 0.8, 0.95).needed(shift)
    assert items == 134
    found = [
        bt.compare(_world(items, (runs, runs), sds, np.random.default_rng(seed), shift), "new", "old").shown
        for seed in range(60)
    ]
    assert stats.binom.ppf(0.001, 60, 0.8) <= found.count("better") <= stats.binom.ppf(0.999, 60, 0.85)


def test_designs_are_compared_and_the_cheapest_is_named() -> None:
    scores = _world(60, (3, 3), (0.3, 0.2, 0.9), np.random.default_rng(3))
    plan = bt.power(scores, "new", "old", difference=0.25, costs={"item": "10", "answer": "0.1"})
    assert plan.unit == "item+run"
    assert plan.variance is not None
    by_name = {each.what: each for each in plan.designs}
    assert (by_name["available"].items, by_name["available"].runs) == (60, 3)
    assert by_name["available"].smallest == pytest.approx(plan.smallest)
    assert by_name["available"].cost == 60 * (10 + 2 * 3 * 0.1)
    assert by_name["twice the runs"].smallest < by_name["available"].smallest
    # With ever more items only runs vary, and fewer degrees of freedom are left.
    assert by_name["any number of items"].smallest <= 1.02 * by_name["twice the items"].smallest
    cheapest = by_name["cheapest"]
    assert cheapest.items is not None
    assert cheapest.runs is not None
    assert cheapest.smallest <= 0.25 * 1.01
    # No plan of the same runs or of others is cheaper, by brute force over runs.
    best = min(
        number * (10 + 2 * runs * 0.1)
        for runs in range(2, 51)
        if (number := RunPlan(plan.variance, runs, 0.8, 0.95).needed(0.25)) is not None
    )
    assert cheapest.cost == pytest.approx(best)
    assert "Twice the runs" in plan.to_text()


@pytest.mark.parametrize("costs", [{"item": "1"}, {"item": "1", "answer": "0"}, {"item": "x", "answer": "1"}])
def test_costs_must_say_both(costs: dict[str, str]) -> None:
    with pytest.raises(
        bt.PlanError, match=r"costs must say what an item and an answer cost, such as item=2,answer=0\.05"
    ):
        bt.power(_world(9, (2, 2), (1, 1, 1), np.random.default_rng(0)), "new", "old", costs=costs)


def test_costs_are_for_runs() -> None:
    with pytest.raises(bt.PlanError, match="costs is for scores of several runs"):
        bt.power({"new": [1, 2, 3, 5], "old": [2, 1, 2, 2]}, "new", "old", costs={"item": "1", "answer": "1"})


def test_runs_that_differ_as_a_whole_are_a_finding() -> None:
    """More than single answers do, that is: where there is no effect of runs, one of forty shows some."""
    lucky = bt.compare(_world(100, (3, 3), (1.0, 0.5, 0.7), np.random.default_rng(0)), "new", "old")
    found = next(finding for finding in lucky.findings if finding.code == "runs-vary")
    assert found.message.startswith("Whole runs differ by more than single answers do: between runs, the difference")
    plain = [
        bt.compare(_world(60, (3, 3), (1.0, 0.0, 0.7), np.random.default_rng(seed)), "new", "old").findings
        for seed in range(40)
    ]
    named = sum("runs-vary" in {finding.code for finding in findings} for findings in plain)
    assert named <= stats.binom.ppf(0.999, 40, 0.05)
