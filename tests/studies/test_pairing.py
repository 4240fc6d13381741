"""The same marginals, paired in another way, have another winner."""

import numpy as np
import pytest

import betterthan as bt


def test_table_2() -> None:
    found = bt.study("pairing", quick=True)
    columns = found.columns()
    assert all(claim.agrees for claim in found.claims)
    assert len(columns["wins"]) == 120
    assert len(set(columns["mean_difference"])) == len(set(columns["median_difference"])) == 1
    # As printed S leads on four of five types, whose strengths are at least five standard deviations apart.
    assert columns["wins"][0] == pytest.approx(0.8, abs=0.01)
    assert columns["by_bradley-terry"][0] == "S"
    assert set(columns["by_mean"]) == set(columns["by_median"]) == {"S"}
    # 23 against 28, 40 against 45, 60 against 65 and 50 against 50: S then leads on one type and a half.
    least = int(np.argmin(columns["wins"]))
    assert columns["wins"][least] == pytest.approx(0.3, abs=0.06)
    assert columns["by_bradley-terry"][least] == "B"


def test_own_scores() -> None:
    """B is a little better on all instances but one; paired at random, the larger mean of A decides."""
    scores = {
        "A": [10.0 * place for place in range(9)] + [500.0],
        "B": [10.0 * place + 1 for place in range(9)] + [90.0],
    }
    found = bt.study("pairing(runs=200,a=A)", scores)
    columns = found.columns()
    assert columns["wins"][0] == pytest.approx(0.1)
    assert (columns["by_mean"][0], columns["by_bradley-terry"][0]) == ("A", "B")
    assert len(set(columns["mean_difference"])) == 1
    assert found.claim("In some pairings").agrees
    assert np.mean(columns["wins"]) > 0.35


def test_a_pairing_that_cannot_matter_is_said_to_agree_with_nothing() -> None:
    found = bt.study("pairing(runs=10)", {"A": [5.0, 6.0, 7.0], "B": [1.0, 2.0, 3.0]})
    assert not found.claim("In some pairings").agrees
    assert not found.claim("The pairing changes").agrees
    assert "however they are paired" in found.to_text()


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        ("pairing(a=C)", {"A": [1.5, 2], "B": [2.5, 1]}, "there is no system 'C'; allowed: A, B."),
        ("pairing(a=A,b=A)", {"A": [1.5, 2], "B": [2.5, 1]}, "a system cannot be compared with itself, got 'A' twice. Name two."),
        ("pairing", [("A", "B", "a")] * 3, "pairing is a study of a table of scores, but this evidence is judgments"),
    ],
)  # fmt: skip
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, evidence)
    assert str(refusal.value) == message
