"""Square tables whose rows and columns are the same systems: counted wins, or refused."""

from pathlib import Path

import pytest

import betterthan as bt

CITED = "cited,owl,yak,elk\nowl,714,730,498\nyak,33,425,68\nelk,320,813,1072\n"


def _file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("name", ["cited", "wins", ""])
def test_rows_win_against_columns(name: str, tmp_path: Path) -> None:
    path = _file(tmp_path, "table.csv", f"{name},owl,yak,elk\nowl,,5,9\nyak,3,,6\nelk,1,2,\n")
    evidence = bt.read(path)
    assert isinstance(evidence, bt.Judgments)
    tally = evidence.tally()
    won = {}
    for left, right, times in zip(tally.left, tally.right, tally.times, strict=True):
        won[tally.systems[left], tally.systems[right]] = int(times)
    assert sorted(won.values()) == [1, 2, 3, 5, 6, 9]
    assert tally.number == 26
    board = bt.rank(evidence, ci="none").board
    assert [row.system for row in board.rows] == ["owl", "yak", "elk"]
    (found,) = [finding for finding in board.findings if finding.code == "rows-win"]
    assert found.message == "Cells are read as wins of their row: owl won 5 times against yak."


def test_rows_may_come_in_another_order_than_columns(tmp_path: Path) -> None:
    path = _file(tmp_path, "wins.csv", "wins,owl,yak,elk\nelk,1,2,0\nowl,0,5,9\nyak,3,0,6\n")
    assert [row.system for row in bt.rank(path, ci="none").board.rows] == ["owl", "yak", "elk"]


def test_citations_have_a_diagonal_that_says_nothing(tmp_path: Path) -> None:
    board = bt.rank(_file(tmp_path, "citations.csv", CITED), ci="none").board
    assert [(row.system, row.wins) for row in board.rows] == [("owl", 1228), ("elk", 1133), ("yak", 101)]


REFUSED = [
    (
        "owl,0.5,0.6,0.9",
        "yak,0.4,0.5,0.7",
        "elk,0.1,0.3,0.5",
        "its cells are shares of wins: how many comparisons each",
    ),
    ("owl,50,60.5,90", "yak,39.5,50,70", "elk,10,30,50", "its cells are shares of wins: how many comparisons each is"),
    (
        "owl,100,61.5,50",
        "yak,60,100,50",
        "elk,40,30,100",
        "its cells are no whole numbers, as similarities or distances",
    ),
    ("owl,0,7,5", "yak,7,0,3", "elk,5,3,0", "it is symmetric, as similarities, distances and numbers of comparisons"),
    ("owl,0,-1,2", "yak,1,0,3", "elk,-2,-3,0", "there are negative numbers, so its cells are no counts of wins"),
    ("owl,0,0,0", "yak,0,0,0", "elk,0,0,0", "no cell counts a win"),
    ("owl,90,6,9", "yak,5,80,4", "elk,4,3,99", "its diagonal holds counts, as a table of confusions does"),
]


@pytest.mark.parametrize(("first", "second", "third", "why"), REFUSED)
def test_other_squares_are_refused(first: str, second: str, third: str, why: str, tmp_path: Path) -> None:
    path = _file(tmp_path, "square.csv", "\n".join([",owl,yak,elk", first, second, third, ""]))
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert f"rows and columns have the same 3 names, but {why}" in str(refusal.value)


def test_a_filled_diagonal_is_read_on_request(tmp_path: Path) -> None:
    path = _file(tmp_path, "square.csv", CITED.replace("cited", "name"))
    with pytest.raises(bt.EvidenceError, match="its diagonal holds counts"):
        bt.read(path)
    assert bt.read(path, format="win-matrix").kind == "judgments"


def test_counted_pairs_by_letters() -> None:
    pairs = {"i": ["owl", "owl", "yak"], "j": ["yak", "elk", "elk"], "r_ij": [0.7, 0.8, 0.6]}
    counted = {"w_ij": [7, 8, 6], "w_ji": [3, 2, 4]}
    totals = bt.read({**pairs, **counted, "t_ij": [10, 10, 10]})
    assert isinstance(totals, bt.Judgments)
    assert totals.tally().number == 30
    ties = {**pairs, **counted, "t_ij": [1, 2, 3]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(ties)
    assert str(refusal.value) == (
        "the given arrays: 't_ij' is not the sum of 'w_ij' and 'w_ji', so it may count ties. If it does, name all three: "
        "counts=['w_ij', 't_ij', 'w_ji']; else counts=['w_ij', 'w_ji']."
    )
    assert bt.read_judgments(ties, counts=["w_ij", "t_ij", "w_ji"]).tally().number == 36
    assert bt.read_judgments(ties, counts=["w_ij", "w_ji"]).tally().number == 30
