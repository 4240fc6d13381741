"""What is written can be read again and says the same."""

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.evidence import judgments
from betterthan.readers.conversion import convert
from tests.arenas import arena

SCORES = {"instance": ["1", "2", "3"], "owl": [3.0, 1.0, 2.0], "yak": [2.0, 2.0, 2.0], "elk": [1.0, None, 0.0]}


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "csv.gz", "jsonl.zst"])
def test_judgments_survive_every_format(ending: str, tmp_path: Path) -> None:
    evidence = bt.read_judgments(arena())
    write_columns(tmp_path / f"out.{ending}", convert(evidence, "judgments"))
    board, again = bt.rank(evidence, resamples=50).board, bt.rank(tmp_path / f"out.{ending}", resamples=50).board
    assert board.rows == again.rows


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_scores_and_rankings_survive_both_layouts(layout: str, tmp_path: Path) -> None:
    scores = bt.read_scores(SCORES)
    write_columns(tmp_path / "scores.csv", convert(scores, "scores", layout=layout))
    for board, again in zip(bt.rank(tmp_path / "scores.csv", resamples=50), bt.rank(scores, resamples=50), strict=True):
        assert board.rows == again.rows
    write_columns(tmp_path / "rankings.csv", convert(scores, "rankings"))
    rankings = bt.read_rankings(tmp_path / "rankings.csv")
    write_columns(tmp_path / "again.csv", convert(rankings, "rankings", layout=layout))
    again = bt.read_rankings(tmp_path / "again.csv")
    assert bt.rank(again, resamples=50).board.rows == bt.rank(rankings, resamples=50).board.rows


def test_scores_become_rankings_and_judgments_with_the_same_wins() -> None:
    scores = bt.read_scores(SCORES)
    wins = {
        row.system: (row.wins, row.ties, row.losses) for row in bt.rank(scores, model="bradley-terry", ci="none").board
    }
    assert wins == {"owl": (3.0, 1.0, 1.0), "yak": (3.0, 1.0, 1.0), "elk": (0.0, 0.0, 4.0)}
    for target, reader in (("judgments", bt.read_judgments), ("rankings", bt.read_rankings)):
        other = bt.rank(reader(convert(scores, target)), ci="none").board
        assert {row.system: (row.wins, row.ties, row.losses) for row in other} == wins


def test_judgments_cannot_become_scores() -> None:
    with pytest.raises(bt.EvidenceError, match="judgments cannot be converted to scores"):
        convert(bt.read_judgments(arena()), "scores")


VOTES: dict[str, list[Any]] = {
    "left": ["owl", "yak", "owl", "elk", "owl", "yak"] * 2,
    "right": ["yak", "elk", "elk", "owl", "yak", "owl"] * 2,
    "winner": ["left", "tie", "right", "left", "left", "right"] * 2,
}
OF_VOTES: dict[str, list[Any]] = {
    "dataset": ["d1", "d2"] * 6,
    "time": [f"2024-01-0{1 + n % 7}" for n in range(11)] + [None],
    "item": [f"i{n % 5}" for n in range(12)],
    "judge": [f"j{n % 3}" for n in range(12)],
    "weight": [0.5, 2, 1] * 4,
    "count": [3, 1, 2] * 4,
}
ORDERS: dict[str, list[Any]] = {
    "ranking": ["r1"] * 3 + ["r2"] * 3 + ["r3"] * 2,
    "system": ["owl", "yak", "elk"] * 2 + ["owl", "elk"],
    "rank": [1, 2, 3, 2, 1, 2, 1, 1],
}
OF_ORDERS: dict[str, list[Any]] = {
    "dataset": ["a"] * 6 + ["b"] * 2,
    "item": ["i1"] * 3 + ["i2"] * 3 + ["i3"] * 2,
    "judge": ["j1"] * 3 + ["j2"] * 3 + ["j1"] * 2,
    "weight": [2] * 3 + [1] * 5,
}
SCORED: dict[str, list[Any]] = {
    "item": ["1", "2", "3"] * 4,
    "system": (["owl"] * 3 + ["yak"] * 3) * 2,
    "score": [0.1, 0.2, 0.3, 0.3, 0.2, 0.15, 0.5, 0.4, 0.1, 0.2, 0.2, 0.2],
    "dataset": ["a"] * 6 + ["b"] * 6,
}
OF_SCORED: dict[str, list[Any]] = {"metric": ["chrf"] * 12, "document": ["x", "x", "y"] * 4}


def _chosen(columns: dict[str, list[Any]]) -> list[dict[str, list[Any]]]:
    """Choose none of the optional columns, each alone, and all."""
    return [{}, *({name: values} for name, values in columns.items()), columns]


def _wins(evidence: Any) -> list[list[tuple[str, float, float, float]]]:
    boards = bt.rank(evidence, model="win-rate", ci="none")
    return [sorted((row.system, row.wins, row.ties, row.losses) for row in board) for board in boards]


def test_every_choice_of_columns_survives_every_format(tmp_path: Path) -> None:
    every = ["csv", "tsv", "json", "jsonl", "parquet"]
    endings = cycle(every)

    def again(columns: dict[str, Any], read: Any = bt.read, **choices: Any) -> Any:
        path = tmp_path / f"again.{next(endings)}"
        write_columns(path, columns)
        return read(path, **choices)

    for more in [*_chosen(OF_VOTES), *[OF_VOTES] * (len(every) - 1)]:
        votes = bt.read_judgments(VOTES | more)
        back = again(convert(votes, "judgments"))
        assert (back.kind, set(back.units), _wins(back)) == ("judgments", set(votes.units), _wins(votes))
        assert ("time" in back.roles) == ("time" in more)
        assert {*convert(back, "judgments")} - {"count"} == {*convert(votes, "judgments")} - {"count"}
    for more in _chosen(OF_ORDERS):
        orders = bt.read_rankings(ORDERS | more)
        for back in (
            again(convert(orders, "rankings")),
            again(convert(orders, "judgments")),
            again(convert(orders, "rankings", layout="wide"), bt.read_rankings),
        ):
            assert (set(back.data_sets()[0][1].systems) if back.kind == "rankings" else None) in (
                None,
                {"owl", "yak", "elk"},
            )
            assert _wins(back) == _wins(orders)
    for more in _chosen(OF_SCORED):
        by = {"group": "document"} if "document" in more else {}
        scores = bt.read_scores(SCORED | more, **by)
        back = again(convert(scores, "scores"), **by)
        assert [(table.dataset, table.title) for table in back] == [(table.dataset, table.title) for table in scores]
        assert _wins(back) == _wins(again(convert(scores, "judgments"))) == _wins(again(convert(scores, "rankings")))
        assert all((table.groups is not None) == ("document" in more) for table in back)


def test_rows_have_the_same_order_in_every_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgments, "FEW", 10)  # only more rows than that are left as an engine returns them
    (tmp_path / "votes.csv").write_text(
        "left,right,winner,item\n"
        + "".join(f"s{n % 7},t{n % 11},{'left' if n % 3 else 'right'},i{n % 500}\n" for n in range(3000))
    )
    written = []
    for _ in range(3):
        columns = convert(bt.read_judgments(tmp_path / "votes.csv"), "judgments")
        written.append([tuple(row) for row in zip(*columns.values(), strict=True)])
    assert written[0] == written[1] == written[2]
    assert [row[:3] for row in written[0]] == sorted(row[:3] for row in written[0])
