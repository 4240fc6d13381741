"""Duels: what is compared, what is recommended, what is said, and what is refused."""

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from tests.arenas import arena


def _scores(size: int = 60, shift: float = 0.5, seed: int = 0) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=size)
    return {"owl": (base + shift + rng.normal(0, 0.5, size)).tolist(), "yak": base.tolist(), "elk": (base - 1).tolist()}


def test_identical_systems_are_never_told_apart() -> None:
    same = _scores()["owl"]
    duel = bt.compare({"owl": same, "yak": same})
    assert {test.p for test in duel.tests} == {1.0}
    assert [finding.code for finding in duel.findings] == ["identical"]
    assert duel.equivalence.equal == 1.0
    assert duel.verdict.startswith(
        "owl and yak do not differ significantly on the mean score, for items like these: difference 0.00"
    )


def test_swapping_the_names_turns_everything_round() -> None:
    one, other = bt.compare(_scores(), "owl", "yak"), bt.compare(_scores(), "yak", "owl")
    assert (one.wins, one.losses) == (other.losses, other.wins)
    for test in one.tests:
        assert test.p == pytest.approx(other.test(test.name).p, abs=0.01)
    for name in ("mean_difference", "median_difference", "cohens_dz", "rank_biserial", "cliffs_delta"):
        assert one.effect(name).value == pytest.approx(-other.effect(name).value)
    assert "owl is better than yak" in one.verdict
    assert "yak is worse than owl" in other.verdict


