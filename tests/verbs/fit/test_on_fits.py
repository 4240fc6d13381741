"""What fitted models offer beside their table: anova, summary, vcov, confint and predict."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import betterthan as bt
from tests.reference.r_estimates import TABLES, r_estimates
from tests.verbs.fit.test_classes import as_rankings, drawn
from tests.verbs.fit.test_fit import EVERYTHING, votes
from tests.verbs.fit.test_patterns import Plain, answered, as_judgments, pairs


def test_vcov_is_that_of_r() -> None:
    golden = r_estimates()["dras.t1.ties"]
    path = TABLES / "dras_table1_counts.csv"
    found = bt.fit(bt.read_judgments(path), unit="row", scale="lambda").vcov()
    names = dict(zip(("o1", "o2", "o3", "g1"), ("A", "B", "C", "undecided"), strict=True))
    assert list(found) == list(names.values())
    for one, two in product(names, repeat=2):
        assert found[names[one]][names[two]] == pytest.approx(golden["vcov"][one][two], abs=1e-6)


def test_confint_is_estimate_and_quantile_at_any_level() -> None:
    model = bt.fit(votes(), position=True, unit="row")
    for level in (0.5, 0.9, 0.99):
        quantile = stats.norm.ppf((1 + level) / 2)
        for term, (low, high) in model.confint(level).items():
            each = model[term]
            assert each.estimate is not None
            assert each.se is not None
            assert (low, high) == pytest.approx(
                (each.estimate - quantile * each.se, each.estimate + quantile * each.se)
            )
    assert model.confint() == {each.term: (each.low, each.high) for each in model}
    again = bt.fit(votes(), position=True, unit="row", level=0.9)
    assert model.summary(0.9) == again
    assert model.summary() is model
    with pytest.raises(bt.PlanError, match="level must be"):
        model.confint(95)


def test_confint_of_clustered_errors_is_students() -> None:
    model = bt.fit(votes(), unit="judge")
    assert model.confint(0.8)["A"] == pytest.approx(
        [getattr(bt.fit(votes(), unit="judge", level=0.8)["A"], end) for end in ("low", "high")]
    )


@pytest.mark.parametrize(
    ("ties", "more"),
    [
        ("davidson", {}),
        ("rao-kupper", {}),
        ("fixed", {}),
        ("drop", {}),
        ("davidson", {"position": "~ judge"}),
        ("davidson", {"undecided": "object", "position": "~ judge"}),
    ],
)
def test_predictions_for_the_rows_of_the_data_add_up_to_fitted_counts(ties: Any, more: dict[str, Any]) -> None:
    columns = votes()
    parts = {**EVERYTHING, "ties": ties, **more}
    if ties in {"fixed", "drop"}:
        parts.pop("undecided")
    model = bt.fit(columns, **parts)
    kept = [place for place, word in enumerate(columns["outcome"]) if ties != "drop" or word != "tie"]
    found = model.predict({name: [values[place] for place in kept] for name, values in columns.items()})
    assert set(found) == {"left", "right", "judge", "length", "win", "tie", "loss"}
    total = np.array([found["win"], found["tie"], found["loss"]])
    assert total.sum(axis=0) == pytest.approx(1.0)
    expected: dict[tuple[str, str, str], float] = {}
    cells = model.cells()
    for left, right, outcome, fitted in zip(
        *(cells[name] for name in ("left", "right", "outcome", "fitted")), strict=True
    ):
        expected[left, right, outcome] = expected.get((left, right, outcome), 0.0) + fitted
    mine: dict[tuple[str, str, str], float] = {}
    for left, right, *chances in zip(*(found[name] for name in ("left", "right", "win", "tie", "loss")), strict=True):
        for outcome, chance in zip(("left", "tie", "right"), chances, strict=True):
            mine[left, right, outcome] = mine.get((left, right, outcome), 0.0) + chance
    assert {key: value for key, value in mine.items() if value > 0} == pytest.approx(expected, abs=1e-8)


def test_predictions_with_what_is_known_about_systems() -> None:
    columns = votes()
    table = {"system": list("ABCD"), "size.gb": [1.0, 3.0, 2.0, 5.0]}
    model = bt.fit(columns, object=table, terms="~ size.gb + size.gb:judge")
    size, by_judge = model["size.gb"].estimate, model["size.gb:judge[T.j1]"].estimate
    undecided = model["undecided"].estimate
    assert size is not None
    assert by_judge is not None
    assert undecided is not None
    found = model.predict({"left": ["A"], "right": ["B"], "judge": ["j1"]})
    gap = -2 * (size + by_judge)
    chances = special.softmax([gap / 2, undecided, -gap / 2])
    assert [found[name][0] for name in ("win", "tie", "loss")] == pytest.approx(chances)


def test_predictions_without_rows_are_all_pairs() -> None:
    model = bt.fit(votes(), ties="drop")
    found = model.predict()
    assert list(zip(found["left"], found["right"], strict=True)) == [
        ("A", "B"),
        ("A", "C"),
        ("A", "D"),
        ("B", "C"),
        ("B", "D"),
        ("C", "D"),
    ]
    worth = model.worth
    assert found["win"][0] == pytest.approx(worth["A"] / (worth["A"] + worth["B"]))
    assert found["tie"] == [0.0] * 6


def test_plackett_luce_predicts_rankings_of_two() -> None:
    ranks = {"A": [1, 1, 2, 1, 3, 2], "B": [2, 1, 1, 3, 1, 1], "C": [3, 3, 3, 2, 2, 2]}
    model = bt.fit(bt.read_rankings(ranks), model="plackett-luce")
    delta, worth = model["tie2"].odds, model.worth
    assert delta is not None
    parts = np.array([worth["A"], delta * np.sqrt(worth["A"] * worth["C"]), worth["C"]])
    found = model.predict({"left": ["A"], "right": ["C"]})
    assert [found[name][0] for name in ("win", "tie", "loss")] == pytest.approx(parts / parts.sum())


def test_patterns_predict_pairs_by_sums_over_patterns() -> None:
    data = answered(4, 100, 3, ties=False, missing=0.1)
    model = bt.fit(as_judgments(4, data), model="patterns", dependence=True)
    plain = Plain(4, list(product((1, -1), repeat=6)), ties=False, dependence=True)
    chance = special.softmax(plain.logs(np.array([each.estimate for each in model if not each.reference]), 0))
    found = model.predict()
    for place in range(len(pairs(4))):
        expected = sum(c for c, pattern in zip(chance, plain.space, strict=True) if pattern[place] == 1)
        assert found["win"][place] == pytest.approx(expected)
    other = model.predict({"left": ["D"], "right": ["A"]})
    assert other["win"][0] == pytest.approx(found["loss"][2])
    with pytest.raises(bt.PlanError, match="depend on which answers are missing"):
        bt.fit(as_judgments(4, data), model="patterns", missing="separate").predict()


def test_latent_classes_predict_by_their_shares() -> None:
    _, judge, order = drawn(60, 2, 0.4, 5)
    model = bt.fit(as_rankings(judge, order), model="patterns", classes=2)
    assert model.classes is not None
    plain = Plain(4, [tuple(one) for one in _orders()], ties=False)
    expected = 0.0
    for one, share in enumerate(model.classes.weights, start=1):
        strength = np.array([model[f"{system}:class{one}"].estimate for system in "ABC"])
        chance = special.softmax(plain.logs(strength, 0))
        expected += share * sum(c for c, pattern in zip(chance, plain.space, strict=True) if pattern[0] == 1)
    assert model.predict()["win"][0] == pytest.approx(expected)


def _orders() -> list[tuple[int, ...]]:
    from itertools import permutations

    return [tuple(int(np.sign(one[j] - one[i])) for i, j in pairs(4)) for one in permutations(range(4))]


def test_wrong_rows_for_predictions_are_refused() -> None:
    model = bt.fit(votes(), subject="~ judge + C(age)")
    row = {"left": ["A"], "right": ["B"], "judge": ["j1"], "age": [31]}
    assert model.predict(row)["win"][0] > 0
    refused = {
        "predictions of this model need 'age', 'judge'. Give a table with the columns left, right and these.": None,
        "the model has not seen 'j9' in column 'judge'; allowed: j0, j1, j2": {**row, "judge": ["j9"]},
        "the given arrays: 'E' is not among the systems of this model": {**row, "left": ["E"]},
        "the given arrays: there is no column 'age'": {name: row[name] for name in ("left", "right", "judge")},
        "the given arrays: column 'judge' lacks a value": {**row, "judge": [None]},
        "a formula of this model cannot be evaluated for these rows": {**row, "age": [99]},
        "column 'age' must hold numbers": {**row, "age": ["old"]},
    }
    for message, rows in refused.items():
        with pytest.raises(bt.BetterthanError) as error:
            model.predict(rows)
        assert str(error.value).startswith(message), str(error.value)


def test_anova_is_a_table_of_nested_models() -> None:
    columns = votes()
    models = [bt.fit(columns, unit="row"), bt.fit(columns, position=True, unit="row")]
    models.append(bt.fit(columns, position=True, subject="~ judge", unit="row"))
    table = bt.anova(*models)
    assert [row.parameters for row in table] == [each.parameters for each in models]
    assert table.tests == (bt.lr_test(models[0], models[1]), bt.lr_test(models[1], models[2]))
    assert [row.model for row in table] == ["1", "2. position: yes", "3. position: yes, subject: ~ judge"]
    frame = table.to_pandas()
    assert list(frame.columns) == [
        "model",
        "parameters",
        "log_likelihood",
        "deviance",
        "test",
        "statistic",
        "df",
        "df_residual",
        "p",
    ]
    assert frame["df"].tolist()[1:] == [1, 6]
    assert "3. position: yes, subject: ~ judge" in str(table)
    with pytest.raises(bt.PlanError, match="anova compares two or more models"):
        bt.anova(models[0])


def test_anova_tests_term_by_term_and_keeps_what_interactions_contain() -> None:
    columns = {**votes(), "expert": ["yes" if place % 3 else "no" for place in range(300)]}
    model = bt.fit(columns, subject="~ expert * age", contrast="~ length", anova=True, unit="row")
    assert [(test.term, test.df) for test in model.tests] == [
        ("subject: expert:age", 3),
        ("contrast: length", 1),
        ("undecided", 1),
    ]
    additive = bt.fit(columns, subject="~ expert + age", contrast="~ length", anova=True, unit="row")
    assert [test.term for test in additive.tests][:2] == ["subject: expert", "subject: age"]
    without = bt.fit(columns, subject="~ age", contrast="~ length", unit="row")
    assert additive.tests[0].statistic == pytest.approx(bt.lr_test(without, additive).statistic)
    assert model.tests[0].statistic == pytest.approx(bt.lr_test(additive, model).statistic)
    with pytest.raises(bt.PlanError, match="cannot be tested without an intercept"):
        bt.fit(columns, subject="~ 0 + expert", anova=True)


@pytest.mark.parametrize("formula", ["~ my.col", "~ `my.col`", "~ I(my.col)", "~ I(`my.col`)", "~ np.add(my.col, 0)"])
def test_names_with_dots_are_columns(formula: str) -> None:
    columns = votes()
    dotted = {("my.col" if name == "age" else name): values for name, values in columns.items()} | {"my": [0.0] * 300}
    found, expected = bt.fit(dotted, subject=formula, anova=True), bt.fit(columns, subject="~ age")
    assert found.deviance == pytest.approx(expected.deviance, abs=1e-9)
    assert [each.estimate for each in found] == pytest.approx([each.estimate for each in expected], abs=1e-9)
