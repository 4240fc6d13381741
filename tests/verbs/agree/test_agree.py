"""Agreement of raters: alpha beside evalica and the definition, layouts, and what is refused."""

import math
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import evalica
import numpy as np
import pandas as pd
import pytest

import betterthan as bt
from tests.cli.conftest import Answer
from tests.reference.r_estimates import TABLES, r_estimates

#: Krippendorff's own example: four observers, twelve units, values that are missing.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def _by_definition(units: list[list[Any]], level: str) -> float:
    """1 − observed / expected disagreement, over all ordered pairs of values."""
    kept = [[value for value in unit if value is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    every = [value for unit in kept for value in unit]

    def distance(one: float, two: float) -> float:
        if level == "nominal":
            return float(one != two)
        if level == "interval":
            return (one - two) ** 2
        if level == "ratio":
            return ((one - two) / (one + two)) ** 2 if one + two else 0.0
        low, high = min(one, two), max(one, two)
        between = sum(low <= value <= high for value in every)
        return (between - (every.count(low) + every.count(high)) / 2) ** 2 if one != two else 0.0

    seen = sum(sum(distance(*pair) for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in kept) / len(every)
    chance = sum(distance(*pair) for pair in permutations(every, 2)) / (len(every) * (len(every) - 1))
    return 1 - seen / chance


def test_krippendorff_s_own_example() -> None:
    found = bt.agree(OBSERVERS, rows="raters")
    for level, printed in zip(LEVELS, (0.743, 0.815, 0.849, 0.797), strict=True):
        assert found[level].value == pytest.approx(printed, abs=0.0005)
    assert (found.items, found.raters, found.ratings, found.compared) == (12, 4, 41, 11)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_evalica_and_of_the_definition(level: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, 0.5, 1.0, 2.0, 7.0], (15, 4))
    values[rng.random((15, 4)) < 0.3] = np.nan
    units = [[None if math.isnan(value) else value for value in row] for row in values.tolist()]
    ours = bt.agree(units)[level].value
    assert ours == pytest.approx(_by_definition(units, level), abs=1e-12)
    assert ours == pytest.approx(evalica.alpha(pd.DataFrame(values.T), distance=level).alpha, abs=1e-12)


def test_every_layout_gives_the_same(tmp_path: Path) -> None:
    units = list(map(list, zip(*OBSERVERS, strict=True)))
    wide = pd.DataFrame(units, columns=list("abcd"))
    wide.insert(0, "item", [f"u{number}" for number in range(12)])
    long = wide.melt("item", var_name="judge", value_name="rating").sample(frac=1, random_state=1)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    long.to_csv(tmp_path / "long.csv", index=False)
    first = bt.agree(units)
    for source in (wide, tmp_path / "wide.csv", long.dropna(), tmp_path / "long.csv", np.array(units, dtype=float)):
        assert bt.agree(source).alphas == first.alphas
    assert bt.agree(tmp_path / "wide.csv").data == bt.agree(tmp_path / "long.csv").data
    assert "item = item, judge = judge, rating = rating" in str(bt.agree(tmp_path / "long.csv"))
    assert bt.agree(wide, raters=["a", "b"]).raters == 2


def test_a_table_of_irr_has_the_figures_of_r() -> None:
    """Its column `subject` numbers the patients, and is no judge's."""
    found = bt.agree(TABLES / "irr_diagnoses.csv")
    known = r_estimates()
    assert (found.items, found.raters, found.ratings) == (30, 6, 180)
    assert found["nominal"].value == pytest.approx(known["irr.diagnoses.kripp"]["nominal"]["value"], abs=1e-9)
    assert found.fleiss == pytest.approx(known["irr.diagnoses.fleiss"]["fleiss"]["value"], abs=1e-9)


def test_a_column_that_names_rows_is_no_judge_s() -> None:
    table = {"patient": [1, 2, 3, 4, 5], "x": [1, 2, 2, 1, 3], "y": [1, 2, 3, 1, 3]}
    with pytest.raises(
        bt.BetterthanError, match="column 'patient' has another value in every row, so it may name items"
    ):
        bt.agree(table)
    assert bt.agree(table, item="patient").alphas == bt.agree({"x": table["x"], "y": table["y"]}).alphas
    turned = {"rater": [1, 2], **{f"u{place}": [table["x"][place], table["y"][place]] for place in range(5)}}
    assert bt.agree(turned, rows="raters").alphas == bt.agree(table, item="patient").alphas


def test_words_have_names_or_an_order() -> None:
    words = [["bad", "bad"], ["good", "fair"], ["fair", "fair"], ["good", "good"], ["bad", "fair"]]
    plain, ordered = bt.agree(words), bt.agree(words, order=["bad", "fair", "good"])
    assert [each.level for each in plain.alphas] == ["nominal"]
    numbers = [[{"bad": 1, "fair": 2, "good": 3}[word] for word in row] for row in words]
    assert ordered["ordinal"].value == pytest.approx(_by_definition(numbers, "ordinal"))
    with pytest.raises(bt.BetterthanError, match="no measure 'interval' of these ratings"):
        ordered["interval"]
    assert [each.level for each in bt.agree([[1, -1], [2, 2], [-1, -1]]).alphas] == list(LEVELS[:3])


def test_the_interval_holds_alpha_as_often_as_it_says() -> None:
    """Two of three copy the truth with a chance of 0.8; alpha of many items is the truth."""

    def world(items: int, rng: np.random.Generator) -> np.ndarray:
        truth = rng.integers(4, size=(items, 1))
        return np.where(rng.random((items, 3)) < 0.8, truth, rng.integers(4, size=(items, 3)))

    truth = bt.agree(world(20_000, np.random.default_rng(0)))["ordinal"].value
    assert truth is not None
    held = 0
    for seed in range(30):
        found = bt.agree(world(60, np.random.default_rng(seed + 1)))["ordinal"]
        held += found.low <= truth <= found.high  # type: ignore[operator]
    assert 26 <= held <= 30


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        ([[1, None], [None, 2]], {}, "no item has two ratings"),
        ([[1], [2]], {}, "ratings need two judges or more"),
        ([[1, "NA"], [2, 2]], {}, "'NA' is no number, and other ratings are"),
        ([["a", "b"], ["b", "a"]], {"order": ["a"]}, "leaves out 'b'"),
        ([[None, None]], {}, "there are no ratings"),
        ([[1, 1], [1, float("inf")]], {}, "a rating is infinite"),
        ({"item": [1, 1], "x": [1, 2], "y": [1, 2]}, {}, "names a row twice"),
        ({"text": ["good film", "bad film"], "x": ["a", "b"], "y": ["a", "a"]}, {}, "'text' has no rating in common"),
        ({"item": [1, 1], "judge": ["x", "x"], "rating": [1, 2]}, {}, "'x' rated '1' more than once"),
        ({"item": [1, 1], "rating": [1, 2]}, {"rating": "rating"}, "there is no column of judges"),
        ({"item": [1, 1], "judge": ["x", None], "rating": [1, 2]}, {}, "row 2 has no judge"),
    ],
)
def test_what_is_refused(ratings: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.BetterthanError, match=message):
        bt.agree(ratings, **options)


