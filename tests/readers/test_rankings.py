"""Rankings: wide, long and WMT layouts; ties and partial rankings; conversion to pairs."""

from itertools import combinations
from pathlib import Path

import pytest

import betterthan as bt

LONG = {
    "ranking": ["r1", "r1", "r1", "r2", "r2"],
    "system": ["owl", "yak", "elk", "yak", "owl"],
    "rank": [1, 2, 2, 1, 3],
    "judge": ["x", "x", "x", "y", "y"],
}
WIDE = {"judge": ["x", "y"], "owl": [1, 3], "yak": [2, 1], "elk": [2, None]}


def _pairs(rankings: bt.Rankings) -> set[tuple[str, str, int]]:
    tally = rankings.to_judgments().tally("ranking")
    return {
        (*sorted((tally.systems[a], tally.systems[b])), int(o) if tally.systems[a] < tally.systems[b] else 2 - int(o))
        for a, b, o in zip(tally.left, tally.right, tally.outcome, strict=True)
    }


EXPECTED = {("elk", "owl", 2), ("elk", "yak", 1), ("owl", "yak", 0), ("owl", "yak", 2)}


def test_wide_and_long_say_the_same() -> None:
    long, wide = bt.read_rankings(LONG), bt.read_rankings(WIDE)
    assert str(long) == "2 rankings · 3 systems · 2 judges · 0 refused"
    assert str(wide) == "2 rankings · 3 systems · 2 judges · 0 refused"
    assert _pairs(long) == _pairs(wide) == EXPECTED


def test_the_ranking_is_the_unit_of_resampling() -> None:
    board = bt.rank(bt.read_rankings(LONG), resamples=50).board
    assert (board.settings.unit, board.evidence.units) == ("ranking", {"ranking": 2, "judge": 2})
    assert "conversion:rankings->pairs" in str(board.signature)


def test_all_pairs_of_every_size() -> None:
    sizes = [2, 5, 3, 1, 5]
    entries = [(f"r{place}", f"s{n}", n) for place, size in enumerate(sizes) for n in range(size)]
    ranking, system, rank = (list(column) for column in zip(*entries, strict=True))
    tally = bt.read_rankings({"ranking": ranking, "system": system, "rank": rank}).to_judgments().tally()
    assert tally.times.sum() == sum(len(list(combinations(range(size), 2))) for size in sizes)


def test_permutations_are_recognised_as_rankings_not_scores() -> None:
    assert bt.read({"owl": [1, 2, 1], "yak": [2, 1, 3], "elk": [3, 3, 2]}).kind == "rankings"
    assert bt.read({"owl": [1, 2, 1], "yak": [2, 1, 3], "elk": [3, 3, 4]}).kind == "scores"
    for unclear in ({"owl": [1, 2, 1], "yak": [2, 1, 2], "elk": [3, 3, 2]}, {"owl": [1, 2], "yak": [2, 1]}):
        with pytest.raises(
            bt.EvidenceError, match=r"where 1 is best\) or scores \(the numbers 1 to ., where more is better\)"
        ):
            bt.read(unclear)
        assert bt.read(unclear, "rankings").kind == "rankings"


def test_wmt_layout(tmp_path: Path) -> None:
    header = "segmentId,judgeId," + ",".join(f"system{n}Id,system{n}rank" for n in (1, 2, 3))
    lines = [
        "7,ann,set.fr-en.owl.1,1,set.fr-en.yak.2,2,set.fr-en.elk.3,2",
        "8,bob,set.fr-en.yak.2,1,set.fr-en.owl.1,3,set.fr-en.elk.3,-1",
    ]
    path = tmp_path / "wmt.csv"
    path.write_text("\n".join([header, *lines]) + "\n")
    rankings = bt.read(path)
    assert isinstance(rankings, bt.Rankings)
    assert rankings.systems == ("elk.3", "owl.1", "yak.2")
    assert str(rankings) == "2 rankings · 3 systems · 2 items · 2 judges · 0 refused"
    short = {(a[:3], b[:3], outcome) for a, b, outcome in _pairs(rankings)}
    assert short == EXPECTED


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rank": [1, 2, "x", 1, 3]}, "row 3: the rank 'x' is not a finite number."),
        ({"rank": [1, 2, None, 1, 3]}, "row 3: the rank (missing) is not a finite number."),
        ({"system": ["owl", "yak", "owl", "yak", "owl"]}, "row 3: 'owl' is ranked twice in the ranking 'r1'."),
        ({"system": ["owl", "yak", None, "yak", "owl"]}, "row 3: the system's name is missing."),
        ({"ranking": ["r1", "r1", None, "r2", "r2"]}, "row 3: the ranking's id is missing."),
    ],
)
def test_bad_entries_are_refused_or_counted(change: dict[str, list[object]], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_rankings({**LONG, **change})
    assert message in str(refusal.value)
    account = bt.read_rankings({**LONG, **change}, on_error="skip").account
    assert (account.read, account.kept, account.refused) == (5, 4, 1)


def test_weights_of_rankings() -> None:
    doubled = bt.rank(bt.read_rankings({**WIDE, "weight": [2, 1]}), ci="none").board
    twice = bt.rank(bt.read_rankings({name: [values[0], *values] for name, values in WIDE.items()}), ci="none").board
    assert [(row.system, row.wins, row.ties) for row in doubled] == [(row.system, row.wins, row.ties) for row in twice]


def test_systems_may_be_called_like_outcomes() -> None:
    """Pairs made from rankings say left, tie and right, which must not be taken for names."""
    rows = {"ranking": ["1", "1", "2", "2"], "system": ["right", "left", "left", "right"], "rank": [1, 2, 2, 1]}
    board = bt.rank(bt.read_rankings(rows), model="count", ci="none").board
    assert {row.system: row.score for row in board} == {"right": 2.0, "left": 0.0}
