"""Boards by two factors: margins, the interaction against Student's test, and the best level without its luck."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from tests.scripts import load_script

WORLDS = load_script("benchmarks/factor_worlds.py", "factor_worlds")
Matrix = np.ndarray[Any, Any]


def _rows(values: Matrix) -> dict[str, list[Any]]:
    every = list(np.ndindex(*values.shape))
    return {
        "item": [f"i{item:02}" for item, _, _ in every],
        "model": [f"m{model}" for _, model, _ in every],
        "prompt": [f"p{prompt}" for _, _, prompt in every],
        "score": values.ravel().tolist(),
    }


def _found(values: Matrix, **reading: Any) -> bt.FactorBoards:
    return bt.rank_factors(bt.read(_rows(values), system="model", judge="prompt", **reading), resamples=200)


def test_margins_are_means_over_the_other_factor() -> None:
    values = np.random.default_rng(0).normal(size=(20, 3, 4)) + np.arange(3)[:, None] + 0.3 * np.arange(4)
    found = _found(values)
    assert [row.score for row in found.by_system.rows] == pytest.approx(sorted(values.mean(axis=(0, 2)))[::-1])
    assert {row.system: row.score for row in found.by_level.rows} == pytest.approx(
        {f"p{place}": mean for place, mean in enumerate(values.mean(axis=(0, 1)))}
    )
    assert [each.score for each in found.cells] == pytest.approx(values.mean(axis=0).ravel().tolist())
    assert found.factors == ("model", "prompt")
    assert found.random
    assert "for prompts like these: m2 ranks first" in found.verdict
    fixed = _found(values, fixed=["judge"])
    assert not fixed.random
    assert "on these 4 prompts: m2 ranks first" in fixed.verdict


def test_two_by_two_is_a_t_test() -> None:
    """The interaction of two models and two prompts is the difference of differences."""
    values = np.random.default_rng(1).normal(size=(25, 2, 2))
    values[:, 0, 0] += 0.9
    found = _found(values)
    gap = values[:, 0, 0] - values[:, 0, 1] - values[:, 1, 0] + values[:, 1, 1]
    test = stats.ttest_1samp(gap, 0)
    assert found.cells[0].interaction.value == pytest.approx(gap.mean() / 4)
    assert test.pvalue - 0.006 <= found.p <= min(4 * test.pvalue, 1)
    low, high = test.confidence_interval(0.95)
    ends = found.cells[0].interaction.low, found.cells[0].interaction.high
    assert ends[0] <= low / 4 + 0.01
    assert ends[1] >= high / 4 - 0.01


def test_an_interaction_is_named() -> None:
    values = np.random.default_rng(2).normal(size=(50, 3, 3))
    values[:, 2, 1] -= 1.5
    found = _found(values)
    assert found.p < 0.01
    assert found.verdict.endswith("most of all, m2 is worse with p1 than elsewhere.")
    less = {"lower_is_better": ["score"]}
    turned = _found(-values, **less)
    assert turned.p == pytest.approx(found.p, abs=0.01)


def test_the_best_level_is_scored_on_other_items() -> None:
    values = np.random.default_rng(3).normal(size=(30, 2, 6))
    found = _found(values)
    for each, cells in zip(found.best, values.mean(axis=0), strict=True):
        assert each.seen == pytest.approx(cells.max())
        assert each.level == f"p{int(cells.argmax())}"
        assert each.score.known < each.seen
        assert each.score.low < each.seen < each.score.high
    certain = values + 5.0 * (np.arange(6) == 4)
    for each, own in zip(_found(certain).best, certain[:, :, 4].T, strict=True):
        assert each.score.value == pytest.approx(own.mean())
        error = own.std(ddof=1) / 30**0.5
        assert (
            stats.t.ppf(0.975, 29) * error < each.score.high - each.seen < 1.1 * stats.t.ppf(1 - 0.025 / 6, 29) * error
        )


def test_interactions_that_are_not_there_are_seldom_found() -> None:
    """The quick form of `benchmarks/run.py factors`."""
    found = WORLDS.simulated("15 items, 2 × 3", 0, 25)
    assert found["interactions"] <= stats.binom.ppf(0.999, 25, 0.06)
    assert found["best"] - found["covered"] <= stats.binom.ppf(0.999, 50, 0.06)
    assert found["seen"] / found["best"] > 0.1  # the simulation can fail: the best of three looks better than it is


def test_what_has_no_factors_is_refused() -> None:
    values = np.random.default_rng(4).normal(size=(6, 2, 2))
    with pytest.raises(bt.PlanError, match="factors need scores of every item by both factors"):
        bt.rank_factors({"owl": [1.0, 2, 3], "yak": [2.0, 2, 1]})
    with pytest.raises(bt.PlanError, match="factors are ranked by mean scores, so model='median' has no effect"):
        bt.rank_factors(bt.read(_rows(values), system="model", judge="prompt"), model="median")
    rows = _rows(values)
    kept = [
        place
        for place, (model, prompt) in enumerate(zip(rows["model"], rows["prompt"], strict=True))
        if (model, prompt) != ("m1", "p1")
    ]
    lacking = {name: [column[place] for place in kept] for name, column in rows.items()}
    with pytest.raises(bt.PlanError, match="factors need items that have scores of all combinations"):
        bt.rank_factors(bt.read(lacking, system="model", judge="prompt"))


def test_less_is_better_turns_the_verdict_on_an_interaction() -> None:
    """The same scores as losses: where a model had more than elsewhere, it is worse there."""
    rng = np.random.default_rng(3)
    rows = [
        {"model": model, "prompt": prompt, "item": item, "score": rng.normal() + 3 * (model == "owl" and prompt == "a")}
        for item in range(80)
        for model in ("owl", "yak", "elk")
        for prompt in ("a", "b", "c")
    ]
    more, less = (
        bt.rank_factors(bt.read(rows, system="model", judge="prompt", lower_is_better=turned), resamples=100).verdict
        for turned in (False, True)
    )
    assert "owl is better with a" in more
    assert "owl is worse with a" in less
