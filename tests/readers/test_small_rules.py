"""Rules of reading that no whole file shows: directions, chances, names of runs, items that are left out."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.columns.direction import Directions


def test_ter_is_lower_is_better_whatever_a_file_says() -> None:
    said = Directions(None, {("wmt", "ter"): False, ("wmt", "wer"): False, ("wmt", "bleu"): True})
    assert [said.lower("wmt", metric) for metric in ("ter", "wer", "bleu", "cer")] == [True, False, True, True]
    assert Directions(False).lower("wmt", "ter") is False


@pytest.mark.parametrize("chance", ["0", "-0.1", "1.01"])
def test_a_chance_is_above_0_and_at_most_1(chance: str) -> None:
    rows = {"left": ["owl"] * 3, "right": ["yak"] * 3, "winner": ["a", "b", "a"], "chance": ["0.5", "1", chance]}
    with pytest.raises(
        bt.EvidenceError, match=f"the chance '{chance}' in column 'chance' is not above 0 and at most 1"
    ):
        bt.rank(bt.read_judgments(rows, propensity="chance"), ci="none")


def test_scores_of_two_runs_are_named_by_their_files(tmp_path: Path) -> None:
    new, old = tmp_path / "new.csv", tmp_path / "old.csv"
    new.write_text("id,passed,speed\n1,1,7\n2,0,8\n", encoding="utf-8")
    old.write_text("id,correct,speed\n1,0,9\n2,1,9\n", encoding="utf-8")
    for names in (
        ["new.csv:passed", "old.csv:correct"],
        [f"{new}:passed", f"{old}:correct"],
        ["new:passed", "old:correct"],
    ):
        runs = bt.read_runs(str(new), str(old), score=names)
        assert runs.tables[0].values.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_excluded_items_leave_the_others_in_their_order() -> None:
    rows = [
        {"system": system, "item": item, "score": score}
        for item, scores in (("c", (1, 2)), ("a", (3, 4)), ("b", (5, 6))) for system, score in zip(("owl", "yak"), scores, strict=True)
    ]  # fmt: skip
    (table,) = bt.read_scores(rows, exclude="item=a").tables
    came = table.appearance if table.appearance is not None else range(len(table.items))
    assert [table.items[place] for place in came] == ["c", "b"]


def test_items_that_never_repeat_are_no_unit() -> None:
    rows = [
        {"left": "owl", "right": "yak", "outcome": "left" if place % 3 else "right", "item": f"i{place}"}
        for place in range(30)
    ]
    assert bt.rank(bt.read_judgments(rows), resamples=100).board.settings.unit == "row"
    rows.append(rows[0])
    assert bt.rank(bt.read_judgments(rows), resamples=100).board.settings.unit == "item"