@pytest.mark.parametrize(
    ("columns", "groups", "name"),
    [
        (_scores(), None, "t"),
        (_scores(4), None, "permutation"),
        ({"owl": [1, 0, 1, 1, 0, 1], "yak": [0, 0, 1, 0, 0, 1]}, None, "mcnemar-mid-p"),
        (_scores(), [str(place // 4) for place in range(60)], "permutation"),
        ({"owl": [1, 0, 1, 1] * 9, "yak": [0, 1, 0, 1] * 9}, [str(n // 6) for n in range(36)], "permutation-mid-p"),
        ({"owl": [*np.linspace(0, 1, 50), 30, 40, -50, 60, 70], "yak": [0.4] * 55}, None, "bootstrap"),
    ],
)
def test_the_recommended_test_fits_the_evidence(columns: Any, groups: Any, name: str) -> None:
    assert bt.compare(columns, "owl", "yak", groups=groups).recommended == name


def test_right_answers_in_the_majority_leave_no_score_above_the_median() -> None:
    columns = {"owl": [1, 1, 1, 1, 0], "yak": [1, 0, 1, 1, 1]}
    duel = bt.compare(bt.read_scores(columns))
    assert (duel.test("mood").p, duel.recommended) == (1.0, "mcnemar-mid-p")
    assert bt.compare_all(bt.read_scores(columns), "median").p[0, 1] == 1.0


def test_unmatched_items_are_named() -> None:
    runs = bt.read_runs(
        {"id": ["a", "b", "c"], "score": [1, 2, 3]}, {"id": ["c", "b", "d"], "score": [1, 1, 1]}, names=("new", "old")
    )
    duel = bt.compare(runs)
    assert (duel.n, duel.wins) == (2, 2)
    assert [finding.message for finding in duel.findings if finding.code == "unmatched"] == [
        "'new' has no score on 'd'; 2 items were compared.",
        "'old' has no score on 'a'; 2 items were compared.",
    ]


def test_judgments_are_compared_within_their_pair_and_unit() -> None:
    columns = arena()
    duel = bt.compare(columns, "owl", "yak")
    met = [
        (a, winner)
        for a, b, winner in zip(columns["model_a"], columns["model_b"], columns["winner"], strict=True)
        if {a, b} == {"owl", "yak"}
    ]
    wins = sum(winner == ("model_a" if a == "owl" else "model_b") for a, winner in met)
    assert (duel.n, duel.wins) == (len(met), wins)
    assert duel.recommended == "sign"
    assert duel.signature.facts["unit"] == "item+judge"
    assert "effective-sample" in [finding.code for finding in duel.findings]
    plain = bt.compare([("owl", "yak", "a")] * 9 + [("yak", "owl", "a")] * 2 + [("owl", "yak", "tie")], "owl", "yak")
    assert (plain.wins, plain.ties, plain.losses, plain.units) == (9, 1, 2, 12)
    assert plain.p == pytest.approx(0.0654296875)


@pytest.mark.parametrize("unit", [None, "row", "item", "judge", "item+judge"])
@pytest.mark.parametrize("weighted", [False, True])
def test_two_systems_are_tested_as_all_pairs_are(unit: str | None, weighted: bool) -> None:
    columns = arena(judgments=700)
    if not weighted:
        del columns["weight"]
    pairs = bt.compare_all(columns, unit=unit, by="pair")
    for a, b in (("owl", "yak"), ("yak", "owl"), ("elk", "yak")):
        duel = bt.compare(columns, a, b, unit=unit)
        one, two = pairs.systems.index(a), pairs.systems.index(b)
        assert duel.p == pytest.approx(pairs.p[one, two], rel=1e-9)
        assert duel.effect("superiority").value == pytest.approx(pairs.share[one, two])
        assert duel.unit == pairs.unit


def test_the_result_is_plain_json_and_repeats() -> None:
    duel = bt.compare(_scores(), "owl", "yak")
    document = json.loads(duel.to_json(), parse_constant=pytest.fail)
    assert document == duel.to_dict()
    keys = {
        "a",
        "b",
        "n",
        "wins",
        "ties",
        "losses",
        "mean_difference",
        "median_difference",
        "effects",
        "tests",
        "recommended",
        "findings",
        "signature",
    }
    assert keys <= document.keys()
    assert [test["name"] for test in document["tests"]] == [
        "t",
        "sign",
        "sign-mid-p",
        "wilcoxon",
        "wilcoxon-pratt",
        "mood",
        "permutation",
        "bootstrap",
    ]
    assert bt.compare(_scores(), "owl", "yak").to_json() == duel.to_json()
    assert all(len(line) <= 80 for line in duel.to_text(80).splitlines()[:-1])


@pytest.mark.parametrize(
    ("names", "choices", "message"),
    [
        (("owl", "yack"), {}, "no system 'yack' in this evidence. Did you mean 'yak'?"),
        ((), {}, "name the two systems to compare; there are: elk, owl, yak."),
        (("owl", "owl"), {}, "'owl' cannot be compared with itself. Name two systems."),
        (("owl", "yak"), {"margin": -1}, "margin must be a finite number of at least 0, got -1."),
        (("owl", "yak"), {"level": 95}, "level must be a number of at least 0.5 and below 1, got 95; 95 % is 0.95."),
        (("owl", "yak"), {"ties": "half"}, "ties must be one of drop, split, against, got 'half'."),
        (("owl", "yak"), {"groups": ["a"]}, "groups must have one entry per item: 60, got 1."),
    ],
)
def test_what_cannot_be_compared_is_refused(names: Any, choices: Any, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.compare(bt.read_scores(_scores()), *names, **choices)
    assert str(refusal.value) == message


def test_one_item_constant_scores_and_no_shared_item() -> None:
    one = bt.compare({"owl": [2.5], "yak": [1]})
    assert (one.n, one.wins, one.effect("mean_difference").low) == (1, 1, None)
    json.loads(one.to_json(), parse_constant=pytest.fail)
    constant = bt.compare({"owl": [2.5] * 30, "yak": [1] * 30})
    assert constant.test("sign").p < 1e-8
    json.loads(constant.to_json(), parse_constant=pytest.fail)
    with pytest.raises(bt.EvidenceError, match="'owl' and 'yak' have no item in common"):
        bt.compare(bt.read_scores({"owl": [1, None], "yak": [None, 2]}))


@pytest.mark.parametrize(("won", "tied", "lost"), [(39, 0, 21), (87, 319, 82)])
def test_counts_and_the_sign_test_of_scores(won: int, tied: int, lost: int) -> None:
    """Ties are many where scores are few grades; the sign test is exact."""
    scores = {"owl": [2.0] * won + [1.0] * (tied + lost), "yak": [1.0] * (won + tied) + [2.0] * lost}
    duel = bt.compare(bt.read_scores(scores), "owl", "yak")
    assert (duel.wins, duel.ties, duel.losses) == (won, tied, lost)
    assert duel.effect("superiority").value == pytest.approx((won + tied / 2) / (won + tied + lost))
    assert duel.test("sign").p == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-9)


def test_ties_count_against_the_leader_where_judgments_are_independent() -> None:
    votes = [("owl", "yak", word) for word in "a" * 12 + "b" * 4] + [("owl", "yak", "tie")] * 6
    duel = bt.compare(votes, "owl", "yak", ties="against")
    assert duel.test("sign").p == pytest.approx(stats.binomtest(12, 22).pvalue)
    grouped = {"item": list("aabbccdd"), "doc": list("xxxxyyyy"), "system": ["owl", "yak"] * 4, "score": range(8)}
    judged = {
        "left": ["owl"] * 8,
        "right": ["yak"] * 8,
        "winner": list("aaaabb") + ["tie"] * 2,
        "item": list("ppqqrrss"),
    }
    with pytest.raises(bt.PlanError) as found:
        bt.compare(judged, "owl", "yak", ties="against", unit="item")
    assert str(found.value) == "ties='against' is for independent judgments. Use ties='split', or unit='row'."
    with pytest.raises(bt.PlanError) as found:
        bt.compare(bt.read_scores(grouped, group="doc"), "owl", "yak", ties="against")
    assert str(found.value) == "ties='against' is for independent items, and these are in groups. Leave it out."
