"""What must not change a fitted model, what must, what is marked, and what is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import linalg, stats

import betterthan as bt
from betterthan.evidence.rankings import Rankings

Columns = dict[str, list[Any]]
Row = tuple[str, str, str]

OTHER_SIDE = {"a": "b", "b": "a", "tie": "tie"}


def votes(seed: int = 0, number: int = 300, systems: str = "ABCD") -> Columns:
    """Return judgments with judges, their age, and how much longer the left answer was."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(1.2, -1.0, len(systems))
    left = rng.integers(len(systems), size=number)
    right = (left + rng.integers(1, len(systems), size=number)) % len(systems)
    length = rng.integers(-3, 4, size=number) / 2
    gap = strength[left] - strength[right] + 0.4 * length + 0.3
    up, down, tie = np.exp(gap / 2), np.exp(-gap / 2), 0.6
    drawn = rng.random(number) * (up + down + tie)
    outcome = np.where(drawn < up, "a", np.where(drawn < up + tie, "tie", "b"))
    judge = rng.integers(3, size=number)
    return {
        "left": [systems[place] for place in left],
        "right": [systems[place] for place in right],
        "outcome": outcome.tolist(),
        "judge": [f"j{place}" for place in judge],
        "age": [(31, 45, 58)[place] for place in judge],
        "length": length.tolist(),
    }


def counted(*rows: tuple[str, str, str, int]) -> list[Row]:
    """Return rows as often as their count says."""
    return [(left, right, outcome) for left, right, outcome, times in rows for _ in range(times)]


def estimates(model: bt.LogLinear) -> dict[str, float | None]:
    """Return all estimates by term."""
    return {each.term: each.estimate for each in model}


def errors(model: bt.LogLinear) -> dict[str, float | None]:
    """Return all standard errors by term."""
    return {each.term: each.se for each in model}


def codes(model: bt.LogLinear) -> set[str]:
    """Return which doubts there are."""
    return {finding.code for finding in model.findings}


def same(found: bt.LogLinear, expected: bt.LogLinear, close: float = 1e-9) -> None:
    """Two models say the same about everything."""
    alike(found, expected, close)
    assert errors(found) == pytest.approx(errors(expected), abs=close)


def alike(found: bt.LogLinear, expected: bt.LogLinear, close: float = 1e-9) -> None:
    """Two models say the same about everything but their errors."""
    assert estimates(found) == pytest.approx(estimates(expected), abs=close)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, abs=close)
    assert (found.deviance, found.df) == (pytest.approx(expected.deviance, abs=close), expected.df)


EVERYTHING: dict[str, Any] = {
    "subject": "~ judge",
    "contrast": "~ length",
    "position": True,
    "undecided": "~ judge",
    "by": "age",
}


def everything(evidence: Any, **more: Any) -> bt.LogLinear:
    """Fit all parts at once."""
    return bt.fit(evidence, **{**EVERYTHING, **more})


# What must not change anything


def test_order_of_rows_and_columns_does_not_matter() -> None:
    columns = votes()
    order = np.random.default_rng(1).permutation(len(columns["left"]))
    shuffled = {name: [columns[name][place] for place in order] for name in reversed(columns)}
    model = everything(columns)
    same(everything(shuffled), model)
    assert everything(shuffled).data == model.data
    assert everything(shuffled).signature == model.signature


def test_frames_and_columns_say_the_same() -> None:
    columns = votes()
    same(everything(pd.DataFrame(columns)), everything(columns))


def test_exchanged_sides_change_the_sign_of_position_alone() -> None:
    columns = votes()
    exchanged = {
        **columns,
        "left": columns["right"],
        "right": columns["left"],
        "outcome": [OTHER_SIDE[word] for word in columns["outcome"]],
        "length": [-value for value in columns["length"]],
    }
    expected = estimates(everything(columns))
    assert abs(expected["position"]) > 0.1
    expected["position"] *= -1
    assert estimates(everything(exchanged)) == pytest.approx(expected, abs=1e-9)
    assert errors(everything(exchanged)) == pytest.approx(errors(everything(columns)), abs=1e-9)


def test_some_exchanged_sides_change_nothing_where_there_is_no_position() -> None:
    columns = votes()
    turned = np.random.default_rng(2).random(len(columns["left"])) < 0.5
    rows = zip(turned, columns["left"], columns["right"], columns["outcome"], columns["length"], strict=True)
    mixed = [(b, a, OTHER_SIDE[word], -gap) if turn else (a, b, word, gap) for turn, a, b, word, gap in rows]
    exchanged = {
        **columns,
        **dict(zip(("left", "right", "outcome", "length"), map(list, zip(*mixed, strict=True)), strict=True)),
    }
    same(everything(exchanged, position=False), everything(columns, position=False))


def test_what_differs_between_sides_need_not_be_a_number_that_changes_its_sign() -> None:
    columns = votes()
    sides_apart = bt.fit(columns, contrast="~ C(length) + I(length**2)", by="position")
    assert estimates(bt.fit(columns, contrast="~ C(length) + I(length**2)")) == pytest.approx(
        estimates(sides_apart), abs=1e-9
    )


def test_names_do_not_matter() -> None:
    columns = votes()
    new = {"A": "zebra", "B": "D", "C": "A", "D": "mole"}
    renamed = {**columns, **{side: [new[name] for name in columns[side]] for side in ("left", "right")}}
    model, again = everything(columns, reference="B"), everything(renamed, reference="D")
    for system in "ABCD":
        for rest in ("", ":judge[T.j1]", ":judge[T.j2]"):
            old, found = model[system + rest], again[new[system] + rest]
            assert (found.estimate, found.se) == (
                pytest.approx(old.estimate, abs=1e-9),
                pytest.approx(old.se, abs=1e-9),
            )
    for place, worth in enumerate(model.worths):
        assert again.worths[place].worth == pytest.approx({new[name]: value for name, value in worth.worth.items()})
    assert again.deviance == pytest.approx(model.deviance)


def test_counted_rows_are_that_many_rows() -> None:
    rows = votes(number=200)
    table = pd.DataFrame(rows).value_counts(sort=False).reset_index(name="n")
    same(everything(table), everything(rows))
    wide = pd.DataFrame(rows)[["left", "right", "outcome"]].value_counts().unstack(fill_value=0).reset_index()
    wide = wide.rename(columns={"a": "n_a", "tie": "n_tie", "b": "n_b"})
    same(bt.fit(wide), bt.fit(rows, unit="row"))


def test_a_weight_of_two_is_the_row_twice_for_estimates_only() -> None:
    columns = votes(number=200)
    weights = np.random.default_rng(3).integers(1, 4, size=200).tolist()
    repeated = {
        name: [value for value, times in zip(values, weights, strict=True) for _ in range(times)]
        for name, values in columns.items()
    }
    model, expected = everything({**columns, "weight": weights}), everything(repeated)
    alike(model, expected)
    assert (model.judgments, expected.judgments) == (200, sum(weights))  # and yet it is one judgment
    assert all(model[name].se > 1.1 * expected[name].se for name in ("A", "B", "C", "undecided"))


def test_rows_of_no_weight_are_as_if_they_were_not_there() -> None:
    columns = votes(number=200)
    more = {name: [*values, *values[:5]] for name, values in columns.items()}
    more = {**more, "left": [*columns["left"], *["unheard of"] * 5], "weight": [1] * 200 + [0] * 5}
    same(everything(more), everything(columns))


@pytest.mark.parametrize("nothing", [None, "NA", "", "nan"])
def test_missing_outcomes_are_left_out_and_counted(nothing: str | None) -> None:
    columns = votes()
    more = {name: [*values, *values[:7]] for name, values in columns.items()}
    more["outcome"] = [*columns["outcome"], *[nothing] * 7]
    model = everything(more)
    same(model, everything(columns))
    assert (model.account.refused, model.account.read) == (7, 307)
    assert "refused-rows" in codes(model)
    assert "7 left out" in model.to_text(80)
    assert model.to_dict()["refused"] == 7


