"""Which test finds what another found: counted once more with SciPy."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import sign_flips


def _cell(found: bt.StudyResult, found_by: str, also_by: str) -> dict[str, Any]:
    columns = found.columns()
    place = [*zip(columns["found_by"], columns["also_by"], strict=True)].index((found_by, also_by))
    return {name: values[place] for name, values in columns.items()}


def test_counts_are_those_of_scipy() -> None:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(60, 9)) + np.linspace(0, 1, 9) + 2 * rng.normal(size=(60, 1))
    found = bt.study("tests-agree", {f"s{place}": values[:, place].tolist() for place in range(9)}, quick=True)
    p: dict[str, list[float]] = {"t": [], "wilcoxon": [], "sign": [], "mood": [], "permutation": []}
    for one, two in combinations(values.T, 2):
        p["t"].append(stats.ttest_rel(one, two).pvalue)
        p["wilcoxon"].append(stats.wilcoxon(one, two, correction=True, method="asymptotic").pvalue)
        p["sign"].append(stats.binomtest(int(np.sum(one > two)), 60).pvalue)
        p["mood"].append(stats.median_test(one, two).pvalue)
        p["permutation"].append(
            stats.permutation_test((one - two,), np.mean, permutation_type="samples", n_resamples=4999, rng=1).pvalue
        )
    for one, two in combinations(p, 2):
        first, second = np.array(p[one]) <= 0.05, np.array(p[two]) <= 0.05
        cell = _cell(found, one, two)
        near = 1 if "permutation" in {one, two} else 0  # random flips
        assert abs(cell["pairs"] - np.sum(first & second)) <= near
        assert (cell["of"], cell["share"]) == (first.sum(), pytest.approx(cell["pairs"] / first.sum()))
    assert _cell(found, "t", "t")["of"] == 36
    assert 0 < _cell(found, "mood", "mood")["pairs"] < _cell(found, "t", "t")["pairs"] < 36
    fewest = found.claim("Mood's test finds fewest")
    shares = [_cell(found, name, name)["share"] for name in ("t", "wilcoxon", "sign", "mood")]
    assert fewest.ours.value == pytest.approx(shares[3] - min(shares[:3]))
    assert fewest.agreement == "cannot tell"  # one data set has no interval
    assert _cell(found, "t", "t")["low"] is None  # one data set
    assert found.plot().to_svg().startswith("<svg")


def test_flips_of_many_columns_are_those_of_single_ones() -> None:
    rng = np.random.default_rng(2)
    units = rng.normal(size=(40, 7)) + np.linspace(0, 0.7, 7)
    units[10:, 0] = 0.0  # ten units that differ: exact
    units[:, 1] = 0.0
    p = sign_flips.flip_each(units, np.random.default_rng(3))
    alone = [sign_flips.flip(column, np.random.default_rng(4)).p for column in units.T]
    assert (p[0], p[1]) == (alone[0], 1.0)
    assert p == pytest.approx(np.array(alone), abs=0.02)


def test_groups_are_the_units() -> None:
    """Ten items of each document are copies: the tests see five documents, and five are never significant."""
    columns = {"item": [f"i{n}" for n in range(50)], "doc": [f"d{n // 10}" for n in range(50)]}
    columns |= {"a": [1.0 + n // 10 for n in range(50)], "b": [0.0] * 50}
    grouped = bt.study("tests-agree(tests=sign|permutation)", bt.read_scores(columns, item="item", group="doc"))
    assert _cell(grouped, "sign", "sign")["pairs"] == 0
    assert _cell(grouped, "sign", "permutation")["share"] is None
    plain = bt.study("tests-agree(tests=sign|permutation)", {name: columns[name] for name in "ab"})
    assert _cell(plain, "sign", "permutation")["share"] == 1.0


def test_fewer_items_find_less() -> None:
    rng = np.random.default_rng(1)
    scores = {name: (rng.normal(size=200) + 0.2 * shift).tolist() for shift, name in enumerate("abcdefgh")}
    found = [_cell(bt.study(f"tests-agree(share={share})", scores), "t", "t")["pairs"] for share in (0.1, 1)]
    assert found[0] < found[1] - 5


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        (
            "tests-agree(tests=t)",
            None,
            "tests-agree: tests must name at least two of t, wilcoxon, wilcoxon-pratt, sign, mood, permutation with | between them, and none twice, got 't'.",
        ),
        (
            "tests-agree(tests=t|z)",
            None,
            "tests-agree: tests must name at least two of t, wilcoxon, wilcoxon-pratt, sign, mood, permutation with | between them, and none twice, got 't|z'.",
        ),
        (
            "tests-agree",
            {"a": [1.5, None], "b": [None, 2.5]},
            "no two systems were scored on the same item. Check the items.",
        ),
        (
            "tests-agree",
            [("a", "b", "a")] * 3,
            "tests-agree is a study of tables of scores, but this evidence is judgments",
        ),
    ],
)
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, evidence)
    assert str(refusal.value) == message


def test_intervals_are_over_data_sets() -> None:
    rng = np.random.default_rng(12)
    rows: dict[str, list[Any]] = {"task": [], "instance": [], "system": [], "score": []}
    for task in range(6):
        shift = rng.normal(0, 0.8, 4)
        for item, system in np.ndindex(30, 4):
            cells = (f"t{task}", f"i{item}", f"M{system}", float(rng.normal(shift[system])))
            for name, cell in zip(rows, cells, strict=True):
                rows[name].append(cell)
    found = bt.study("tests-agree(tests=t|mood)", bt.read_scores(rows), quick=True)
    cell = _cell(found, "mood", "t")
    assert cell["low"] <= cell["share"] <= 1.0
    assert cell["low"] < 1.0 <= cell["high"]
    assert cell["printed"] == 0.98
