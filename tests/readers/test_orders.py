"""Whole orders: as texts, as lists, by place, counted, and in PrefLib's files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, refused

ORDERS = ["owl > yak > elk", "yak > owl = elk", "elk>owl", "owl=yak > elk"]
RANKS = {"owl": [1, 2, 2, 1], "yak": [2, 1, None, 1], "elk": [3, 2, 1, 2]}


def _same(one: Any, other: Any) -> None:
    """Check that two rankings hold the same ranks."""
    assert one.systems == other.systems
    for read in (one, other):
        table = np.full((len(read.weight), len(read.systems)), np.nan)
        table[read.ranking, read.system] = read.rank
        one = table if read is one else one
    np.testing.assert_array_equal(one, table)


def test_texts_are_the_rankings_that_they_say() -> None:
    _same(bt.read({"order": ORDERS}), bt.read_rankings(RANKS))


def test_lists_are_the_rankings_that_they_say(tmp_path: Path) -> None:
    lists = [["owl", "yak", "elk"], ["yak", ["owl", "elk"]], ["elk", "owl"], [["owl", "yak"], "elk"]]
    path = tmp_path / "ballots.jsonl"
    path.write_text("\n".join(json.dumps({"judge": "ann", "ballot": each}) for each in lists))
    _same(bt.read(path), bt.read_rankings(RANKS))
    path = tmp_path / "ballots.csv"
    quoted = [json.dumps(each).replace('"', '""') for each in lists]
    path.write_text("\n".join(["judge,order", *(f'ann,"{each}"' for each in quoted)]))
    _same(bt.read(path), bt.read_rankings(RANKS))


@pytest.mark.parametrize(
    "names",
    [
        ("first", "second", "third"),
        ("rank_1", "rank_2", "rank_3"),
        ("Rank1", "Rank2", "Rank3"),
        ("1st", "2nd", "3rd"),
        ("choice 1", "choice 2", "choice 3"),
        ("First place", "Second place", "Third place"),
    ],
)
def test_places_name_systems(names: tuple[str, ...]) -> None:
    places = dict(zip(names, (["owl", "yak", "elk"], ["yak", "owl", "owl"], ["elk", "elk", None]), strict=True))
    rankings = bt.read(places)
    assert rankings.reading.format == "rankings-by-place"
    _same(rankings, bt.read_rankings({"owl": [1, 2, 2], "yak": [2, 1, None], "elk": [3, 3, 1]}))


def test_a_count_is_so_many_rankings_and_no_weight() -> None:
    counted = bt.read({"order": ["owl > yak", "yak > owl > elk"], "count": [3, 2]})
    one_by_one = bt.read({"order": ["owl > yak"] * 3 + ["yak > owl > elk"] * 2})
    _same(counted, one_by_one)
    assert counted.weight.tolist() == [1.0] * 5
    assert bt.rank(counted, seed=1).board.rows == bt.rank(one_by_one, seed=1).board.rows
    places = bt.read({"first": ["owl", "yak"], "second": ["yak", "owl"], "third": ["elk", "elk"], "n": [2, 1]})
    assert len(places.weight) == 3
    with pytest.raises(bt.EvidenceError, match=r"row 1: the count '1.5' is not a whole number"):
        bt.read({"order": ["owl > yak", "yak > owl"], "count": [1.5, 2]})


def test_words_for_sides_are_no_systems() -> None:
    with pytest.raises(bt.EvidenceError, match="cannot tell what kind of evidence"):
        bt.read({"vote": ["A>B", "B>A", "A=B"], "source": ["owl", "owl", "yak"]})
    assert bt.read({"vote": ["A>B", "B>A"]}, orders="vote").systems == ("A", "B")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"order": ["owl > yak", "owl > owl"]}, "row 2: 'owl > owl' is no order of systems."),
        ({"order": ["owl > yak", "owl >> yak"]}, "row 2: 'owl >> yak' is no order of systems."),
        ({"order": ["owl > yak", "owl"]}, "row 2: 'owl' is no order of systems."),
        ({"order": ["owl > yak", '["owl", 0.5]']}, "row 2: '[\"owl\", 0.5]' is no order of systems."),
        ({"order": ["owl > yak", None]}, "row 2: (missing) is no order of systems."),
    ],
)
def test_what_is_no_order_is_refused(columns: dict[str, Any], message: str) -> None:
    assert message in refused(columns, orders="order")
    assert bt.read(columns, orders="order", on_error="skip").account.refused == 1


@pytest.mark.parametrize(
    ("second", "third", "message"),
    [
        ([None, "owl"], ["elk", "elk"], "row 1: a place is empty before a later one."),
        ([None, "owl"], [None, "elk"], "row 1: fewer than two systems are ranked."),
        (["owl", "owl"], ["elk", "elk"], "row 1: a system has two places in one ranking."),
    ],
)
def test_places_without_sense_are_refused(second: list[Any], third: list[Any], message: str) -> None:
    assert message in refused({"first": ["owl", "yak"], "second": second, "third": third})


def test_numbers_in_columns_of_ranks_are_no_names() -> None:
    with pytest.raises(bt.EvidenceError, match=r"'rank_1', 'rank_2', 'rank_3' do not sound like a system's name"):
        bt.read({"rank_1": [1, 2, 3], "rank_2": [2, 1, 1], "rank_3": [3, 3, 2]})


HEADER = "# FILE NAME: {name}\n# DATA TYPE: {kind}\n# NUMBER VOTERS: {voters}\n# ALTERNATIVE NAME 1: owl\n# ALTERNATIVE NAME 2: yak, the old\n# ALTERNATIVE NAME 3: elk\n"


def _preflib(folder: Path, lines: str, kind: str = "toc", voters: int = 7, name: str = "votes") -> Path:
    path = folder / f"{name}.{kind}"
    path.write_text(HEADER.format(name=path.name, kind=kind, voters=voters) + lines)
    return path


def test_preflib_counts_voters(tmp_path: Path) -> None:
    rankings = bt.read(_preflib(tmp_path, "4: 1,2,3\n2: 2,{1,3}\n1: {3,2},1\n"))
    again = {"owl": [1] * 4 + [2] * 3, "yak, the old": [2] * 4 + [1] * 3, "elk": [3] * 4 + [2, 2, 1]}
    _same(rankings, bt.read_rankings(again))
    assert rankings.weight.tolist() == [1.0] * 7


def test_preflib_orders_may_be_incomplete(tmp_path: Path) -> None:
    path = _preflib(tmp_path, "3: 1,3\n2: 2\n2: 3,2,1\n", "soi")
    assert found(path)["annotations-left-out"] == "2 annotations were left out: they rank one alternative only."
    rankings = bt.read(path)
    _same(
        rankings,
        bt.read_rankings({"owl": [1] * 3 + [3] * 2, "yak, the old": [None] * 3 + [2] * 2, "elk": [2] * 3 + [1] * 2}),
    )


def test_preflib_files_are_data_sets(tmp_path: Path) -> None:
    _preflib(tmp_path, "7: 1,2,3\n", "soc", name="one")
    _preflib(tmp_path, "7: 3,2,1\n", "soc", name="two")
    boards = bt.rank(tmp_path, model="borda", ci="none")
    assert {board.title: board.rows[0].system for board in boards.boards} == {"one": "owl", "two": "elk"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("7: 1,2,4\n", "line 7: the header has no name of the alternative 4"),
        ("7: 1,1,2\n", "line 7: is no order of PrefLib; allowed: lines such as '12: 1,{2,3},4'"),
        ("7: 1,{2,3\n", "line 7: is no order of PrefLib"),
        ("owl > yak\n", "line 7: is no order of PrefLib"),
        ("6: 1,2,3\n", "the header says 7 voters, the lines add up to 6. Check whether the file is whole."),
    ],
)
def test_damaged_preflib_files_are_refused(lines: str, message: str, tmp_path: Path) -> None:
    assert message in refused(_preflib(tmp_path, lines))


def test_older_preflib_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.soc"
    path.write_text("3\n1,owl\n2,yak\n3,elk\n7,7,1\n7,1,2,3\n")
    assert "line 1: there are no lines '# ALTERNATIVE NAME 1: …' before the first order." in refused(path)


def test_many_voters_are_read_at_once(tmp_path: Path) -> None:
    rankings = bt.read(_preflib(tmp_path, "1000000: 1,2,3\n500000: 3,{1,2}\n", voters=1_500_000))
    assert len(rankings.weight) == 1_500_000
    assert format_called("preflib").kind == "rankings"
