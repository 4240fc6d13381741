"""What is written can be read again and says the same."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.engine.write import write_columns
from betterthan.evidence.convert import convert
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
