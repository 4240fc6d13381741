"""Errors, intervals and tests of fits: how often they are wrong where judgments are dependent or weighted."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import betterthan as bt

Columns = dict[str, list[Any]]


def judged(
    rng: np.random.Generator, *, items: int = 40, judges: int = 30, item_sd: float = 0.0, judge_sd: float = 0.0
) -> Columns:
    """Return 30 judgments of each item by judges, of four equal systems; items and judges have effects of their own."""
    number = items * 30
    item, judge = np.repeat(np.arange(items), 30), rng.integers(judges, size=number)
    left = rng.integers(4, size=number)
    right = (left + rng.integers(1, 4, size=number)) % 4
    of_items, of_judges = item_sd * rng.normal(size=(items, 4)), judge_sd * rng.normal(size=(judges, 4))
    gap = of_items[item, left] - of_items[item, right] + of_judges[judge, left] - of_judges[judge, right]
    drawn = rng.random(number) * (np.exp(gap / 2) + np.exp(-gap / 2) + 0.3)
    outcome = np.where(drawn < np.exp(gap / 2), "a", np.where(drawn < np.exp(gap / 2) + 0.3, "tie", "b"))
    names = np.array(list("ABCD"))
    columns = {"left": names[left], "right": names[right], "outcome": outcome}
    found: Columns = {name: values.tolist() for name, values in columns.items()}
    found["side"] = rng.integers(2, size=number).tolist()
    if item_sd or not judge_sd:
        found["item"] = [f"i{place}" for place in item]
    if judge_sd:
        found["judge"] = [f"j{place}" for place in judge]
    return found


def alarms(runs: int, work: Callable[[np.random.Generator], list[float | None]], seed: int = 0) -> float:
    """Return the share of p-values below 5 % where nothing is to be found."""
    found = [p for run in range(runs) for p in work(np.random.default_rng((seed, run)))]
    assert None not in found
    return float(np.mean([p < 0.05 for p in found if p is not None]))


CASES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "items": ({"item_sd": 0.7}, {}, "item"),
    "judges": ({"judge_sd": 0.7}, {}, "judge"),
    "10 judges": ({"judge_sd": 0.7, "judges": 10}, {}, "judge"),
    "5 judges": ({"judge_sd": 0.7, "judges": 5}, {}, "judge"),
    "both": ({"item_sd": 0.7, "judge_sd": 0.7}, {"unit": "item+judge"}, "item+judge"),
    "both, 10 judges": ({"item_sd": 0.7, "judge_sd": 0.7, "judges": 10}, {"unit": "item+judge"}, "item+judge"),
    "both, 5 judges": ({"item_sd": 0.7, "judge_sd": 0.7, "judges": 5}, {"unit": "item+judge"}, "item+judge"),
}


@pytest.mark.parametrize("case", CASES)
def test_equal_systems_differ_in_one_of_twenty_cases(case: str) -> None:
    assert _alarms_of(case, 20) <= 0.12


@pytest.mark.parametrize("case", CASES)
def test_many_equal_systems_differ_in_one_of_twenty_cases(case: str) -> None:
    assert 0.03 <= _alarms_of(case, 250) <= 0.07


def _alarms_of(case: str, runs: int) -> float:
    world, choices, unit = CASES[case]

    def work(rng: np.random.Generator) -> list[float | None]:
        model = bt.fit(judged(rng, **world), **choices)
        assert model.unit == unit
        return [model[system].p for system in "ABC"]

    return alarms(runs, work)


def test_independent_errors_would_be_wrong_much_more_often() -> None:
    def work(rng: np.random.Generator) -> list[float | None]:
        return [bt.fit(judged(rng, item_sd=0.7), unit="row")[system].p for system in "ABC"]

    assert alarms(20, work) > 0.15


def test_many_judges_of_whom_few_gave_most_judgments_are_few() -> None:
    names, often = np.array(list("ABCD")), 1 / np.arange(1, 3001) ** 1.1

    def work(rng: np.random.Generator) -> list[float | None]:
        judge = rng.choice(3000, size=6000, p=often / often.sum())
        left = rng.integers(4, size=6000)
        right = (left + rng.integers(1, 4, size=6000)) % 4
        taste = rng.normal(size=(3000, 4))
        won = rng.random(6000) < 1 / (1 + np.exp(taste[judge, right] - taste[judge, left]))
        columns = {"left": names[left], "right": names[right], "outcome": np.where(won, "a", "b"), "judge": judge}
        model = bt.fit({name: values.tolist() for name, values in columns.items()}, unit="judge")
        assert (model["A"].df or 0) < 100
        return [model[system].p for system in "ABC"]

    assert alarms(30, work) <= 0.09


@pytest.mark.parametrize("judges", [12, 30])
def test_nested_models_differ_in_one_of_twenty_cases(judges: int) -> None:
    def work(rng: np.random.Generator) -> list[float | None]:
        columns = judged(rng, judge_sd=0.7, judges=judges)
        kind = rng.permutation(judges) % 2  # two kinds of judges, who do not differ
        columns["kind"] = [f"k{kind[int(name[1:])]}" for name in columns["judge"]]
        test = bt.lr_test(bt.fit(columns), bt.fit(columns, subject="~ kind"))
        assert test.name == "Wald test with robust covariance, F"
        return [test.p]

    assert 0.02 <= alarms(200, work) <= 0.08


def test_the_unit_is_that_of_the_data() -> None:
    columns = judged(np.random.default_rng(1), item_sd=0.5, judge_sd=0.5)
    by_item = {name: values for name, values in columns.items() if name != "judge"}
    model = bt.fit(by_item)
    assert (model.unit, model.clusters, model.settings.unit) == ("item", {"item": 40}, "item")
    assert "unit:item" in str(model.signature)
    document = model.to_dict()
    assert (document["unit"], document["clusters"]) == ("item", {"item": 40})
    plain = {name: values for name, values in by_item.items() if name != "item"}
    assert (bt.fit(plain).unit, bt.fit(plain).clusters) == ("row", {})
    assert bt.fit(plain)["A"].se == bt.fit(columns, unit="row")["A"].se
    alone = {**plain, "item": [f"i{place}" for place in range(1200)]}
    assert bt.fit(alone)["A"].se == bt.fit(plain)["A"].se  # a judgment of each item
    assert bt.fit(columns, unit="side").clusters == {"side": 2}
    assert bt.fit({**plain, "judge": ["only"] * 1200}).unit == "row"
    with pytest.raises(bt.PlanError, match=r"names more than two units, or one twice\. Name one or two"):
        bt.fit(columns, unit="item+item")


def test_judges_with_effects_of_their_own_are_no_unit_beside_them() -> None:
    columns = judged(np.random.default_rng(2), judge_sd=0.5, judges=6)
    model = bt.fit(columns, subject="~ judge")
    assert model.unit == "row"
    assert model["A:judge[T.j1]"].se == pytest.approx(
        bt.fit(columns, subject="~ judge", unit="row")["A:judge[T.j1]"].se
    )
    asked = bt.fit(columns, subject="~ judge", unit="judge")
    assert (asked["A"].se, asked["A"].p, asked["A"].low) == (None, None, None)  # each judge decides alone
    assert "not known" in asked.to_text(100)


def test_too_few_clusters_for_a_test_of_many_coefficients_are_said() -> None:
    columns = judged(np.random.default_rng(3), judge_sd=0.5, judges=4)
    columns["kind"] = [str(int(name[1:]) % 2) for name in columns["judge"]]
    model = bt.fit(columns, subject="~ C(kind)", unit="judge", anova=True)
    test = model.tests[0]
    assert (test.df, test.p, test.statistic) == (3, None, None)
    assert "too few clusters to test 3 coefficients at once" in str(test)
    assert "subject: C(kind) 3 too few clusters" in " ".join(model.to_text(100).split())


# Weights


def weighted(seed: int = 4, number: int = 300) -> Columns:
    columns = judged(np.random.default_rng(seed), items=number // 30)
    return {name: values for name, values in columns.items() if name not in {"item", "side"}}


@pytest.mark.parametrize("weight", [0.1, 1, 10])
def test_a_weight_that_all_share_changes_no_error(weight: float) -> None:
    columns = weighted()
    plain, heavy = bt.fit(columns), bt.fit({**columns, "weight": [weight] * 300})
    for one, two in zip(plain, heavy, strict=True):
        assert two.estimate == pytest.approx(one.estimate, abs=1e-9)
        assert two.se == pytest.approx(one.se, abs=1e-9)
        assert two.p == pytest.approx(one.p, abs=1e-9)
    assert plain.judgments == heavy.judgments == 300
    counted = bt.fit({**columns, "n": [10] * 300})
    assert counted["A"].se == pytest.approx(plain["A"].se / np.sqrt(10), rel=1e-6)
    assert counted.judgments == 3000
    larger = bt.fit({**columns, "weight": [weight] * 300}, position=True)
    expected = bt.lr_test(plain, bt.fit(columns, position=True))
    assert bt.lr_test(heavy, larger).p == pytest.approx(expected.p, abs=0.002)


def test_errors_of_weighted_judgments_are_robust() -> None:
    columns = weighted()
    weight = np.random.default_rng(5).choice([0.2, 1.0, 5.0], size=300)
    model = bt.fit({**columns, "weight": weight.tolist()}, ties="drop")
    x, won = [], []
    for left, right, outcome in zip(columns["left"], columns["right"], columns["outcome"], strict=True):
        x.append([(name == left) - (name == right) for name in "ABC"])
        won.append({"a": 1.0, "b": 0.0, "tie": np.nan}[outcome])
    kept = ~np.isnan(won)
    design, response, amount = np.array(x, dtype=float)[kept], np.array(won)[kept], weight[kept]
    point = np.array([model[name].estimate for name in "ABC"])
    chance = 1 / (1 + np.exp(-design @ point))
    bread = np.linalg.inv((design * (amount * chance * (1 - chance))[:, None]).T @ design)
    scores = design * (amount * (response - chance))[:, None]
    leverage = np.einsum("ip,pq,iq->i", design, bread, design) * amount * chance * (1 - chance)
    fixed = scores / np.sqrt(1 - leverage)[:, None]
    assert model.covariance == pytest.approx(bread @ fixed.T @ fixed @ bread, rel=1e-6)
    assert model.judgments == kept.sum()
    assert model.gof_p is None
    assert "robust because their weights differ" in " ".join(model.to_text(100).split())


def test_weighted_judgments_are_wrong_in_one_of_twenty_cases() -> None:
    def work(rng: np.random.Generator) -> list[float | None]:
        columns = judged(rng, items=10)
        columns = {name: values for name, values in columns.items() if name not in {"item", "side"}}
        model = bt.fit({**columns, "weight": rng.choice([0.1, 1.0, 4.0], size=300).tolist()})
        return [model[system].p for system in "ABC"]

    assert 0.01 <= alarms(40, work) <= 0.1


# Rankings


def ballots(rng: np.random.Generator, judges: int, sd: float, weight: bool = False) -> Any:
    judge = np.repeat(np.arange(judges), 8)
    utility = sd * rng.normal(size=(judges, 4))[judge] + rng.gumbel(size=(len(judge), 4))
    ranks = np.argsort(np.argsort(-utility, axis=1), axis=1) + 1
    columns: Columns = {name: ranks[:, place].tolist() for place, name in enumerate("ABCD")}
    columns["judge"] = [f"j{place}" for place in judge]
    if weight:
        columns["weight"] = rng.choice([0.5, 3.0], size=len(judge)).tolist()
    return bt.read_rankings(columns, systems=list("ABCD"))


@pytest.mark.parametrize("weight", [False, True])
def test_whole_rankings_of_judges_are_wrong_in_one_of_twenty_cases(weight: bool) -> None:
    def work(rng: np.random.Generator) -> list[float | None]:
        model = bt.fit(ballots(rng, 15, 0.7, weight), model="plackett-luce", unit="judge")
        assert model.clusters == {"judge": 15}
        return [model[system].p for system in "ABC"]

    assert 0.01 <= alarms(60, work) <= 0.09


def test_a_weight_that_all_rankings_share_changes_no_error() -> None:
    rankings = ballots(np.random.default_rng(6), 10, 0.0)
    plain = bt.fit(rankings, model="plackett-luce", unit="row")
    assert plain["A"].se == bt.fit(rankings, model="plackett-luce", unit="ranking")["A"].se
    heavy = bt.fit(_weighted(rankings, 10.0), model="plackett-luce", unit="row")
    assert heavy["A"].se == pytest.approx(plain["A"].se, abs=1e-9)


def _weighted(rankings: Any, weight: float) -> Any:
    from dataclasses import replace

    return replace(rankings, weight=np.full(len(rankings.weight), weight))


# Judges at random


def two(rng: np.random.Generator, judges: int, each: int, sd: float) -> Columns:
    """Return judgments of two systems by judges who differ."""
    judge = np.repeat(np.arange(judges), each)
    gap = 0.5 + np.sqrt(2) * sd * rng.normal(size=judges)
    won = rng.random(len(judge)) < 1 / (1 + np.exp(-gap[judge]))
    return {
        "left": ["A"] * len(judge),
        "right": ["B"] * len(judge),
        "outcome": np.where(won, "a", "b").tolist(),
        "judge": [f"j{place:02d}" for place in judge],
    }


def test_errors_of_deviations_are_those_of_a_random_intercept() -> None:
    columns = two(np.random.default_rng(7), 12, 400, 0.6)
    model = bt.fit(columns, random="judge")
    assert model.random is not None
    wins = dict.fromkeys(model.random.deviations, 0)
    for name, outcome in zip(columns["judge"], columns["outcome"], strict=True):
        wins[name] += outcome == "a"
    deviance, average = 0.0, model["A"].estimate
    for name, number in wins.items():
        mine = model.random.deviations[name]
        assert mine["A"] == pytest.approx(-mine["B"], abs=1e-9)
        # The gap has the variance 2 sd² between judges, and what a judge's own judgments tell; half of it is A's.
        chance = 1 / (1 + np.exp(-(average + 2 * mine["A"])))
        error = np.sqrt(1 / (400 * chance * (1 - chance) + 1 / (2 * model.random.sd**2))) / 2
        assert model.random.errors[name] == pytest.approx({"A": error, "B": error}, rel=1e-6)
        slope = number - 400 * chance - 2 * mine["A"] / (2 * model.random.sd**2)
        assert slope == pytest.approx(0.0, abs=1e-3)
        deviance += 400 * chance
    cells = model.cells()
    assert cells["fitted"][cells["outcome"].index("left")] == pytest.approx(deviance, rel=1e-6)
    assert (model.unit, model.gof_p) == (None, None)


def test_the_table_of_a_random_model_is_that_of_its_judges() -> None:
    columns = two(np.random.default_rng(8), 10, 60, 0.8)
    fixed, random = bt.fit(columns, by="judge", unit="row"), bt.fit(columns, by="judge", random="judge")
    for model in (fixed, random):
        cells = model.cells()
        seen = [(one, two) for one, two in zip(cells["observed"], cells["fitted"], strict=True) if one]
        assert model.deviance == pytest.approx(sum(2 * one * np.log(one / two) for one, two in seen), abs=1e-6)
        assert model.pearson == pytest.approx(sum(value**2 for value in cells["residual"]))
    assert random.deviance < fixed.deviance / 3  # judges explain what one strength does not
    heavy = bt.fit({**columns, "weight": [5.0] * 600}, by="judge", random="judge")
    assert (heavy["A"].estimate, heavy["A"].se) == pytest.approx((random["A"].estimate, random["A"].se), rel=1e-4)
    assert heavy.random is not None
    assert random.random is not None
    assert (heavy.random.sd, heavy.random.p) == pytest.approx((random.random.sd, random.random.p), rel=1e-3)
    uneven = bt.fit({**columns, "weight": [0.5, 2.0] * 300}, random="judge")
    assert "approximate because weights differ" in " ".join(uneven.to_text(100).split())


# Goodness of fit


def test_large_counts_have_a_test_of_fit_that_holds() -> None:
    def work(rng: np.random.Generator) -> list[float | None]:
        columns = judged(rng)
        return [bt.fit({name: columns[name] for name in ("left", "right", "outcome")}).gof_p]

    assert alarms(60, work) <= 0.12


def test_sparse_tables_have_none_and_say_why() -> None:
    columns = judged(np.random.default_rng(9), items=4)
    model = bt.fit({**columns, "length": np.random.default_rng(1).normal(size=120)}, contrast="~ length", unit="row")
    assert model.gof_p is None
    assert "no test of fit: 100 % of the expected counts are below 5" in " ".join(model.to_text(100).split())
    clustered = bt.fit(judged(np.random.default_rng(9)), unit="item")
    assert clustered.gof_p is None
    assert "no test of fit: judgments are dependent" in " ".join(clustered.to_text(100).split())


# Models that are not nested


def test_models_that_are_not_nested_are_refused() -> None:
    columns = judged(np.random.default_rng(10), judge_sd=0.3, judges=3)
    plain = {name: values for name, values in columns.items() if name != "judge"}
    plain["length"] = np.random.default_rng(2).normal(size=1200).tolist()
    by_side = bt.fit(plain, subject="~ C(side)")
    with pytest.raises(bt.PlanError, match="it has no term 'length'"):
        bt.lr_test(bt.fit(plain, contrast="~ length"), by_side)
    with pytest.raises(bt.PlanError, match="treat ties differently"):
        bt.lr_test(bt.fit(plain, ties="rao-kupper"), by_side)
    with pytest.raises(bt.PlanError, match="treat ties differently"):
        bt.lr_test(bt.fit(plain, ties="drop"), bt.fit(plain, ties="half", position=True))
    with pytest.raises(bt.PlanError, match="has not the same random effects"):
        bt.lr_test(bt.fit(columns, random="judge"), bt.fit(columns, subject="~ judge"))
    table = {"system": list("ABCD"), "size": [1, 2, 4, 8]}
    known = bt.fit(plain, object=table, subject="~ C(side)")
    with pytest.raises(bt.PlanError, match="it has no term 'size'"):  # sides have no effects in the other
        bt.lr_test(known, bt.fit(plain, contrast="~ length", position=True))
    assert bt.lr_test(known, by_side).df == 4
    assert bt.lr_test(bt.fit(plain, reference="A"), by_side).df == 3
    assert bt.lr_test(bt.fit(plain), bt.fit(plain, undecided="object")).df == 3
    assert bt.lr_test(bt.fit(plain, unit="length"), bt.fit(plain, undecided="object", unit="length")).df == 3


# Worths


def test_a_kind_of_judge_who_never_saw_a_system_has_worths_of_the_others() -> None:
    columns = judged(np.random.default_rng(11))
    rows = [
        row
        for row in zip(*(columns[name] for name in ("left", "right", "outcome", "side")), strict=True)
        if row[3] == 0 or "D" not in row[:2]
    ]
    fewer = dict(zip(("left", "right", "outcome", "side"), map(list, zip(*rows, strict=True)), strict=True))
    model = bt.fit(fewer, subject="~ C(side)", ties="drop")
    without = bt.fit(fewer, subject="~ 0 + C(side)", ties="drop")
    first, second = model.worths
    assert (set(first.worth), set(second.worth)) == (set("ABCD"), set("ABC"))
    alone = bt.fit(
        {
            name: [value for value, row in zip(values, rows, strict=True) if row[3] == 1]
            for name, values in fewer.items()
        },
        ties="drop",
    )
    assert second.worth == pytest.approx(alone.worth, abs=1e-8)
    assert second.se == pytest.approx(alone.worths[0].se, abs=1e-8)
    assert [set(each.worth) for each in without.worths] == [set("ABCD"), set("ABC")]
    assert "0." in model.worth_table().to_text(100)