def test_reference_only_moves_the_origin() -> None:
    columns = votes()
    models = [everything(columns, reference=system) for system in "ABCD"]
    for model, system in zip(models, "ABCD", strict=True):
        assert model.reference == system
        assert (model[system].estimate, model[system].reference) == (0.0, True)
        assert model.deviance == pytest.approx(models[0].deviance, abs=1e-9)
        for rest in ("", ":judge[T.j1]"):
            for a, b in (("A", "B"), ("A", "D"), ("C", "B")):
                found, expected = model.contrast(a + rest, b + rest), models[0].contrast(a + rest, b + rest)
                assert found.estimate == pytest.approx(expected.estimate, abs=1e-8)
                assert found.se == pytest.approx(expected.se, abs=1e-8)
        assert model["position"].estimate == pytest.approx(models[0]["position"].estimate, abs=1e-9)
        for found, expected in zip(model.worths, models[0].worths, strict=True):
            assert found.worth == pytest.approx(expected.worth, abs=1e-9)
            assert found.se == pytest.approx(expected.se, abs=1e-9)
            assert found.quasi_se == pytest.approx(expected.quasi_se, abs=1e-7)


def test_the_last_by_name_is_the_reference_unless_another_is_given() -> None:
    assert bt.fit(votes()).reference == "D"
    with pytest.raises(bt.PlanError, match=r"the reference 'Dd' is not among the systems\. Did you mean 'D'\?"):
        bt.fit(votes(), reference="Dd")


@pytest.mark.parametrize("formula", ["~ length", "~ age"])
def test_units_of_a_covariate_do_not_matter(formula: str) -> None:
    name = formula.removeprefix("~ ")
    columns = votes()
    part = "contrast" if name == "length" else "subject"
    expected = _tests(bt.fit(columns, **{part: formula}))
    for unit in (1e-9, 1e-3, 1e5):
        scaled = {**columns, name: [value * unit for value in columns[name]]}
        assert _tests(bt.fit(scaled, **{part: formula})) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def _tests(model: bt.LogLinear) -> dict[str, float | None]:
    """Return z of every term but the reference."""
    return {each.term: each.z for each in model if not each.reference}


def test_very_large_units_of_a_covariate_do_not_matter() -> None:
    columns = votes()
    model = bt.fit({**columns, "length": [value * 1e13 for value in columns["length"]]}, contrast="~ length")
    assert "aliased" not in codes(model)
    assert model["length"].z == pytest.approx(bt.fit(columns, contrast="~ length")["length"].z, rel=1e-6)


def test_a_covariate_far_from_zero_says_as_much() -> None:
    columns = votes()
    far = {**columns, "age": [value + 1e6 for value in columns["age"]]}
    assert bt.fit(far, subject="~ age").deviance == pytest.approx(bt.fit(columns, subject="~ age").deviance, abs=1e-5)


def test_powers_of_large_whole_numbers_do_not_overflow() -> None:
    columns = votes()
    large = {**columns, "age": [value * 100_000_000 for value in columns["age"]]}
    found, expected = (bt.fit(source, subject="~ I(age**3)") for source in (large, columns))
    assert _tests(found) == pytest.approx(_tests(expected), rel=1e-6)


