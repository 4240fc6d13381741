"""Scores: wide and long tables, several metrics, directions, missing values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt

WIDE = {"instance": ["i1", "i2", "i3"], "owl": [0.5, 0.7, 0.1], "yak": [0.4, 0.9, None]}
LONG = {
    "instance": ["i1", "i2", "i3", "i1", "i2"],
    "system": ["owl", "owl", "owl", "yak", "yak"],
    "score": [0.5, 0.7, 0.1, 0.4, 0.9],
}


def test_wide_and_long_say_the_same() -> None:
    wide, long = bt.read(WIDE), bt.read(LONG)
    assert isinstance(wide, bt.Scores)
    assert isinstance(long, bt.Scores)
    assert wide.tables[0].systems == long.tables[0].systems == ("owl", "yak")
    np.testing.assert_array_equal(wide.tables[0].values, long.tables[0].values)
    assert str(wide) == str(long).replace("5 refused", "0 refused")
    assert str(wide) == "5 scores · 2 systems · 3 items · 1 missing · 0 refused"


def test_pairs_with_a_missing_score_are_left_out() -> None:
    board = bt.rank(WIDE, model="bradley-terry", ci="none").board
    assert [(row.wins, row.losses) for row in board] == [(1.0, 1.0), (1.0, 1.0)]


def test_differences_within_the_tolerance_are_ties() -> None:
    table = bt.read_scores(WIDE).tables[0]
    assert table.to_judgments(0.1).tally().outcome.tolist() == [1, 2]
    assert table.to_judgments().tally().outcome.tolist() == [0, 2]
    # The exact floating difference 0.5 − 0.4 is just below 0.1: the tolerance is inclusive.
    assert bt.rank(WIDE, model="bradley-terry", tolerance=0.1, ci="none").board["owl"].ties == 1.0
    with pytest.raises(bt.EvidenceError, match="the tie tolerance must be a finite number of at least 0"):
        table.to_judgments(-1)


def test_ranking_scores_equals_ranking_their_judgments() -> None:
    rng = np.random.default_rng(0)
    columns = {name: rng.normal(size=60).round(1).tolist() for name in ("owl", "yak", "elk")}
    direct = bt.rank(columns, model="bradley-terry", ci="analytic", scale="log").board
    through = bt.rank(bt.read_scores(columns).tables[0].to_judgments(), ci="analytic", scale="log").board
    for row, other in zip(direct, through, strict=True):
        assert row.log_strength == pytest.approx(other.log_strength, abs=1e-9)
        assert row.low == pytest.approx(other.low, abs=1e-9)


def test_lower_is_better() -> None:
    errors = {"system": ["owl", "yak"], "instance": ["i", "i"], "score": [3, 1]}
    assert [board.rows[0].system for board in bt.rank(bt.read_scores(errors), ci="none")] == ["owl"] * 3
    boards = bt.rank(bt.read_scores(errors, lower_is_better=True), ci="none")
    assert [board.rows[0].system for board in boards] == ["yak"] * 3
    assert [row.score for row in boards["mean"]] == [1.0, 3.0]  # as given, not negated


def test_several_metrics_make_several_boards() -> None:
    source = {
        "task": ["t"] * 8,
        "metric": ["bleu"] * 4 + ["wer"] * 4,
        "instance": ["1", "1", "2", "2"] * 2,
        "system": ["owl", "yak"] * 4,
        "score": [2, 1, 2, 1, 2, 1, 2, 1],
    }
    boards = bt.rank(bt.read_scores(source, lower_is_better=["wer"]), model="bradley-terry", ci="none")
    assert isinstance(boards, bt.Leaderboards)
    assert [board.title for board in boards] == ["t bleu", "t wer"]
    assert [board.rows[0].system for board in boards] == ["owl", "yak"]
    assert boards["t wer"].rows[0].system == "yak"
    columns = bt.read_scores(
        {"system": ["owl", "yak"], "item": ["1", "1"], "bleu": [2, 1], "wer": [1, 2]}, score=["bleu", "wer"]
    )
    assert [table.title for table in columns] == ["bleu", "wer"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [0.5, "good", 0.1, 0.4, 0.9]}, "row 2: the score 'good' is not a finite number."),
        ({"score": [0.5, float("inf"), 0.1, 0.4, 0.9]}, "row 2: the score 'inf' is not a finite number."),
        ({"instance": ["i1", "i1", "i3", "i1", "i2"]}, "row 2: 'owl' has two scores on the item 'i1'."),
        ({"system": ["owl", None, "owl", "yak", "yak"]}, "row 2: the system's name is missing."),
        ({"instance": ["i1", None, "i3", "i1", "i2"]}, "row 2: the item is missing."),
    ],
)
def test_bad_scores_are_refused_or_counted(change: dict[str, list[object]], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores({**LONG, **change})
    assert message in str(refusal.value)
    account = bt.read_scores({**LONG, **change}, on_error="skip").account
    assert (account.read, account.kept, account.refused) == (5, 4, 1)


def test_wide_tables_refuse_the_same_things() -> None:
    with pytest.raises(bt.EvidenceError, match="row 2: the score 'x' of 'owl' is not a finite number"):
        bt.read_scores({**WIDE, "owl": [0.5, "x", 0.1]})
    with pytest.raises(bt.EvidenceError, match="row 2: the item 'i1' occurs twice"):
        bt.read_scores({**WIDE, "instance": ["i1", "i1", "i3"]})
    with pytest.raises(bt.EvidenceError, match="cannot tell what kind of evidence this is"):
        bt.read({"text": ["x", "y"], "owl": [1, 2]})
    with pytest.raises(bt.EvidenceError, match="a ranking needs scores of at least two systems"):
        bt.read_scores({"system": ["owl"], "item": ["1"], "score": [1]})


def test_two_runs_may_call_their_scores_differently() -> None:
    new, old = {"id": [1, 2], "passed": [1, 0]}, {"id": [2, 1], "correct": [1, 1]}
    runs = bt.read_runs(new, old, names=("new", "old"), score=["new:passed", "old:correct"])
    assert runs.tables[0].values.tolist() == [[1.0, 1.0], [0.0, 1.0]]
    with pytest.raises(bt.EvidenceError, match="two runs in memory have one score for each item"):
        bt.read_runs(new, old, names=("new", "old"), score=["passed", "correct"])


@pytest.mark.parametrize(
    ("model", "ci"),
    [
        ("mean", "bootstrap"),
        ("mean", "analytic"),
        ("mean(trim=0.1)", "none"),
        ("median", "bootstrap"),
        ("median(of=differences)", "bootstrap"),
    ],
)
def test_a_system_without_any_score_is_listed_without_one(model: str, ci: str) -> None:
    rows = [
        (f"i{n}", name, score) for n in range(9) for name, score in (("owl", n + 1.0), ("yak", n % 4), ("elk", None))
    ]
    item, system, score = zip(*rows, strict=True)
    evidence = {"item": item, "system": system, "score": score}
    how: Any = {"model": model, "ci": ci} | ({} if ci == "none" else {"resamples": 50})
    result = bt.rank(evidence, **how)
    last = result.board["elk"]
    assert [row.system for row in result.board] == ["owl", "yak", "elk"]
    assert (last.rank, last.score, last.low, last.high, last.p_best) == (None, None, None, None, None)
    without = bt.rank(
        {
            key: [cell for cell, name in zip(column, system, strict=True) if name != "elk"]
            for key, column in evidence.items()
        },
        **how,
    ).board
    assert [result.board[row.system].score for row in without] == [row.score for row in without]
    assert "NaN" not in result.to_json()
    assert {"missing-scores", "adjusted-means"} & {finding.code for finding in result.findings}


def test_a_likely_item_that_is_missing_in_some_rows_is_none(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,badge_id,quality_score\nann,,1\nbob,b1,2\nann,b1,3\nbob,b2,4\n")
    with pytest.raises(bt.EvidenceError, match="long scores need a column for item"):
        bt.read_scores(path)
