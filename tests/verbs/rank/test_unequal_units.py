"""Units of which a few have most of the judgments: named on boards and in comparisons, with their effective number."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt


def votes(sizes: list[int]) -> dict[str, Any]:
    """Let judges give so many judgments each, on items of their own."""
    rng, number = np.random.default_rng(2), sum(sizes)
    judge = np.repeat([f"j{place}" for place in range(len(sizes))], sizes)
    winner = rng.choice(["a", "b", "tie"], number)
    return {"left": ["owl"] * number, "right": ["yak"] * number, "winner": winner, "judge": judge}


def found(result: Any) -> dict[str, float]:
    return {each.code: each.value for each in result.findings}


@pytest.mark.parametrize("verb", [bt.rank, bt.compare])
def test_heavy_judges_are_named_with_their_effective_number(verb: Any) -> None:
    sizes = [200, 100, 5, 5, 5, 5]
    expected = sum(sizes) ** 2 / sum(size**2 for size in sizes)
    assert found(verb(votes(sizes)))["unequal-units"] == pytest.approx(expected)
    assert f"count as about {expected:.1f} of equal size" in " ".join(str(verb(votes(sizes))).split())
    assert "unequal-units" not in found(verb(votes([60] * 6)))
    # 40 judges of whom each has a different number, but none has most
    assert "unequal-units" not in found(verb(votes([*range(20, 60)])))


def test_the_scarcer_unit_is_the_one_of_which_there_are_fewer() -> None:
    """Of 25 items and 40 judges, two of whom have nearly all judgments, items are few and judges unequal."""
    rng = np.random.default_rng(3)
    judge = np.array([f"j{place}" for place in range(40)])[np.r_[np.zeros(500, int), np.ones(400, int), np.arange(40)]]
    table = votes([len(judge)]) | {"judge": judge, "item": rng.integers(25, size=len(judge)).astype(str)}
    findings = {each.code: each.message for each in bt.rank(table).findings}
    assert "only 25 items" in findings["few-units"]
    assert "40 judges" in findings["unequal-units"]


def test_runs_of_systems_are_no_unequal_units() -> None:
    rng = np.random.default_rng(4)
    rows = [
        {"item": f"i{item}", "system": system, "repeat": run, "score": float(rng.normal())}
        for item in range(40) for system in ("owl", "yak", "elk", "ant") for run in range(3)
    ]  # fmt: skip
    assert "unequal-units" not in found(bt.rank(bt.read_scores(rows, repeat="repeat"), model="mean"))