def test_labels_and_signature_do_not_change_between_runs() -> None:
    program = "import betterthan as bt, json, sys; m = bt.fit(json.load(sys.stdin), subject='~ judge + age + length + site'); print([w.group for w in m.worths], m.signature)"
    columns = votes(number=60)
    columns = json.dumps(
        {**columns, "length": [1 + (value > 0) for value in columns["length"]], "site": columns["judge"]}
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=columns,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


# Ties


def test_half_ties_are_two_rows_of_half_the_weight() -> None:
    columns = votes()
    split: Columns = {name: [] for name in [*columns, "weight"]}
    for row in zip(*columns.values(), strict=True):
        record = dict(zip(columns, row, strict=True))
        tied = record["outcome"] == "tie"
        for word, weight in (("a", 0.5), ("b", 0.5)) if tied else ((record["outcome"], 1.0),):
            for name, value in {**record, "outcome": word, "weight": weight}.items():
                split[name].append(value)
    choices = {name: value for name, value in EVERYTHING.items() if name != "undecided"}
    alike(bt.fit(columns, ties="half", **choices), bt.fit(split, ties="drop", **choices))
    assert "half-ties" in codes(bt.fit(columns, ties="half"))


def test_dropped_ties_are_as_if_they_were_not_there() -> None:
    columns = votes()
    decided = [place for place, word in enumerate(columns["outcome"]) if word != "tie"]
    fewer = {name: [values[place] for place in decided] for name, values in columns.items()}
    choices = {name: value for name, value in EVERYTHING.items() if name != "undecided"}
    same(bt.fit(columns, ties="drop", **choices), bt.fit(fewer, ties="drop", **choices))


@pytest.mark.parametrize(
    ("ties", "mechanism", "parameter"),
    [
        ("davidson", "davidson", "nu"),
        ("rao-kupper", "rao-kupper", "theta"),
        ("drop", "bradley-terry(ties=drop)", None),
        ("half", "bradley-terry(ties=half)", None),
    ],
)
def test_strengths_are_those_of_the_ranking_models(ties: Any, mechanism: str, parameter: str | None) -> None:
    columns = votes()
    model, board = bt.fit(columns, ties=ties), bt.rank(columns, model=mechanism, ci="none").board
    strength = {row.system: row.log_strength for row in board.rows}
    for system in "ABC":
        assert model[system].estimate == pytest.approx(strength[system] - strength["D"], abs=1e-6)
    assert model.log_likelihood == pytest.approx(board.fit.log_likelihood, abs=1e-6)
    if parameter:
        assert np.exp(model["undecided"].estimate) == pytest.approx(board.fit.parameters[parameter], abs=1e-6)
        assert model["undecided"].odds == pytest.approx(board.fit.parameters[parameter], abs=1e-6)
    else:
        assert all(each.kind == "strength" for each in model)


def test_fixed_ties_are_davidsons_with_no_effect() -> None:
    columns = votes()
    fixed, free = bt.fit(columns, ties="fixed"), bt.fit(columns)
    assert (fixed.df, fixed.judgments) == (free.df + 1, free.judgments)
    assert "undecided" not in estimates(fixed)
    for left, right, chance in zip(fixed.left, fixed.right, (fixed.fitted / fixed.fitted.sum(axis=0)).T, strict=True):
        gap = fixed[fixed.systems[left]].estimate - fixed[fixed.systems[right]].estimate
        assert chance[1] == pytest.approx(1 / (np.exp(gap / 2) + 1 + np.exp(-gap / 2)), abs=1e-9)


def test_one_effect_of_being_undecided_per_system() -> None:
    columns = votes(number=600)
    model = bt.fit(columns, undecided="object")
    terms = [f"undecided:{system}" for system in "ABCD"]
    assert [each.term for each in model if each.kind == "width"] == terms
    for place, system in enumerate(model.systems):  # what a maximum says: as many ties of each system as there were
        mine = (model.left == place) | (model.right == place)
        assert model.fitted[1, mine].sum() == pytest.approx(model.observed[1, mine].sum(), abs=1e-6), system
    assert bt.lr_test(bt.fit(columns), model).df == 3


def test_evidence_without_ties_has_no_effect_of_them() -> None:
    rows = counted(("A", "B", "a", 6), ("A", "B", "b", 3))
    model = bt.fit(rows, undecided="object")
    assert codes(model) == {"no-ties"}
    assert estimates(model) == pytest.approx({"A": np.log(2), "B": 0.0}, abs=1e-9)
    same(model, bt.fit(rows, ties="drop"))


def test_one_pair_has_a_closed_form() -> None:
    model = bt.fit(counted(("A", "B", "a", 12), ("A", "B", "tie", 5), ("A", "B", "b", 3)))
    assert model["A"].estimate == pytest.approx(np.log(4), abs=1e-9)
    assert model["A"].se == pytest.approx(np.sqrt(1 / 12 + 1 / 3), abs=1e-9)
    assert model["undecided"].estimate == pytest.approx(np.log(5 / 6), abs=1e-9)
    assert (model.df, model.gof_p) == (0, None)
    assert model.deviance == pytest.approx(0.0, abs=1e-9)
    assert model.worth == pytest.approx({"A": 0.8, "B": 0.2})
    assert model.worths[0].quasi_se is None


# Errors


@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_clustered_errors_are_the_sandwich_of_rows(ties: Any) -> None:
    columns = votes()
    columns["item"] = [f"i{place % 41}" for place in range(300)]
    columns["half"] = [f"h{place % 2}" for place in range(300)]
    choices: dict[str, Any] = {"contrast": "~ length", "position": True, "ties": ties}
    model, plain = bt.fit(columns, **choices, unit="item"), bt.fit(columns, **choices, unit="row")
    assert estimates(model) == pytest.approx(estimates(plain), abs=1e-9)
    assert (model.df, model.deviance) == (plain.df, pytest.approx(plain.deviance, abs=1e-9))
    expected, freedom = _sandwich(columns, model, columns["item"], ties)
    assert model.covariance == pytest.approx(expected, abs=1e-9)
    assert [model[name].se for name in model.names] == pytest.approx(np.sqrt(np.diag(expected)), abs=1e-9)
    assert [model[name].df for name in model.names] == pytest.approx(freedom, rel=1e-6)
    assert not np.allclose(model.covariance, plain.covariance, rtol=0.01)
    assert (model.unit, model.clusters, model.gof_p) == ("item", {"item": 41}, None)
    assert "clustered by item: 41 items" in " ".join(model.to_text(80).split())
    assert all(each.df is None for each in plain)


def _sandwich(
    columns: Columns, model: bt.LogLinear, cluster: Sequence[str], ties: str
) -> tuple[np.ndarray, list[float]]:
    """Return CR2 and its degrees of freedom by the definition: slopes and curvature row by row."""
    point = np.array([model[name].estimate for name in model.names])
    size = len(point)
    sums, shares = ({name: np.zeros(shape) for name in cluster} for shape in (size, (size, size)))
    for left, right, word, length, name in zip(
        columns["left"], columns["right"], columns["outcome"], columns["length"], cluster, strict=True
    ):
        gap = np.array(
            [
                (term == left) - (term == right) + (term == "length") * length + (term == "position")
                for term in model.names
            ],
            dtype=float,
        )
        utility = np.stack([gap / 2, np.array([float(term == "undecided") for term in model.names]), -gap / 2])
        chance = np.exp(utility @ point)
        seen = np.eye(3)[["a", "tie", "b"].index(word)]
        if ties == "half":
            chance[1], seen = 0.0, np.array([0.5, 0.0, 0.5]) if word == "tie" else seen
        chance /= chance.sum()
        mean = chance @ utility
        sums[name] += seen @ utility - mean
        shares[name] += (chance[:, None] * utility).T @ utility - np.outer(mean, mean)
    bread = np.linalg.inv(sum(shares.values()))
    root = linalg.sqrtm(bread).real
    fixed, spread = [], []
    for name, slope in sums.items():
        taken = root @ shares[name] @ root
        wide = np.linalg.inv(linalg.sqrtm(np.eye(size) - taken).real)
        fixed.append(root @ wide @ root @ slope)
        spread.append((root @ wide @ taken, wide @ taken @ wide))
    freedom = []
    for unit in np.eye(size):
        seen = np.stack([part.T @ unit for part, _ in spread])
        matrix = np.diag([unit @ root @ own @ root @ unit for _, own in spread]) - seen @ seen.T
        freedom.append(float(np.trace(matrix) ** 2 / np.trace(matrix @ matrix)))
    return np.stack(fixed).T @ np.stack(fixed), freedom


def test_errors_are_those_of_the_worths() -> None:
    model = bt.fit(votes())
    worth = np.array([model.worth[system] for system in "ABCD"])
    slope = np.diag(worth) - np.outer(worth, worth)
    full = np.zeros((4, 4))
    full[:3, :3] = model.covariance[:3, :3]
    expected = np.sqrt(np.diag(slope @ full @ slope))
    assert [model.worths[0].se[system] for system in "ABCD"] == pytest.approx(expected, abs=1e-9)
    assert sum(model.worth.values()) == pytest.approx(1.0)


def test_clusters_must_be_several() -> None:
    columns = {**votes(), "judge": ["only one"] * 300}
    for choice in ("unit", "random"):
        with pytest.raises(bt.PlanError, match="there is only one judge"):
            bt.fit(columns, **{choice: "judge"})


def test_a_number_that_differs_between_sides_may_also_be_the_cluster() -> None:
    assert bt.fit(votes(), contrast="~ length", unit="length").converged


# Terms that cannot be told apart, and terms without end


def test_a_covariate_given_twice_is_aliased_and_the_rest_as_without_it() -> None:
    columns = {**votes()}
    columns["feet"] = [value * 3.28 for value in columns["length"]]
    model, expected = bt.fit(columns, contrast="~ length + feet"), bt.fit(columns, contrast="~ length")
    assert (model["feet"].aliased, model["feet"].estimate, model["feet"].se) == (True, None, None)
    found = {term: value for term, value in estimates(model).items() if term != "feet"}
    assert found == pytest.approx(estimates(expected), abs=1e-9)
    assert (model.df, model.deviance) == (expected.df, pytest.approx(expected.deviance, abs=1e-9))
    assert "'feet'" in next(finding.message for finding in model.findings if finding.code == "aliased")
    assert "aliased" in model.to_text(80)
    with pytest.raises(bt.BetterthanError, match="'feet' cannot be estimated"):
        model.contrast("length", "feet")


def test_a_constant_covariate_is_aliased() -> None:
    columns = {**votes(), "age": [40] * 300}
    model, expected = bt.fit(columns, subject="~ age"), bt.fit(columns)
    assert [each.term for each in model if each.aliased] == ["A:age", "B:age", "C:age"]
    assert [model[system].estimate for system in "ABC"] == pytest.approx(
        [expected[system].estimate for system in "ABC"], abs=1e-9
    )
    assert model.worth == pytest.approx(expected.worth, abs=1e-9)


def test_what_is_known_about_systems_leaves_few_effects_of_their_own() -> None:
    table = {"system": list("ABCD"), "size": [7, 3, 4, 1], "open": ["no", "yes", "no", "yes"]}
    model, free = bt.fit(votes(), object=table, residual=True), bt.fit(votes())
    aliased = [each.term for each in model if each.aliased]
    assert [each.term for each in model if each.kind == "strength"] == ["size", "open[T.yes]", "A", "B", "C", "D"]
    assert aliased == ["B", "C"]
    assert (model.df, model.deviance) == (free.df, pytest.approx(free.deviance, abs=1e-8))
    assert model.worth == pytest.approx(free.worth, abs=1e-8)


def test_what_is_known_about_systems_replaces_their_own_effects() -> None:
    table = {"system": list("DABC"), "size": [1.0, 7.0, 3.0, 4.0]}
    model = bt.fit(votes(), object=table)
    assert list(estimates(model)) == ["size", "undecided"]
    assert model.reference is None
    assert bt.lr_test(bt.fit(votes(), object=table, unit="row"), bt.fit(votes(), unit="row")).df == 2
    with pytest.raises(bt.PlanError, match="the larger model must have all terms of the smaller one"):
        bt.lr_test(bt.fit(votes(), object=table, unit="length"), bt.fit(votes(), unit="length"))
    own = bt.fit(votes(), object=table, residual=True, unit="length")
    assert bt.lr_test(bt.fit(votes(), object=table, unit="length"), own).df == 2
    strength = model.worths[0].log_strength
    assert strength["A"] - strength["D"] == pytest.approx(6 * model["size"].estimate)
    by_side = votes()
    size = dict(zip(table["system"], table["size"], strict=True))
    by_side["gap"] = [size[a] - size[b] for a, b in zip(by_side["left"], by_side["right"], strict=True)]
    equal = {"system": list("ABCD"), "nothing": [0, 0, 0, 0]}
    contrast = bt.fit(by_side, object=equal, contrast="~ gap")
    assert contrast["gap"].estimate == pytest.approx(model["size"].estimate, abs=1e-9)
    assert contrast["nothing"].aliased


def test_islands_are_aliased_and_fitted_apart() -> None:
    rows = counted(("A", "B", "a", 10), ("A", "B", "b", 5), ("C", "D", "a", 3), ("C", "D", "b", 9))
    model = bt.fit(rows)
    assert [each.term for each in model if each.aliased] == ["B"]
    assert model["A"].estimate == pytest.approx(np.log(2), abs=1e-9)
    assert model["C"].estimate == pytest.approx(np.log(1 / 3), abs=1e-9)
    assert "aliased" in codes(model)
    assert model.log_likelihood == pytest.approx(
        bt.fit(rows[:15]).log_likelihood + bt.fit(rows[15:]).log_likelihood, abs=1e-9
    )


def test_islands_have_no_common_worths() -> None:
    rows = counted(("A", "B", "a", 10), ("A", "B", "b", 5), ("C", "D", "a", 3), ("C", "D", "b", 9))
    assert not any({"A", "D"} <= set(each.worth) for each in bt.fit(rows).worths)


def test_a_judge_who_saw_one_pair_has_no_effects_on_others() -> None:
    columns = votes()
    more = {name: [*values, *values[:1] * 6] for name, values in columns.items()}
    more["judge"] = [*columns["judge"], *["late"] * 6]
    more["left"], more["right"] = [*columns["left"], *["A"] * 6], [*columns["right"], *["B"] * 6]
    more["outcome"] = [*columns["outcome"], *["a", "a", "a", "tie", "b", "b"]]
    model, expected = bt.fit(more, subject="~ judge", ties="drop"), bt.fit(columns, subject="~ judge", ties="drop")
    assert [each.term for each in model if each.aliased] == ["B:judge[T.late]", "C:judge[T.late]"]
    for term, value in estimates(expected).items():
        assert model[term].estimate == pytest.approx(value, abs=1e-8)
    assert model.df == expected.df  # one more comparison, one more effect
    assert "separation" not in codes(model)


def _separated(model: bt.LogLinear) -> set[str]:
    assert ("separation" in codes(model)) == any(each.infinite for each in model)
    return {each.term for each in model if each.infinite}


NEVER_LOSES = counted(
    ("A", "B", "a", 10), ("A", "C", "a", 5), ("B", "C", "a", 5), ("B", "C", "b", 4), ("B", "C", "tie", 3)
)


def test_a_system_that_never_loses_is_named() -> None:
    model = bt.fit(NEVER_LOSES)
    assert _separated(model) == {"A"}
    rest = bt.fit(NEVER_LOSES[15:])
    assert model["B"].estimate == pytest.approx(rest["B"].estimate, abs=1e-6)
    assert model.log_likelihood == pytest.approx(rest.log_likelihood, abs=1e-6)
    assert "no maximum" in model.to_text(80)


def test_all_effects_are_named_where_the_reference_never_loses() -> None:
    assert _separated(bt.fit(NEVER_LOSES, reference="A")) == {"B", "C"}


def test_one_of_two_that_never_loses_is_named() -> None:
    model = bt.fit(counted(("A", "B", "a", 10)))
    assert _separated(model) == {"A"}
    assert model.log_likelihood == pytest.approx(0.0, abs=1e-6)
    assert json.loads(model.to_json())["coefficients"][0]["infinite"] is True


def test_a_judge_who_never_ties_is_named() -> None:
    columns = {
        "left": ["A"] * 5,
        "right": ["B"] * 5,
        "outcome": ["a", "b", "tie", "a", "b"],
        "judge": ["x", "x", "x", "y", "y"],
        "n": [20, 15, 10, 12, 21],
    }
    model = bt.fit(columns, undecided="~ judge", by="judge")
    assert _separated(model) == {"undecided:judge[T.y]"}
    assert _separated(bt.fit(columns, by="judge")) == set()


def test_a_contrast_that_tells_all_winners_is_named() -> None:
    columns = {"left": ["A"] * 6, "right": ["B"] * 6, "outcome": list("aaabbb"), "length": [1, 2, 3, -1, -2, -3]}
    assert "length" in _separated(bt.fit(columns, contrast="~ length"))


@pytest.mark.parametrize("times", [30, 3_000, 1_000_000])
def test_large_effects_are_not_separation(times: int) -> None:
    columns = {"left": ["A", "B"], "right": ["B", "C"], "n_a": [times, times], "n_tie": [1, 1], "n_b": [1, 1]}
    model = bt.fit(columns)
    assert codes(model) == set()
    assert model["A"].estimate == pytest.approx(2 * np.log(times), rel=1e-6)


def test_a_billion_judgments_converge() -> None:
    columns = {"left": ["A", "B"], "right": ["B", "C"], "n_a": [1e9, 1e9], "n_tie": [1, 1], "n_b": [1, 1]}
    assert bt.fit(columns).converged


# Formulas and columns


WRONG_FORMULAS = [
    "~ judge +",
    "~ (judge",
    "judge ~ age",
    "~ judge | age",
    "~ I(judge",
    "~ judge:",
    "~ .",
    "~ log(judge)",
    "~ {1/(age-age)}",
]


@pytest.mark.parametrize("part", ["subject", "contrast", "position", "undecided"])
@pytest.mark.parametrize("formula", WRONG_FORMULAS)
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_a_wrong_formula_is_refused_by_name(part: str, formula: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.fit(votes(), **{part: formula})
    assert repr(formula) in str(refusal.value)


@pytest.mark.parametrize("formula", ["~ judge[0]", "~ nothing('x').here()"])
def test_a_formula_that_is_no_number_is_refused_by_name(formula: str) -> None:
    with pytest.raises(bt.BetterthanError, match=r"formula|no column"):
        bt.fit(votes(), subject=formula)


@pytest.mark.parametrize("part", ["subject", "contrast", "position", "undecided"])
def test_a_formula_of_the_intercept_alone_adds_nothing(part: str) -> None:
    expected = bt.fit(votes(), position=part == "position")
    same(bt.fit(votes(), **{part: "~ 1"}), expected)


@pytest.mark.parametrize("formula", ["~ scale(age)", "~ poly(age, 2)", "~ center(age)"])
def test_functions_that_look_at_the_whole_column_work(formula: str) -> None:
    model = bt.fit(votes(), subject=formula)
    plain = bt.fit(votes(), subject="~ age" if "poly" not in formula else "~ age + I(age**2)")
    assert model.deviance == pytest.approx(plain.deviance, abs=1e-7)


@pytest.mark.parametrize("part", ["subject", "contrast", "position", "undecided", "by", "unit", "random"])
def test_an_unknown_column_is_refused_with_the_nearest(part: str) -> None:
    with pytest.raises(bt.EvidenceError, match=r"no column 'lenght'.*Did you mean 'length'\?"):
        bt.fit(votes(), **{part: "~ lenght" if part not in {"by", "unit", "random"} else "lenght"})


@pytest.mark.parametrize("part", ["subject", "contrast", "by", "unit"])
@pytest.mark.parametrize("nothing", [None, ""])
def test_a_missing_covariate_is_refused_or_left_out(part: str, nothing: Any) -> None:
    columns = votes()
    holed = {**columns, "length": [nothing, *columns["length"][1:]]}
    choice = {part: "~ length" if part not in {"by", "unit"} else "length"}
    with pytest.raises(bt.EvidenceError, match=r"row 1: .*length"):
        bt.fit(holed, **choice)
    model = bt.fit(bt.read_judgments(holed, on_error="skip"), **choice)
    same(model, bt.fit({name: values[1:] for name, values in columns.items()}, **choice))
    assert model.account.refused == 1


@pytest.mark.parametrize("part", ["subject", "contrast"])
def test_na_is_a_missing_number(part: str) -> None:
    columns = {**votes(), "age": ["NA", *votes()["age"][1:]]}
    with pytest.raises(bt.EvidenceError, match=r"row 1"):
        bt.fit(columns, **{part: "~ age"})


def test_columns_with_spaces_and_odd_labels_are_named_in_backticks() -> None:
    columns = votes()
    odd = {"j0": 'ü "q" {x}', "j1": "a:b]", "j2": "$%_&\\"}
    strange = {**columns, "who judged?": [odd[judge] for judge in columns["judge"]], "len diff": columns["length"]}
    model = bt.fit(strange, subject="~ `who judged?`", contrast="~ `len diff`")
    expected = bt.fit(columns, subject="~ judge", contrast="~ length")
    assert model.deviance == pytest.approx(expected.deviance, abs=1e-9)
    assert model["len diff"].estimate == pytest.approx(expected["length"].estimate, abs=1e-9)
    found = {each.group.removeprefix("who judged?="): each.worth for each in model.worths}
    for each in expected.worths:
        assert found[odd[each.group.removeprefix("judge=")]] == pytest.approx(each.worth, abs=1e-9)
    assert r"\$\%\_\&" in model.to_latex()


def test_a_role_names_its_column() -> None:
    columns = votes()
    renamed = {("annotator" if name == "judge" else name): values for name, values in columns.items()}
    assert estimates(bt.fit(renamed, subject="~ judge")) == pytest.approx(estimates(bt.fit(columns, subject="~ judge")))


def test_numbers_are_numbers_and_categories_where_asked() -> None:
    columns = votes()
    as_text = {**columns, "age": [str(value) for value in columns["age"]]}
    assert list(estimates(bt.fit(as_text, subject="~ age")))[4:7] == ["A:age", "B:age", "C:age"]
    by_category, by_judge = bt.fit(columns, subject="~ C(age)"), bt.fit(columns, subject="~ judge")
    assert by_category["A:C(age)[T.45]"].estimate == pytest.approx(by_judge["A:judge[T.j1]"].estimate, abs=1e-9)
    assert by_category.deviance == pytest.approx(by_judge.deviance, abs=1e-9)
    assert [each.group for each in by_category.worths] == ["age=31", "age=45", "age=58"]


def test_a_formula_without_intercept_gives_every_judge_effects_of_its_own() -> None:
    own, relative = bt.fit(votes(), subject="~ 0 + judge"), bt.fit(votes(), subject="~ judge")
    assert own["A:judge[j1]"].estimate == pytest.approx(relative["A"].estimate + relative["A:judge[T.j1]"].estimate)
    assert own.deviance == pytest.approx(relative.deviance)


def test_too_many_kinds_of_subjects_have_no_worths() -> None:
    columns = {**votes(), "age": list(range(300))}
    model = bt.fit(columns, subject="~ age")
    assert model.worths == ()
    assert json.loads(model.to_json())["worth"] == {}
    assert "term" in model.to_text(80)
    with pytest.raises(bt.BetterthanError, match="worths differ"):
        _ = model.worth


def test_systems_may_be_called_anything() -> None:
    columns = votes()
    new = {"A": "A:B", "B": "judge[T.j1]", "C": "Intercept", "D": "<b>&|_%"}
    renamed = {**columns, **{side: [new[name] for name in columns[side]] for side in ("left", "right")}}
    model, expected = bt.fit(renamed, subject="~ judge", reference=new["D"]), bt.fit(columns, subject="~ judge")
    for system in "ABCD":
        assert model[new[system]].estimate == pytest.approx(expected[system].estimate, abs=1e-9)
        term = f"{new[system]}:judge[T.j2]"
        assert model[term].estimate == pytest.approx(expected[f"{system}:judge[T.j2]"].estimate, abs=1e-9)
    assert "&lt;b&gt;" in model._repr_html_()
    assert "<b>" not in model._repr_html_()


def test_systems_called_like_other_terms_are_not_taken_for_them() -> None:
    columns = votes()
    new = {"A": "position", "B": "undecided", "C": "C", "D": "length"}
    renamed = {**columns, **{side: [new[name] for name in columns[side]] for side in ("left", "right")}}
    model = bt.fit(renamed, position=True, contrast="~ length", reference="undecided")
    expected = bt.fit(columns, position=True, contrast="~ length", reference="B")
    assert [(each.term, each.kind) for each in model][:4] == [(name, "strength") for name in model.systems]
    halved = {
        kind: model.scaled("lambda").covariance[place, place] / model.covariance[place, place]
        for place, kind in enumerate(["strength"] * 3 + ["gap", "gap", "width"])
    }
    assert halved == pytest.approx({"strength": 0.25, "gap": 1.0, "width": 1.0})
    assert sorted(each.estimate for each in model) == pytest.approx(sorted(each.estimate for each in expected))


# Tables of systems


OBJECTS = {
    "lacking": ({"system": list("ABC"), "size": [1, 2, 3]}, "says nothing about 'D'"),
    "twice": ({"system": list("ABCDA"), "size": [1, 2, 3, 4, 5]}, "must name every system once"),
    "missing": ({"system": list("ABCD"), "size": [1, None, 3, 4]}, "column 'size' lacks a value"),
    "unnamed": ({"system": ["A", "B", None, "D"], "size": [1, 2, 3, 4]}, "must name every system once"),
    "empty": ({"system": list("ABCD")}, "the table of systems has no column but their names"),
}


@pytest.mark.parametrize("case", OBJECTS)
def test_a_table_of_systems_must_be_whole(case: str) -> None:
    table, message = OBJECTS[case]
    with pytest.raises(bt.EvidenceError, match=message):
        bt.fit(votes(), object=table)


def test_a_table_may_know_more_systems_in_any_order() -> None:
    small = {"system": list("ABCD"), "size": [7, 3, 4, 1]}
    large = {"size": [9, 1, 4, 3, 7], "system": list("EDCBA")}
    same(bt.fit(votes(), object=large), bt.fit(votes(), object=small))


@pytest.mark.parametrize("column", ["method", "topic"])
def test_the_first_column_names_the_systems(column: str) -> None:
    model = bt.fit(votes(), object={"llm": list("ABCD"), column: ["r", "s", "r", "s"]})
    assert f"{column}[T.s]" in estimates(model)


def test_terms_cross_systems_with_subjects() -> None:
    table = {"system": list("ABCD"), "size": [7, 3, 4, 1]}
    whole = bt.fit(votes(), object=table, subject="~ judge")
    formula = bt.fit(votes(), object=table, terms="~ size + size:judge")
    expected = estimates(whole)
    assert set(expected) == {"size", "size:judge[T.j1]", "size:judge[T.j2]", "undecided"}
    assert estimates(formula) == pytest.approx(expected, abs=1e-9)
    assert [each.worth for each in formula.worths] == [pytest.approx(each.worth) for each in whole.worths]


def test_subject_beside_terms_is_refused() -> None:
    table = {"system": list("ABCD"), "size": [7, 3, 4, 1]}
    with pytest.raises(bt.PlanError):
        bt.fit(votes(), object=table, terms="~ size", subject="~ judge")


def test_an_unknown_term_is_refused() -> None:
    table = {"system": list("ABCD"), "size": [7, 3, 4, 1]}
    with pytest.raises(bt.EvidenceError, match="no column 'sizes'"):
        bt.fit(votes(), object=table, terms="~ sizes")


# Choices that contradict each other


CONTRADICTIONS = {
    "ties": ({"ties": "both"}, "ties must be one of"),
    "terms": ({"terms": "~ size"}, "Pass the table of systems as object"),
    "residual": ({"residual": True}, "residual adds the systems' own effects"),
    "undecided": ({"ties": "drop", "undecided": "~ judge"}, "has no tie parameter, which undecided is about"),
    "random": ({"random": "judge", "unit": "judge"}, "Choose random or unit"),
    "level": ({"level": 1.5}, "level must be"),
    "model": ({"model": "thurstone"}, "model must be"),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_are_refused(case: str) -> None:
    choices, message = CONTRADICTIONS[case]
    with pytest.raises(bt.PlanError, match=message):
        bt.fit(votes(), **choices)


def test_evidence_that_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(bt.EvidenceError, match="these are scores"):
        bt.fit(bt.read_scores({"A": [1.0, 2.0], "B": [2.0, 1.0]}))
    with pytest.raises(bt.EvidenceError, match="compared with itself"):
        bt.fit([("A", "A", "a")])
    with pytest.raises(bt.EvidenceError, match="all 1 rows were refused"):
        bt.fit(bt.read_judgments([("A", "A", "a")], on_error="skip"))
    with pytest.raises(bt.EvidenceError, match="nothing is left when ties are dropped"):
        bt.fit(counted(("A", "B", "tie", 3)), ties="drop")
    with pytest.raises(bt.PlanError, match="a log-linear model is of one metric and data set"):
        bt.fit({**votes(), "dataset": ["one", "two"] * 150})


# Rankings


def ballots(number: int = 60, seed: int = 4) -> Rankings:
    """Return rankings of four systems by two judges who differ."""
    rng = np.random.default_rng(seed)
    judge = np.arange(number) % 2
    strength = np.where(judge[:, None] == 0, [1.0, 0.5, 0.0, -0.5], [0.0, 1.2, -0.4, 0.3])
    order = np.argsort(-(strength + rng.gumbel(size=(number, 4))), axis=1)
    ranks = np.argsort(order, axis=1) + 1
    columns = {name: ranks[:, place].tolist() for place, name in enumerate("ABCD")}
    return bt.read_rankings({**columns, "judge": [f"j{place}" for place in judge]}, systems=list("ABCD"))


def test_rankings_are_pairs_with_the_ranking_as_the_cluster() -> None:
    rankings = ballots()
    model = bt.fit(rankings)
    assert model.settings.unit == "ranking"
    pairs = bt.fit(rankings, unit="row")
    assert estimates(model) == pytest.approx(estimates(pairs), abs=1e-9)
    same(model, bt.fit(rankings.to_judgments(), unit="ranking"))
    assert all(model[name].se != pytest.approx(pairs[name].se, rel=1e-3) for name in "ABC")
    assert bt.fit(rankings, unit="judge").settings.unit == "judge"


def test_plackett_luce_is_the_ranking_model() -> None:
    rankings = ballots()
    model = bt.fit(rankings, model="plackett-luce")
    board = bt.rank(rankings, model="plackett-luce", ci="none").board
    strength = {row.system: row.log_strength for row in board.rows}
    for system in "ABC":
        assert model[system].estimate == pytest.approx(strength[system] - strength["D"], abs=1e-6)
    assert model.log_likelihood == pytest.approx(board.fit.log_likelihood, abs=1e-6)


def test_plackett_luce_of_judges_is_one_for_each_judge() -> None:
    rankings = ballots()
    together = bt.fit(rankings, model="plackett-luce", subject="~ judge")
    apart = {}
    for judge in ("j0", "j1"):
        table = bt.read_rankings(_long(rankings), where={"judge": judge})
        apart[judge] = bt.fit(table, model="plackett-luce")
    for system in "ABC":
        term = f"{system}:judge[T.j1]"
        first, second = apart["j0"][system], apart["j1"][system]
        assert together[system].estimate == pytest.approx(first.estimate, abs=1e-6)
        assert together[system].se == pytest.approx(first.se, abs=1e-6)
        assert together[term].estimate == pytest.approx(second.estimate - first.estimate, abs=1e-6)
        assert together[term].se == pytest.approx(np.hypot(first.se, second.se), abs=1e-6)
    assert together.log_likelihood == pytest.approx(sum(model.log_likelihood for model in apart.values()), abs=1e-6)
    assert {each.group for each in together.worths} == {"judge=j0", "judge=j1"}
    ratio = bt.lr_test(bt.fit(rankings, model="plackett-luce"), together)
    assert (ratio.df, ratio.p < 0.05) == (3, True)


def _long(rankings: Rankings) -> Columns:
    """Return rankings as rows of ranking, system, rank and judge."""
    return {
        "ranking": [f"r{place}" for place in rankings.ranking],
        "system": [rankings.systems[place] for place in rankings.system],
        "rank": rankings.rank.tolist(),
        "judge": [rankings.about["judge"].texts()[place] for place in rankings.ranking],
    }


def test_plackett_luce_of_two_systems_is_bradley_terry() -> None:
    table = {"A": [1] * 12 + [2] * 5, "B": [2] * 12 + [1] * 5}
    model = bt.fit(bt.read_rankings(table), model="plackett-luce")
    assert model["A"].estimate == pytest.approx(np.log(12 / 5), abs=1e-6)
    assert model["A"].se == pytest.approx(np.sqrt(1 / 12 + 1 / 5), abs=1e-6)


def test_plackett_luce_with_what_is_known_about_systems() -> None:
    rankings = ballots()
    model = bt.fit(rankings, model="plackett-luce", object={"system": list("ABCD"), "size": [7, 5, 2, 1]})
    free = bt.fit(rankings, model="plackett-luce")
    assert list(estimates(model)) == ["size"]
    assert bt.lr_test(model, free).df == 2
    assert model.log_likelihood < free.log_likelihood


def test_plackett_luce_names_a_system_that_is_always_first() -> None:
    rankings = bt.read_rankings({"A": [1, 1, 1], "B": [2, 3, 2], "C": [3, 2, 3]})
    model = bt.fit(rankings, model="plackett-luce")
    assert _separated(model) == {"A"}
    assert model["B"].estimate == pytest.approx(np.log(2), abs=1e-6)


def test_plackett_luce_refuses_what_belongs_to_pairs() -> None:
    with pytest.raises(bt.EvidenceError, match="plackett-luce takes rankings"):
        bt.fit(votes(), model="plackett-luce")
    for choices in ({"contrast": "~ x"}, {"position": True}, {"undecided": "~ judge"}, {"random": "judge"}):
        with pytest.raises(bt.PlanError, match="is for pairs"):
            bt.fit(ballots(), model="plackett-luce", **choices)
    with pytest.raises(bt.PlanError, match="these rankings have no 'age'; allowed: ranking, judge"):
        bt.fit(ballots(), model="plackett-luce", subject="~ age")


def test_plackett_luce_tests_its_parts_where_asked() -> None:
    model = bt.fit(ballots(), model="plackett-luce", subject="~ judge", anova=True)
    assert [test.df for test in model.tests] == [3]


@pytest.mark.parametrize("choices", [{"by": "judge"}, {"ties": "half"}])
def test_plackett_luce_refuses_what_it_cannot_use(choices: dict[str, Any]) -> None:
    with pytest.raises(bt.PlanError):
        bt.fit(ballots(), model="plackett-luce", **choices)


def test_plackett_luce_refuses_missing_judges() -> None:
    columns = {"A": [1, 1, 2, 3] * 6, "B": [2, 3, 1, 1] * 6, "C": [3, 2, 3, 2] * 6, "judge": [None, 2, 1, 2] * 6}
    rankings = bt.read_rankings(columns, systems=list("ABC"))
    with pytest.raises(bt.BetterthanError):
        bt.fit(rankings, model="plackett-luce", subject="~ C(judge)")


# Judges at random


def panel(sd: float, seed: int, judges: int = 15, each: int = 60) -> Columns:
    """Return judgments of judges whose strengths differ with a standard deviation."""
    rng = np.random.default_rng(seed)
    strength = np.array([0.8, 0.2, -0.3, -0.7]) + sd * rng.normal(size=(judges, 4))
    judge = np.repeat(np.arange(judges), each)
    left = rng.integers(4, size=len(judge))
    right = (left + rng.integers(1, 4, size=len(judge))) % 4
    won = rng.random(len(judge)) < 1 / (1 + np.exp(strength[judge, right] - strength[judge, left]))
    return {
        "left": ["ABCD"[place] for place in left],
        "right": ["ABCD"[place] for place in right],
        "outcome": np.where(won, "a", "b").tolist(),
        "judge": [f"j{place:02d}" for place in judge],
    }


def test_how_far_judges_differ_is_found() -> None:
    found = [bt.fit(panel(0.7, seed), random="judge").random for seed in range(20)]
    assert sum(each.low <= 0.7 <= each.high for each in found) >= 17
    assert np.mean([each.sd for each in found]) == pytest.approx(0.7, abs=0.1)
    assert sum(each.p < 0.05 for each in found) >= 18


def test_judges_who_agree_do_not_differ() -> None:
    found = [bt.fit(panel(0.0, seed), random="judge").random for seed in range(6)]
    assert sum(each.p > 0.05 for each in found) >= 5
    assert max(each.sd for each in found) < 0.3
    assert all(each.low == 0.0 for each in found if each.p > 0.1)


def test_deviations_are_shrunken_towards_zero() -> None:
    columns = panel(0.7, 1)
    random = bt.fit(columns, random="judge").random
    own = bt.fit(columns, subject="~ 0 + judge")
    common = bt.fit(columns).worths[0].log_strength
    pulled = 0
    for worth in own.worths:
        judge = worth.group.removeprefix("judge=")
        mine = random.deviations[judge]
        assert sum(mine.values()) == pytest.approx(0.0, abs=1e-9)
        alone = np.linalg.norm([worth.log_strength[system] - common[system] for system in "ABCD"])
        pulled += np.linalg.norm(list(mine.values())) < alone
        assert all(0 < error <= random.sd for error in random.errors[judge].values())
    assert pulled == len(own.worths) == 15


def test_random_judges_widen_the_errors_of_strengths() -> None:
    columns = panel(0.7, 2)
    fixed, random = bt.fit(columns), bt.fit(columns, random="judge")
    assert random["A"].se > 1.2 * fixed["A"].se
    assert random.log_likelihood > fixed.log_likelihood
    assert random.random.statistic == pytest.approx(2 * (random.log_likelihood - fixed.log_likelihood), abs=1e-9)
    assert random.random.p < 1e-4
    assert "Strengths vary between values of judge" in " ".join(random.to_text(80).split())


def test_random_judges_have_the_interval_of_a_t_test_over_judges() -> None:
    """With many judgments by everyone, only differences between judges matter: one log-odds per judge."""
    odds = np.array([0.9, 1.4, 0.2, 0.6, 1.1])
    wins = np.round(4000 / (1 + np.exp(-odds))).astype(int)
    columns = {
        "left": ["A"] * 20_000,
        "right": ["B"] * 20_000,
        "outcome": np.repeat(["a", "b"] * 5, np.stack([wins, 4000 - wins], axis=1).ravel()).tolist(),
        "judge": np.repeat([f"j{place}" for place in range(5)], 4000).tolist(),
    }
    model = bt.fit(columns, random="judge")
    logits = np.log(wins / (4000 - wins))
    test = stats.ttest_1samp(logits, 0.0)
    low, high = test.confidence_interval(0.95)
    found = model["A"]
    assert found.df == 4
    assert found.estimate == pytest.approx(logits.mean(), rel=0.01)
    assert (found.low, found.high) == (pytest.approx(low, abs=0.02), pytest.approx(high, abs=0.02))
    assert found.p == pytest.approx(test.pvalue, rel=0.05)
    assert found.at_level(0.5).high == pytest.approx(test.confidence_interval(0.5)[1], abs=0.01)


def test_terms_within_judges_have_normal_errors() -> None:
    model = bt.fit(panel(0.7, 2, judges=6), random="judge", position=True)
    assert (model["A"].df, model["position"].df) == (5, None)
    assert model.contrast("A", "B").df == 5
    assert "tests of strengths have 5 degrees of freedom" in " ".join(model.to_text(80).split())
    assert "few-clusters" in {finding.code for finding in model.findings}


def test_names_of_judges_do_not_change_how_far_they_differ() -> None:
    columns = panel(0.7, 3, judges=6, each=40)
    renamed = {**columns, "judge": [f"x{99 - int(name[1:])}" for name in columns["judge"]]}
    one, two = bt.fit(columns, random="judge"), bt.fit(renamed, random="judge")
    assert two.random.sd == pytest.approx(one.random.sd, rel=1e-3)
    assert two.random.deviations["x99"] == pytest.approx(one.random.deviations["j00"], abs=1e-3)
    assert estimates(two) == pytest.approx(estimates(one), abs=1e-3)


def test_random_judges_do_not_hide_separation() -> None:
    left, right, outcome = (list(side) for side in zip(*NEVER_LOSES, strict=True))
    columns = {"left": left, "right": right, "outcome": outcome, "judge": [f"j{place % 4}" for place in range(27)]}
    with pytest.raises(bt.PlanError, match="finite estimates of all"):
        bt.fit(columns, random="judge")


# Tests of models


def test_anova_leaves_out_one_part_after_the_other() -> None:
    columns = votes()
    model = bt.fit(columns, anova=True, **{**EVERYTHING, "by": ("judge", "age")})
    assert [test.term for test in model.tests] == ["subject: judge", "contrast: length", "undecided: judge", "position"]
    for test, part in zip(model.tests, ("subject", "contrast", "undecided", "position"), strict=True):
        expected = bt.lr_test(everything(columns, **{part: False if part == "position" else None}), model)
        assert (test.statistic, test.df) == (pytest.approx(expected.statistic, abs=1e-9), expected.df)
        assert test.p == pytest.approx(expected.p, rel=1e-9)
        assert f"{test.term}" in model.to_text(80)
        assert f"{test.statistic:.4f}" in model.to_text(80)
    assert [test.df for test in model.tests] == [6, 1, 2, 1]
    assert len(json.loads(model.to_json())["tests"]) == 4
    plain = bt.fit(columns, anova=True)
    assert [test.term for test in plain.tests] == ["undecided"]
    assert plain.tests[0] == replace(bt.lr_test(bt.fit(columns, ties="fixed"), bt.fit(columns)), term="undecided")
    assert bt.fit(columns, anova=True, ties="drop").tests == ()


def test_anova_of_a_part_that_adds_nothing_says_so() -> None:
    columns = {**votes(), "zero": [0.0] * 300}
    model = bt.fit(columns, contrast="~ zero", position=True, anova=True, unit="row")
    assert model["zero"].aliased
    assert {test.term for test in model.tests} == {"position", "undecided"}


def test_likelihood_ratios_need_the_same_judgments() -> None:
    columns = votes()
    fewer = {name: values[:-1] for name, values in columns.items()}
    with pytest.raises(bt.PlanError, match="not fitted to the same judgments"):
        bt.lr_test(bt.fit(fewer), bt.fit(columns, position=True))
    with pytest.raises(bt.PlanError, match="one model has ties and the other has none"):
        bt.lr_test(bt.fit(columns, ties="drop"), bt.fit(columns))
    with pytest.raises(bt.PlanError, match="one model has ties and the other has none"):
        bt.lr_test(bt.fit(columns, ties="half"), bt.fit(columns))
    renamed = {
        **columns,
        "left": [f"{name}!" for name in columns["left"]],
        "right": [f"{name}!" for name in columns["right"]],
    }
    with pytest.raises(bt.PlanError, match="not fitted to the same judgments"):
        bt.lr_test(bt.fit(renamed), bt.fit(columns, position=True))


def test_likelihood_ratios_of_other_judgments_of_the_same_number_are_refused() -> None:
    columns = votes()
    other = {**columns, "outcome": np.random.default_rng(0).permutation(columns["outcome"]).tolist()}
    with pytest.raises(bt.PlanError, match="not fitted to the same judgments"):
        bt.lr_test(bt.fit(other), bt.fit(columns, position=True))


def test_how_far_judges_differ_counts_as_a_degree_of_freedom() -> None:
    columns = panel(0.7, 1)
    small, large = bt.fit(columns), bt.fit(columns, random="judge", position=True)
    assert large.parameters == small.parameters + 2
    assert bt.lr_test(small, large).df == 2


def test_likelihood_ratios_need_nested_models() -> None:
    columns = votes()
    small, large = bt.fit(columns), bt.fit(columns, position=True)
    with pytest.raises(bt.PlanError, match="must contain the first: it has 4 coefficients against 5"):
        bt.lr_test(large, small)
    with pytest.raises(bt.PlanError, match="must contain the first"):
        bt.lr_test(large, bt.fit(columns, contrast="~ length"))
    with pytest.raises(bt.PlanError, match="must contain the first"):  # length says more than all judges do
        bt.lr_test(bt.fit(columns, contrast="~ length", position=True), bt.fit(columns, subject="~ judge"))
    with pytest.raises(bt.PlanError, match="must contain the first"):
        bt.anova(small, large, small)


def test_likelihood_ratios_do_not_depend_on_the_crossed_table() -> None:
    columns = votes()
    larger = bt.fit(columns, contrast="~ length", unit="row")
    plain = bt.lr_test(bt.fit(columns, unit="row"), larger)
    crossed = bt.lr_test(bt.fit(columns, by=("judge", "position"), unit="row"), larger)
    assert (plain.statistic, plain.df) == (pytest.approx(crossed.statistic, abs=1e-9), crossed.df)
    assert str(plain).startswith("likelihood ratio ")


# What is shown


KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "everything": EVERYTHING,
    "anova": {"position": True, "anova": True},
    "unit": {"unit": "judge"},
    "random": {"random": "judge"},
    "drop": {"ties": "drop"},
    "fixed": {"ties": "fixed"},
    "half": {"ties": "half"},
    "rao-kupper": {"ties": "rao-kupper"},
    "undecided": {"undecided": "object"},
    "many": {"subject": "~ length + age"},
    "object": {"object": {"system": list("ABCD"), "size": [1, 2, 4, 8]}},
    "residual": {"object": {"system": list("ABCD"), "size": [1, 2, 4, 8]}, "residual": True},
    "constant": {"object": {"system": list("ABCD"), "size": [1, 1, 1, 1]}},
    "separated": {"contrast": "~ tells"},
    "one pair": {},
}


def _model(kind: str) -> bt.LogLinear:
    if kind == "one pair":
        return bt.fit(counted(("A", "B", "a", 3)))
    columns = votes()
    tells = [{"a": 1, "tie": 0, "b": -1}[word] for word in columns["outcome"]]
    systems = "AB" if kind == "separated" else "ABCD"
    kept = [place for place in range(300) if columns["left"][place] in systems and columns["right"][place] in systems]
    columns = {name: [values[place] for place in kept] for name, values in {**columns, "tells": tells}.items()}
    return bt.fit(columns, **KINDS[kind])


def _refuse(word: str) -> None:
    pytest.fail(f"{word} is not JSON")


@pytest.mark.parametrize("scale", ["log", "lambda"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_shows_every_model(kind: str, scale: str) -> None:
    model = _model(kind).scaled(scale)
    document = json.loads(model.to_json(), parse_constant=_refuse)
    assert [each["term"] for each in document["coefficients"]] == [each.term for each in model]
    assert document["scale"] == scale
    assert all(len(values) == len(document["coefficients"]) for values in model.columns().values())
    for text in (model.to_markdown(), model.to_latex(), model._repr_html_()):
        assert all(each.term.split(":")[0] in text for each in model)
    lines = model.to_text(80).splitlines()
    assert max(len(line) for line in lines[:-1]) <= 80  # the signature is to be copied whole
    assert lines[-1] == str(model.signature)
    assert str(model) == repr(model) == model.to_text()


def test_halves_are_of_strengths_only() -> None:
    model = everything(votes())
    half = model.scaled("lambda")
    for each, other in zip(model, half, strict=True):
        factor = 0.5 if each.kind == "strength" else 1.0
        assert (other.estimate, other.se) == (pytest.approx(factor * each.estimate), pytest.approx(factor * each.se))
        assert (other.z, other.p, other.odds) == (each.z, each.p, each.odds)
    assert np.sqrt(np.diag(half.covariance)) == pytest.approx([half[name].se for name in half.names])
    for one, two in zip(half.worths, model.worths, strict=True):
        assert (one.worth, one.se, one.log_strength) == (two.worth, two.se, two.log_strength)
        assert one.quasi_se == pytest.approx({system: error / 2 for system, error in two.quasi_se.items()})
    whole, part = model.contrast("A", "B"), half.contrast("A", "B")
    assert (part.estimate, part.se, part.p) == (pytest.approx(whole.estimate / 2), pytest.approx(whole.se / 2), whole.p)
    assert part.odds == pytest.approx(whole.odds)
    assert half.scaled("lambda") is half
    assert model.scaled("log") is model
    with pytest.raises(bt.PlanError, match="scale must be one of log, lambda"):
        model.scaled("elo")
    with pytest.raises(bt.PlanError, match="Scale the model it was made from"):
        half.scaled("log")


def test_a_model_without_coefficients_has_empty_columns() -> None:
    model = bt.fit(votes(), object={"system": list("ABCD"), "kind": ["same"] * 4}, ties="drop")
    assert model.parameters == 0
    assert model.columns()["term"] == []


def test_an_unknown_term_of_a_model_has_a_nearest_one() -> None:
    with pytest.raises(bt.BetterthanError, match=r"no term 'undecidd' in this model\. Did you mean 'undecided'\?"):
        _ = bt.fit(votes())["undecidd"]


def test_cells_add_up() -> None:
    model = everything(votes())
    cells = model.cells()
    assert sum(cells["observed"]) == pytest.approx(300)
    assert sum(cells["fitted"]) == pytest.approx(300)
    assert sum(value**2 for value in cells["residual"]) == pytest.approx(model.pearson)
    assert len(cells["left"]) == len(cells["outcome"]) == 3 * len(model.left)
    assert set(bt.fit(votes(), ties="drop").cells()["outcome"]) == {"left", "right"}
    seen = [(observed, fitted) for observed, fitted in zip(cells["observed"], cells["fitted"], strict=True) if observed]
    assert model.deviance == pytest.approx(sum(2 * observed * np.log(observed / fitted) for observed, fitted in seen))


def test_criteria_come_from_the_likelihood() -> None:
    model = bt.fit(votes())
    assert model.parameters == 4
    assert model.aic == pytest.approx(8 - 2 * model.log_likelihood)
    assert model.bic == pytest.approx(4 * np.log(300) - 2 * model.log_likelihood)
    assert model.level == 0.95
    wide = bt.fit(votes(), level=0.99, unit="row")
    assert wide["A"].high - wide["A"].low == pytest.approx(2 * 2.5758293 * wide["A"].se)


def test_sixty_systems_and_five_judges() -> None:
    systems = [f"S{place:02d}" for place in range(60)]
    rng = np.random.default_rng(5)
    left = rng.integers(60, size=6000)
    right = (left + rng.integers(1, 60, size=6000)) % 60
    won = rng.random(6000) < 1 / (1 + np.exp((left - right) / 30))
    columns = {
        "left": [systems[place] for place in left],
        "right": [systems[place] for place in right],
        "outcome": np.where(won, "a", "b").tolist(),
        "judge": [f"j{place}" for place in rng.integers(5, size=6000)],
    }
    model = bt.fit(columns, subject="~ judge")
    assert (model.parameters, model.converged, codes(model)) == (295, True, {"no-ties"})
    assert model["S59"].reference
    for judge in range(5):
        mine = [place for place in range(6000) if columns["judge"][place] == f"j{judge}"]
        alone = bt.fit({name: [values[place] for place in mine] for name, values in columns.items()})
        assert model.worths[judge].worth == pytest.approx(alone.worth, abs=1e-8)
