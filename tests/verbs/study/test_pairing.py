"""The same marginals, paired in another way, have another winner."""

from itertools import combinations

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.study.experiments.pairing import third_changes


def test_table_2() -> None:
    found = bt.study("pairing", quick=True)
    columns = found.columns()
    misprint = found.claim("With C = [3, 2, 1], as printed")
    assert all(claim.agreement == "agrees" for claim in found.claims if claim != misprint)
    assert misprint.agreement == "differs"
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
    assert found.claim("In some pairings").agreement == "agrees"
    assert np.mean(columns["wins"]) > 0.35


def test_appendix_f() -> None:
    """A third system that beats the better and loses to the worse of two makes all equal: a circle."""
    found = bt.study("pairing", quick=True)
    assert found.claim("Appendix F").ours.value == pytest.approx(2 / 3)
    assert found.claim("With C = [3, 1, 2]").ours.value == pytest.approx(0, abs=1e-9)
    scores = {"A": [1.0, 2, 3], "B": [2.0, 3, 1], "C": [3.0, 2, 1]}
    board = bt.rank(scores, model="bradley-terry", scale="worth", ci="none").board
    assert found.claim("With C = [3, 2, 1]").ours.value == pytest.approx(board["B"].score - board["A"].score)
    assert found.claim("With C = [3, 2, 1]").ours.value > 0.1


def test_orders_that_a_third_system_changes() -> None:
    """Counted once more by ranking every two and every three systems."""
    values = np.random.default_rng(6).integers(5, size=(12, 6)).astype(float)
    changed = 0
    for three in combinations(range(6), 3):
        order = bt.rank({f"s{p}": values[:, p] for p in three}, model="bradley-terry", ci="none").board
        rank = {p: order[f"s{p}"].rank for p in three}
        differs = False
        for one, two in combinations(three, 2):
            alone = np.sign(np.sum(np.sign(values[:, one] - values[:, two])))
            differs |= bool(alone != 0 and alone != np.sign(rank[two] - rank[one]))
        changed += differs
    assert third_changes(values) == (changed, 20)
    assert changed > 0
    found = bt.study("pairing(runs=10)", {f"s{place}": values[:, place].tolist() for place in range(6)})
    claim = found.claim("A third system changes")
    assert claim.ours.value == pytest.approx(changed / 20)
    assert claim.agreement == "differs"
    assert f"{changed} of 20 threes change" in claim.cause


def test_three_joint_pictures() -> None:
    """The marginals are the same in all three, the halves with more instances are not."""
    found = bt.study("pairing", quick=True)
    drawn = found.drawn
    assert list(drawn) == ["as it is", "least wins", "most even"]  # as it is, S wins most already
    for side in ("of_a", "of_b", "means", "medians"):
        assert drawn["least wins"][side] == pytest.approx(drawn["as it is"][side])
        assert drawn["most even"][side] == pytest.approx(drawn["as it is"][side])
    assert drawn["least wins"]["won"] < drawn["least wins"]["lost"]
    assert drawn["as it is"]["won"] > drawn["as it is"]["lost"]
    assert drawn["as it is"]["won"] == found.columns()["wins"][0] * 100
    svg = found.plot(title="Figure 2").to_svg()
    assert all(name in svg for name in ("as it is", "least wins", "most even", "Figure 2"))


def test_a_pairing_that_cannot_matter_is_said_to_agree_with_nothing() -> None:
    found = bt.study("pairing(runs=10)", {"A": [5.0, 6.0, 7.0], "B": [1.0, 2.0, 3.0]})
    assert found.claim("In some pairings").agreement != "agrees"
    assert found.claim("The pairing changes").agreement != "agrees"
    assert "however they are paired" in found.to_text()


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        ("pairing(a=C)", {"A": [1.5, 2], "B": [2.5, 1]}, "there is no system 'C'; allowed: A, B."),
        (
            "pairing(a=A,b=A)",
            {"A": [1.5, 2], "B": [2.5, 1]},
            "a system cannot be compared with itself, got 'A' twice. Name two.",
        ),
        ("pairing", [("A", "B", "a")] * 3, "pairing is a study of a table of scores, but this evidence is judgments"),
    ],
)
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, evidence)
    assert str(refusal.value) == message


def test_the_order_of_a_whole_table_is_searched_too() -> None:
    """`diagnose` says of the same table how many pairs are turned by a third system."""
    rng = np.random.default_rng(11)
    scores = bt.read_scores({f"M{number}": rng.standard_t(1.5, 12).round(2).tolist() for number in range(12)})
    claim = bt.study("pairing(runs=10)", scores).claim("Pairs whose order in the whole table")
    said = [finding for finding in bt.diagnose(scores).findings if finding.code == "depends-on-others"]
    assert said, "a table in which pairs are turned"
    assert claim.ours.value == pytest.approx(said[0].numbers["number"] / (12 * 11 / 2))
