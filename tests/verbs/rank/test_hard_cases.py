"""Cases in which a plausible ranking would be silently wrong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import betterthan as bt
from betterthan.models.ordered import compiled
from tests.arenas import arena

FIVE = [("x", "y", "a")] * 3 + [("y", "x", "a")] * 2


def _ratings(evidence: Any, model: str = "elo", **choices: Any) -> dict[str, float]:
    return {row.system: row.score for row in bt.rank(evidence, model=model, ci="none", **choices).board}


@pytest.mark.parametrize(
    ("whole", "fraction"),
    [
        ("elo(initial=1500)", "elo(initial=1500.0)"),
        ("elo(k=32)", "elo(k=32.0)"),
        ("trueskill(mu=25)", "trueskill(mu=25.0)"),
        ("trueskill(sigma=8)", "trueskill(sigma=8.0)"),
        ("trueskill(preset=wmt,beta=2)", "trueskill(preset=wmt,beta=2.0)"),
    ],
)
@pytest.mark.parametrize("pays", [1, 10**12])
def test_a_whole_number_is_a_number(whole: str, fraction: str, pays: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PAYS", pays)
    boards = [bt.rank(arena(), model=model, resamples=20).board for model in (whole, fraction)]
    assert boards[0].rows == boards[1].rows
    assert boards[0].rows[0].low < boards[0].rows[0].high


@pytest.mark.parametrize("model", ["mean", "median"])
def test_one_extreme_system_does_not_tie_the_others(model: str) -> None:
    scores = {"a": [10, 11, 12, 10], "b": [20, 21, 22, 20], "c": [1e20, 2e20, 1e20, 3e20]}
    board = bt.rank(bt.read_scores(scores, lower_is_better=True), model=model, resamples=50, clusters="wmt").board
    assert [(row.system, row.rank, row.rank_low, row.rank_high) for row in board] == [
        ("a", 1, 1, 1),
        ("b", 2, 2, 2),
        ("c", 3, 3, 3),
    ]


def test_rankings_and_scores_in_long_tables_keep_their_order() -> None:
    ids = ["10", "9", "8", "2", "1"]
    long = {
        "ranking": [name for name in ids for _ in range(2)],
        "system": ["x", "y"] * 5,
        "rank": [1, 2, 1, 2, 1, 2, 2, 1, 2, 1],
    }
    wanted = _ratings(FIVE)
    assert _ratings(bt.read_rankings(long)) == pytest.approx(wanted)
    scores = {"instance": long["ranking"], "system": long["system"], "score": [3 - rank for rank in long["rank"]]}
    assert _ratings(bt.read_scores(scores)) == pytest.approx(wanted)
    reverse = {name: values[::-1] for name, values in long.items()}
    assert _ratings(bt.read_rankings(reverse)) == pytest.approx(_ratings(FIVE[::-1]))
    assert _ratings(FIVE) != pytest.approx(_ratings(FIVE[::-1]))


def test_every_board_accounts_for_what_it_was_fitted_to() -> None:
    columns = {**arena(), "time": [*map(str, range(398)), "soon", None]}
    del columns["weight"]
    boards = bt.rank(
        bt.read_judgments(columns, on_error="skip"), model="bradley-terry,elo(order=file),elo(order=time)", ci="none"
    )
    assert [board.evidence.refused for board in boards] == [0, 0, 2]
    assert [board.evidence.judgments for board in boards] == [400, 400, 398]
    assert "refused-rows" in [finding.code for finding in boards["elo(order=time)"].findings]
    alone = bt.rank(bt.read_judgments(columns, on_error="skip"), ci="none").board
    assert (
        bt.rank(bt.read_judgments(columns, on_error="skip"), model="bradley-terry,elo", ci="none")["bradley-terry"].rows
        == alone.rows
    )


@pytest.mark.parametrize("model", ["elo", "trueskill"])
def test_ratings_say_which_systems_nothing_links(model: str) -> None:
    board = bt.rank([("a", "b", "a"), ("b", "a", "a"), ("c", "d", "a")] * 5, model=model, resamples=20).board
    assert {"islands", "never-wins", "never-loses"} <= {finding.code for finding in board.findings}


def test_abilities_of_islands_stay_within_their_intervals() -> None:
    rows = [("A", "B", "a")] * 5 + [("A", "B", "b")] * 4 + [("X", "Y", "a")] * 50 + [("X", "Y", "b")] * 10
    for row in bt.rank(rows, model="hopkins-may", resamples=200).board:
        assert row.low is None or row.low <= row.score
        assert row.high is None or row.score <= row.high
    tied = bt.rank([("A", "B", "tie")] * 5 + [("B", "C", "tie")] * 4, model="hopkins-may", resamples=50).board
    assert [row.rank for row in tied] == [1, 1, 1]


@pytest.mark.parametrize("model", ["elo", "trueskill", "hopkins-may"])
def test_the_score_over_runs_is_their_mean(model: str) -> None:
    rows = [("A", "B", "a")] * 60 + [("A", "B", "b")] * 60 + [("B", "C", "a")] * 60 + [("B", "C", "b")] * 55
    board = bt.rank(rows, model=model, ci="runs").board
    for row in board:
        assert row.low <= row.score <= row.high
        assert row.rank_low <= row.rank <= row.rank_high


def test_rows_of_one_time_have_one_order_on_engines_that_have_none() -> None:
    import dask.dataframe as dask

    columns = pd.DataFrame(arena()).assign(
        time=np.repeat(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"], 100)
    )
    found = [
        _ratings(bt.read_judgments(dask.from_pandas(columns.sample(frac=1, random_state=seed), npartitions=3)))
        for seed in (0, 1)
    ]
    assert found[0] == found[1]


def test_nanoseconds_are_told_apart() -> None:
    times = [str(1_700_000_000_000_000_000 + 4 - place) for place in range(5)]
    columns = {"left": [a for a, _, _ in FIVE], "right": [b for _, b, _ in FIVE], "outcome": ["a"] * 5, "time": times}
    assert _ratings(columns) == pytest.approx(_ratings(FIVE[::-1]))


def test_times_with_a_zone_are_read_from_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame(FIVE, columns=["left", "right", "outcome"])
    frame["time"] = pd.date_range("2026-01-01", periods=5, tz="UTC")[::-1]
    frame.to_parquet(tmp_path / "votes.parquet")
    assert _ratings(tmp_path / "votes.parquet") == pytest.approx(_ratings(FIVE[::-1]))


def test_the_signature_of_ratings_knows_the_order() -> None:
    one, other = (bt.rank(rows, model="elo", ci="none").board.signature.facts["data"] for rows in (FIVE, FIVE[::-1]))
    assert one != other
    averaged = [bt.rank(rows, model="elo(order=average)", ci="none").board for rows in (FIVE, FIVE[::-1])]
    assert averaged[0].to_json() == averaged[1].to_json()


@pytest.mark.parametrize("model", ["plackett-luce", "trueskill(players=all)"])
def test_rankings_taken_whole_are_not_resampled_by_row(model: str) -> None:
    ballots = bt.read_rankings({"x": [1, 2, 1], "y": [2, 1, 2], "z": [3, 3, 3]})
    with pytest.raises(bt.PlanError, match=r"resamples whole rankings, not rows; allowed: ranking, item, judge\."):
        bt.rank(ballots, model=model, unit="row")


def test_tiny_weights_end() -> None:
    columns = {"left": ["owl", "yak"], "right": ["yak", "owl"], "outcome": ["left"] * 2, "weight": [1e-309, 3e-309]}
    assert [row.score for row in bt.rank(columns, model="pagerank", ci="none").board] == pytest.approx([0.5, 0.5])


def test_only_ties_dropped_leave_everybody_first() -> None:
    board = bt.rank([("a", "b", "tie"), ("b", "c", "tie")] * 3, model="bradley-terry(ties=drop)", ci="none").board
    assert [row.rank for row in board] == [1, 1, 1]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("elo(k=20,k=32)", "elo: the option 'k' is given twice. Give it once."),
        ("elo(k=32),elo( k=32 )", "the model 'elo( k=32 )' is named twice: elo(k=32),elo( k=32 ). Name it once."),
        ("elo(k=20", "the options of 'elo(k=20' cannot be read; write elo(option=value, option=value)."),
        ("elo(k=inf)", "elo: k must be a number above 0 and at most 1e+09, got inf"),
        ("elo(k=abc)", "elo: k must be a number above 0 and at most 1e+09, got 'abc'"),
        ("trueskill(sigma=1e200)", "trueskill: sigma must be a number of at least 1e-06 and at most 1e+09, got 1e+200"),
    ],
)
def test_odd_models_are_refused(model: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.rank(FIVE, model=model)
    assert str(refusal.value) == message
    with pytest.raises(bt.PlanError, match=r"Did you mean 'elo'\?"):
        bt.rank(FIVE, model="ELO")


def test_ties_with_a_likelihood_replace_bradley_terry_once() -> None:
    assert bt.rank(FIVE, model="bradley-terry,davidson", ties="davidson", ci="none").board.mechanism == "davidson"
    with pytest.raises(bt.PlanError, match="tolerance is for scores, but this evidence is judgments"):
        bt.rank(FIVE, tolerance=0.5)


def test_incomplete_systems_come_last_in_the_overview() -> None:
    rows = [
        {"dataset": data, "left": a, "right": b, "outcome": outcome}
        for data, names in (("d0", "abd"), ("d1", "ab"), ("d2", "ab"), ("d3", "ab"))
        for a in names
        for b in names
        if a > b
        for outcome in ("left", "left", "right")
    ]
    boards = bt.rank(rows, ci="none")
    assert boards.overview.systems == ("b", "a", "d")
    assert str(boards.signature) in boards.to_text(80)


def test_html_of_several_models_says_which_is_which() -> None:
    html = bt.rank({"<b>": [1.5, 2, 3], "yak": [0, 5, 1]}, ci="none")._repr_html_()
    assert "<h3>median</h3>" in html
    assert "<h3>Disagreement</h3>" in html
    assert "<b>" not in html


def test_signatures_of_several_models_repeat_them() -> None:
    boards = bt.rank(
        arena(), model=["davidson", "elo(k=32)", "win-rate(ties=drop)"], resamples=30, unit="judge", seed=3
    )
    again = bt.rank(arena(), bt.Plan.load(json.loads(boards.to_json())["signature"]))
    assert again.to_json() == boards.to_json()