@pytest.mark.parametrize(("prevalence", "items", "judges"), [(0.02, 60, 2), (0.05, 40, 3)])
def test_intervals_hold_with_a_rare_label(prevalence: float, items: int, judges: int) -> None:
    """Judges miss the label in 30 % of its items, and see it in 1 % of the others."""

    def world(items: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        there = rng.random((items, 1)) < prevalence
        return np.where(there, rng.random((items, judges)) > 0.3, rng.random((items, judges)) < 0.01).astype(int)

    truth = bt.agree(world(20_000, 0))
    found = [bt.agree(world(items, seed)) for seed in range(1, 31)]
    for name in ("nominal", "cohen"):
        known = [each[name] for each in found if each[name].low is not None]
        assert len(known) > 15
        assert np.mean([each.low <= truth[name].value <= each.high for each in known]) >= 0.9


def test_perfect_agreement_of_ten_items_is_no_proof() -> None:
    found = bt.agree([[1, 1]] * 5 + [[2, 2]] * 5)
    for each in (*found.alphas, *found.measures):
        assert (each.value, each.high) == (pytest.approx(1.0), pytest.approx(1.0))
        assert each.low is not None
        assert each.low < 0.75
    assert [each.code for each in found.findings] == ["few-units"]
    more = bt.agree([[1, 1]] * 100 + [[2, 2]] * 100)
    assert 0.9 < more["nominal"].low < 1
    assert more.findings == ()
    assert "Intervals are for items like these, rated by the same judges." in str(more)


def test_further_coefficients() -> None:
    found = bt.agree(OBSERVERS, rows="raters")
    # The R package irrCAC has the same data as cac.raw4raters, and this value of gwet.ac1.raw.
    assert found["ac1"].value == pytest.approx(0.77544, abs=5e-6)
    names = ["fleiss", "cohen", "cohen-linear", "cohen-quadratic", "ac1", "icc", "equal-pairs"]
    assert [each.name for each in found.measures] == names
    words = bt.agree([["a", "b"], ["a", "a"], ["b", "b"]])
    assert [each.name for each in words.measures] == ["fleiss", "cohen", "ac1", "equal-pairs"]
    assert bt.agree([["a"] * 21, ["b"] * 21]).measures[1].name == "ac1"
    assert found.to_dict()["schema"] == "agreement/2"
    assert max(map(len, found.tables()[0].to_text(80).splitlines())) <= 80


def test_why_there_is_no_interval() -> None:
    found = bt.agree([[1, 2], [1, None]])
    assert found["nominal"].low is None
    messages = {each.code: each.message for each in found.findings}
    assert messages["no-agreement-interval"].endswith("no interval, because there is only one item.")
    assert messages["agreement-undefined"].startswith("ICC(A,1): undefined for these ratings")


def test_one_category_is_no_evidence_of_agreement() -> None:
    found = bt.agree([[1, 1], [1, 1]])
    assert "agreement-undefined" in [each.code for each in found.findings]
    assert found["nominal"].value is None
    assert found.share == 1
    assert "undefined" in str(found)


def test_on_the_command_line(tmp_path: Path, run: Callable[..., Answer]) -> None:
    file = tmp_path / "codings.csv"
    file.write_text("unit,ann,bob,note\n1,good,good,x\n2,bad,NA,y\n3,bad,bad,z\n4,good,bad,w\n")
    refused = run("agree", file)
    assert refused.code == 2
    assert "--raters" in refused.err
    done = run("agree", file, "--raters", "ann,bob", "--missing", "NA", "--order", "bad,good")
    assert done.code == 0, done.err
    assert "4 items · 2 judges · 7 ratings · 3 rated twice or more" in done.out
    assert "alpha, ordinal" in done.out
