"""Cycles: no p-value is smaller than the number of draws can show."""

import pytest

import betterthan as bt


def test_clear_cycles_have_the_smallest_p_there_is() -> None:
    votes = [
        (a, b, "a" if place < 18 else "b")
        for a, b in (("owl", "yak"), ("yak", "elk"), ("elk", "owl"))
        for place in range(20)
    ]
    (found,) = [each for each in bt.diagnose(votes).findings if each.code == "intransitive"]
    assert found.level == "warning"
    assert found.numbers["p"] == pytest.approx(1 / 200)
    assert found.numbers["cycles"] == 1
