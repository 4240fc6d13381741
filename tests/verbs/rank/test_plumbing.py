"""What passes between evidence, models and boards: units, findings and options reach their place."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from tests.arenas import arena

CIRCLE = [("owl", "yak", "a"), ("yak", "owl", "a"), ("yak", "elk", "a"), ("elk", "owl", "a")] * 3
ISLAND = [("bee", "ant", "a"), ("ant", "bee", "a"), ("bee", "ant", "a")]


def test_who_cannot_be_compared_has_no_chance_of_being_best() -> None:
    board = bt.rank([*CIRCLE, *ISLAND], resamples=40).board
    assert board["bee"].p_best is None
    assert board["ant"].p_best is None
    assert sum(board[name].p_best or 0 for name in ("owl", "yak", "elk")) == pytest.approx(1.0)


def test_findings_of_several_boards_are_those_of_each() -> None:
    votes = bt.read_judgments(arena(), item="prompt_id", judge="judge")
    boards = bt.rank(votes, model="bradley-terry,elo", resamples=40, unit="item")
    for board in boards:
        assert set(board.findings) <= set(boards.findings)
    assert {finding for board in boards for finding in board.findings} == set(boards.findings)
    assert {"other-units", "order-dependence"} <= {finding.code for finding in boards.findings}
    text = boards.to_text()
    assert "elo: " in text  # what not all boards share says whose it is
    assert [each["code"] for each in boards.to_dict()["findings"]] == [finding.code for finding in boards.findings]


def test_units_of_one_judgment_each_are_the_judgments() -> None:
    """A shortcut, which must not be taken where a row stands for several judgments or has a weight."""
    columns = {
        "left": ["owl", "owl", "yak", "owl"] * 2,
        "right": ["yak", "elk", "elk", "yak"] * 2,
        "winner": ["a", "tie", "b", "b"] * 2,
        "item": [f"i{place}" for place in range(8)],
    }
    assert data_sets(columns).sets[0].by == ()
    counted = bt.read_judgments({**columns, "n": [5] * 8}, counts=["n"])
    weighted = bt.read_judgments({**columns, "weight": [2, 1, 1, 1] * 2})
    repeated = {**columns, "item": ["i0", *(f"i{place}" for place in range(7))]}
    for evidence in (counted, repeated):
        assert data_sets(evidence).sets[0].by == ("item",)
    assert data_sets(weighted, unit="item").sets[0].by == ("item",)
    # Eight items of five judgments each vary far more than forty judgments would.
    by_item = bt.rank(counted, resamples=400).board["owl"].interval
    by_row = bt.rank(counted, unit="row", resamples=400).board["owl"].interval
    assert by_item != by_row


def test_groups_of_scores_are_the_unit() -> None:
    """Intervals over items that come in groups are too narrow: groups were ignored by rank and compare_all."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "item": f"{group}-{place}",
            "document": f"d{group}",
            "system": system,
            "score": strength + effect + rng.normal(0, 0.1),
        }
        for group, shared in enumerate(rng.normal(size=(20, 3)))
        for place in range(10)
        for (system, strength), effect in zip((("owl", 0.3), ("yak", 0.0), ("elk", 0.0)), shared, strict=True)
    ]
    grouped, alone = bt.read_scores(rows, group="document"), bt.read_scores(rows)
    for model in ("mean", "bradley-terry"):
        wide, narrow = (bt.rank(each, model=model, resamples=400).board for each in (grouped, alone))
        assert (wide.settings.unit, narrow.settings.unit) == ("group", "item")
        assert wide["owl"].score == narrow["owl"].score
        widths = [board["owl"].high - board["owl"].low for board in (wide, narrow)]
        assert widths[0] > 2 * widths[1]
        assert bt.rank(grouped, model=model, unit="item", resamples=400).board["owl"].interval == narrow["owl"].interval
        together, apart = bt.compare_all(grouped, model), bt.compare_all(alone, model)
        assert (together.test, together.unit, apart.unit) == (apart.test, "group", "item")
        assert together.p[0, 1] > apart.p[0, 1]
    assert "20 groups" in str(bt.rank(grouped, ci="none").boards[0].evidence)
    assert bt.rank(grouped, ci="none").data != bt.rank(alone, ci="none").data
    with pytest.raises(bt.PlanError, match=r"scores are resampled by item, got 'group'. Name the column of groups"):
        bt.rank(alone, unit="group")


def test_all_pairs_by_group_are_tested_as_two_systems_are() -> None:
    rng = np.random.default_rng(1)
    rows = [
        {"item": f"i{item}", "document": f"d{item // 4}", "system": name, "score": rng.normal() + shift}
        for item in range(40)
        for name, shift in (("owl", 0.5), ("yak", 0.0), ("elk", 0.2))
    ]
    scores = bt.read_scores(rows, group="document")
    pairs = bt.compare_all(scores, "mean")
    for one, two in (("owl", "yak"), ("yak", "elk")):
        a, b = pairs.systems.index(one), pairs.systems.index(two)
        assert pairs.p[a, b] == pytest.approx(bt.compare(scores, one, two).p)


def test_two_systems_are_compared_by_the_unit_of_the_data_set() -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"i{item}", "document": f"d{item // 4}", "system": name, "score": rng.normal() + shift}
        for item in range(40)
        for name, shift in (("owl", 0.5), ("yak", 0.0))
    ]
    scores = bt.read_scores(rows, group="document")
    alone = bt.compare(data_sets(scores, unit="item").sets[0], "owl", "yak")
    assert alone.test("t").p == pytest.approx(bt.compare(bt.read_scores(rows), "owl", "yak").test("t").p)
    assert (alone.signature.facts["unit"], bt.compare(scores, "owl", "yak").signature.facts["unit"]) == (
        "item",
        "group",
    )
    assert bt.power(data_sets(scores, unit="item").sets[0], "owl", "yak", simulations=0).units == 40
