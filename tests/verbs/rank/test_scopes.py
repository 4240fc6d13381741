"""What results hold for: units taken as given, one look or many, and comparisons drawn one by one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.base.errors import PlanError


def votes(judges: int = 12) -> dict[str, Any]:
    """Return 300 judgments of three systems, by judges and on items that repeat."""
    rng, number = np.random.default_rng(5), 300
    names = np.array(["owl", "yak", "elk"])
    left = rng.integers(3, size=number)
    right = (left + rng.integers(1, 3, size=number)) % 3
    return {
        "left": names[left],
        "right": names[right],
        "winner": np.where(rng.random(number) < 0.5 + 0.15 * np.sign(right - left), "a", "b"),
        "item": rng.integers(40, size=number).astype(str),
        "judge": rng.integers(judges, size=number).astype(str),
    }


def test_judges_that_are_taken_as_given_are_in_no_verdict_as_a_sample() -> None:
    evidence = bt.read(votes(), fixed=["judge"])
    scope = "for items like these and these 12 judges"
    assert scope in bt.rank(evidence).board.promise
    assert scope in bt.compare_all(evidence).verdict
    assert scope in bt.compare(evidence, "owl", "yak").verdict
    assert scope in " ".join(str(bt.report(evidence)).split())
    assert bt.diagnose(evidence).findings is not None


def test_a_state_refuses_units_that_are_taken_as_given(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"fixed='judge' is not kept by a state"):
        bt.rank(bt.read(votes(), fixed=["judge"]), state=tmp_path / "state.duckdb")


def test_comparisons_drawn_one_by_one_say_nothing_about_other_items() -> None:
    assert bt.rank(votes(), per_pair="20").board.scope == "for samples from these judgments"
    scores = {"owl": [3.0, 5, 4, 6], "yak": [2.0, 1, 4, 3]}
    assert bt.rank(scores, model="bradley-terry", per_pair="20").board.scope == "for samples from these items"


@pytest.mark.parametrize("unit", ["row", "item", "judge"])
def test_what_else_is_dependent_is_named_with_a_unit_that_allows_for_all_of_it(unit: str) -> None:
    (found,) = [each for each in bt.rank(votes(), unit=unit).findings if each.code == "other-units"]
    assert "unit='item+judge'" in str(found)


def test_runs_that_are_left_out_are_named_with_a_unit_that_exists() -> None:
    rng = np.random.default_rng(6)
    rows = [
        {"item": item, "system": system, "repeat": run, "score": float(rng.normal())}
        for item in range(20) for system in ("owl", "yak") for run in range(3)
    ]  # fmt: skip
    scores = bt.read_scores(rows, repeat="repeat")
    (found,) = [each for each in bt.rank(scores, model="mean", unit="item").findings if each.code == "other-units"]
    assert "unit='item+run'" in str(found)
    assert bt.rank(scores, model="mean", unit="item+run").board.settings.unit == "item+run"
    assert "by item and run" in str(bt.compare(scores, "owl", "yak").test("t").note)
    with pytest.raises(PlanError, match="these scores name no judges"):
        bt.rank(bt.read_scores(rows, repeat="repeat", fixed=["judge"]))


@pytest.mark.parametrize(
    ("against", "named"),
    [
        ({"per_pair": "20"}, "per_pair='20'"),
        ({"ci": "runs", "model": "elo"}, "ci='runs'"),
        ({"clusters": "wmt"}, "clusters='wmt'"),
        ({"clusters": "wmt", "ci": "analytic"}, "clusters='wmt'"),
    ],
)
def test_what_speaks_against_decisions_at_every_look_is_named(against: dict[str, Any], named: str) -> None:
    with pytest.raises(PlanError, match=f"which {named} does not"):
        bt.rank(votes(), horizon="anytime", **against)
