"""Short forms and adaptive items: forecasts against direct sums, choices against all others, and the promised error."""

import json

import numpy as np
import pytest
from scipy import special

import betterthan as bt
from betterthan.verbs.items.item_curves import ItemCurves
from betterthan.verbs.items.item_response import calibrate, fit_items
from tests.scripts import load_script

WORLDS = load_script("benchmarks/short_form_worlds.py", "short_form_worlds")


def _curves() -> ItemCurves:
    ability = np.linspace(-4, 4, 41)
    weight = np.exp(-(ability**2) / 2)
    hard, sharp = np.array([[-1.0], [0.0], [0.5], [1.0], [2.0]]), np.array([[0.5], [2.0], [1.0], [1.5], [0.3]])
    return ItemCurves(ability, weight / weight.sum(), special.expit(sharp * (ability - hard)))


def test_a_forecast_is_the_posterior_mean() -> None:
    """Against a sum over all answers to the items that were not asked for."""
    curves = _curves()
    answers = np.array([1.0, np.nan, 0.0, np.nan, np.nan])
    like = curves.weight * curves.chance[0] * (1 - curves.chance[2])
    weight = like / like.sum()
    mean = square = 0.0
    for code in range(8):
        others = np.array([code >> place & 1 for place in range(3)])
        chance = np.prod(np.where(others[:, None], curves.chance[[1, 3, 4]], 1 - curves.chance[[1, 3, 4]]), axis=0)
        share, probability = (1 + others.sum()) / 5, float(weight @ chance)
        mean, square = mean + probability * share, square + probability * share**2
    found = curves.forecast(answers)
    assert found.right == pytest.approx(mean)
    assert found.deviation == pytest.approx((square - mean**2) ** 0.5)
    assert curves.forecast(np.array([1.0, 1, 0, 1, 0])).right == pytest.approx(0.6)
    assert curves.forecast(np.array([1.0, 1, 0, 1, 0])).deviation == pytest.approx(0.0, abs=1e-9)


def test_the_first_item_lowers_the_variance_most() -> None:
    curves = _curves()
    slope = np.gradient(curves.chance, curves.ability, axis=1)
    noise = curves.chance * (1 - curves.chance)
    before = 1 / float(curves.weight @ curves.ability**2)
    left = [
        float(np.sum(curves.weight * slope.mean(axis=0) ** 2 / (before + slope[item] ** 2 / noise[item])))
        - float(noise[item] @ curves.weight) / 25
        for item in range(5)
    ]
    order = curves.best(5)
    assert order[0] == np.argmin(left)
    assert sorted(order.tolist()) == [0, 1, 2, 3, 4]
    assert curves.best(2, asked=order[:1])[0] != order[0]


def test_a_calibration_is_the_fit_without_its_errors() -> None:
    rng = np.random.default_rng(0)
    chance = special.expit(rng.normal(size=6) - rng.normal(size=(200, 1)))
    values = (rng.random((200, 6)) < chance).astype(float)
    fit, found = fit_items(values, two=True), calibrate(values, two=True)
    assert found.ability - found.ability.mean() == pytest.approx(fit.ability, abs=0.01)
    assert found.chances(found.ability).mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.02)


def test_short_forms_are_twice_as_good_as_chance() -> None:
    """The quick form of `benchmarks/run.py short-forms`: one matrix of 400 items × 40 systems, ten left out in turn."""
    half, own, double = WORLDS.simulated("2PL, difficulties 1", 0)
    assert [each["items"] for each in (half, own, double)] == [20, 40, 80]
    assert own["error"] <= 0.042
    assert double["error"] <= 0.031
    assert own["error"] < 0.75 * own["random"]
    assert double["error"] < 0.85 * double["random"]
    assert own["covered"] >= 0.85
    assert own["low"] < own["error"] < own["high"]


def test_adaptive_intervals_cover() -> None:
    covered = [WORLDS.adaptive(seed, steps=10, items=60) for seed in range(12)]
    assert sum(covered) >= 9


def test_what_is_shown() -> None:
    columns = WORLDS.matrix("2PL, difficulties 1", 3, items=60, systems=10)
    found = bt.short_form(columns, 12, folds=2)
    assert found.verdict.startswith("12 of 60 items give the share of right answers on all of them within 0.")
    assert len(json.loads(found.to_json())["chosen"]) == 12
    assert len(set(found.columns()["item"])) == 12
    assert all(len(line) <= 80 for line in found.to_text(80).split("\n") if not line.startswith("betterthan "))
    assert "2 more: write all of them with -o items.csv." in found.to_text()
    columns["s00"] = [None] * 58 + [1, 0]
    asked = bt.next_item(columns, "s00")
    assert (asked.answered, asked.of_items, asked.systems) == (2, 60, 9)
    assert asked.verdict.startswith(f"Next item: {asked.next[0].item}. s00 is forecast to be right on a share of ")
    assert not {"i058", "i059"} & {each.item for each in asked.next}
    all_done = bt.next_item(WORLDS.matrix("2PL, difficulties 1", 3, items=60, systems=10), "s00")
    assert all_done.verdict.startswith("No item is left. s00 is forecast to be right on a share of ")
    assert all_done.right.low == pytest.approx(all_done.right.known)


def test_missing_answers_are_no_wrong_ones() -> None:
    columns = WORLDS.matrix("2PL, difficulties 1", 4, items=80, systems=10)
    columns["s03"] = [None if place % 2 else each for place, each in enumerate(columns["s03"])]
    found = bt.short_form(columns, 20, folds=5)
    assert found.errors[1].error.known < 0.15


@pytest.mark.parametrize(
    ("short", "folds", "message"),
    [
        (60, 5, "short=60 is no choice, because there are 60 items. Ask for fewer."),
        (20, 11, "folds=11 is more than the 10 systems. Ask for fewer."),
    ],
)
def test_impossible_forms_are_refused(short: int, folds: int, message: str) -> None:
    columns = WORLDS.matrix("2PL, difficulties 1", 3, items=60, systems=10)
    with pytest.raises(bt.PlanError) as refusal:
        bt.short_form(columns, short, folds=folds)
    assert str(refusal.value) == message
    few = {name: columns[name] for name in ("item", "s00", "s01", "s02")}
    with pytest.raises(bt.PlanError, match="a short form needs 5 systems or more, and there are 3"):
        bt.short_form(few, 10)
