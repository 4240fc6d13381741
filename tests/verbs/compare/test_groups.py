"""Groups of instances that a column names: read with scores, used by compare and power."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt

GROUPS = [f"d{place // 3}" for place in range(30)]
NUMBERS = [10 + place // 3 for place in range(30)]
OWL = np.random.default_rng(0).normal(0.3, 1, 30).round(3).tolist()
YAK = np.random.default_rng(1).normal(0, 1, 30).round(3).tolist()
ITEMS = [f"i{place:02d}" for place in range(30)]


def _wide(groups: list[Any]) -> dict[str, list[Any]]:
    return {"segment": ITEMS, "document": groups, "owl": OWL, "yak": YAK}


def _long(groups: list[Any]) -> dict[str, list[Any]]:
    systems = ["owl"] * 30 + ["yak"] * 30
    return {"segment": ITEMS * 2, "document": groups * 2, "system": systems, "score": OWL + YAK}


def _answers(duel: bt.Duel) -> list[Any]:
    return [duel.units, *(test.p for test in duel.tests), *(effect.to_dict() for effect in duel.effects)]


@pytest.mark.parametrize("groups", [GROUPS, NUMBERS])
@pytest.mark.parametrize("layout", [_wide, _long])
def test_a_column_of_groups_is_as_good_as_groups_given(layout: Any, groups: list[Any]) -> None:
    scores = bt.read(layout(groups), group="document")
    assert scores.systems == ("owl", "yak")
    duel = bt.compare(scores)
    given = bt.compare(bt.read_scores({"segment": ITEMS, "owl": OWL, "yak": YAK}), groups=GROUPS)
    assert duel.units == 10
    assert _answers(duel) == _answers(given)
    assert (duel.signature.facts["unit"], given.signature.facts["unit"]) == ("group", "group")
    assert bt.power(scores).to_dict()["needs"] == bt.power(scores, groups=GROUPS).to_dict()["needs"]
    assert bt.power(scores).units == 10


def test_groups_given_win_over_the_column() -> None:
    scores = bt.read_scores(_wide(GROUPS), group="document")
    duel = bt.compare(scores, groups=[name[1:] for name in ITEMS])
    assert (duel.units, duel.signature.facts["unit"]) == (30, "item")


def test_a_column_of_groups_is_not_taken_for_items_or_systems() -> None:
    columns = {"document": NUMBERS, "owl": OWL, "yak": YAK}
    scores = bt.read_scores(columns, group="document")
    assert sorted(scores.tables[0].items)[:2] == ["01", "02"]
    assert bt.compare(scores).units == 10
    with pytest.raises(bt.EvidenceError, match="occurs twice"):
        bt.read_scores(columns)


def test_a_column_of_groups_does_not_decide_the_kind() -> None:
    with pytest.raises(bt.EvidenceError, match=r"the numbers 1 to 2, where 1 is best\) or scores"):
        bt.read({"document": [7, 7, 8], "owl": [1, 2, 1], "yak": [2, 1, 2]}, group="document")


def test_without_group_nothing_is_grouped() -> None:
    assert bt.read_scores(_long(GROUPS)).tables[0].groups is None
    assert bt.compare(_long(GROUPS)).units == 30


def test_an_item_of_two_data_sets_may_be_in_two_groups() -> None:
    columns = _long(GROUPS)
    double = {name: values * 2 for name, values in columns.items()} | {"metric": ["x"] * 60 + ["y"] * 60}
    double["document"] = columns["document"] + ["other"] * 60
    one, other = bt.read_scores(double, group="document").tables
    assert one.groups.texts().tolist() == GROUPS
    assert set(other.groups.texts()) == {"other"}


def test_a_divided_item_and_a_missing_group_are_refused() -> None:
    columns = _long(GROUPS)
    columns["document"] = [*columns["document"][:-1], "d0"]
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores(columns, group="document")
    assert "row 60: the item 'i29' is in the group 'd0' and in another." in str(refusal.value)
    skipped = bt.read_scores(columns, group="document", on_error="skip")
    assert (skipped.account.refused, skipped.tables[0].groups.texts()[29]) == (1, "d9")
    for layout in (_wide, _long):
        with pytest.raises(bt.EvidenceError, match="row 2: the group is missing"):
            bt.read_scores(layout(["d0", None, *GROUPS[2:]]), group="document")
    with pytest.raises(bt.EvidenceError, match=r"no column 'documents'; .*\n.*: with 'document' for 'documents'"):
        bt.read_scores(_wide(GROUPS), group="documents")
    with pytest.raises(bt.EvidenceError, match="group has no effect on judgments"):
        bt.read({"left": ["owl"], "right": ["yak"], "winner": ["a"], "document": ["d"]}, group="document")


def _runs(first: Any, second: Any) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    new: dict[str, list[Any]] = {"id": ITEMS, "score": OWL}
    old: dict[str, list[Any]] = {"id": ITEMS[::-1], "score": YAK[::-1]}
    return new | ({"doc": first} if first else {}), old | ({"doc": second} if second else {})


@pytest.mark.parametrize("groups", [(GROUPS, GROUPS[::-1]), (GROUPS, None), (None, GROUPS[::-1])])
def test_runs_have_groups_in_both_files_or_in_one(groups: Any) -> None:
    runs = bt.read_runs(*_runs(*groups), names=("owl", "yak"), group="doc")
    assert runs.tables[0].groups.texts().tolist() == GROUPS
    assert _answers(bt.compare(runs)) == _answers(bt.compare(_wide(GROUPS), groups=GROUPS))


def test_runs_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_runs(*_runs(GROUPS, ["d7", *GROUPS[::-1][1:]]), names=("new", "old"), group="doc")
    assert str(refusal.value) == (
        "the item 'i29' is in the group 'd9' in new and 'd7' in old. An item belongs to one group: correct one of "
        "the files."
    )
    with pytest.raises(bt.EvidenceError, match="no column 'doc'"):
        bt.read_runs(*_runs(None, None), group="doc")


def test_an_item_without_a_partner_needs_no_group() -> None:
    new, old = _runs(None, GROUPS[::-1])
    new = {"id": [*ITEMS, "extra"], "score": [*OWL, 1.0]}
    duel = bt.compare(bt.read_runs(new, old, names=("new", "old"), group="doc"))
    assert (duel.n, duel.units) == (30, 10)


def test_groups_by_item_are_those_in_order() -> None:
    scores = {"item": ["1", "2", "3", "4"], "owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}
    in_order = bt.compare(scores, "owl", "yak", groups=["x", "x", "y", "y"])
    by_item = bt.compare(scores, "owl", "yak", groups={"4": "y", "3": "y", "2": "x", "1": "x"})
    assert "in 2 groups" in str(in_order.verdict)
    assert by_item == in_order


@pytest.mark.parametrize("wrong", ["xxyy", 4, [1, 1, 2, 2]])
def test_groups_of_another_type_are_refused(wrong: Any) -> None:
    with pytest.raises(bt.PlanError) as refused:
        bt.compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, groups=wrong)
    must = "groups must be a mapping of items to groups, or a list with one group per item"
    assert str(refused.value) == f"{must}, got {wrong!r}."
