"""Results of matches: the scores of both sides, names of winners and losers, home and away."""

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import betterthan as bt
from betterthan.evidence import LEFT, RIGHT, TIE

GAMES: dict[str, list[Any]] = {
    "home": ["owl", "yak", "elk"],
    "away": ["yak", "elk", "owl"],
    "home_score": [3, 2, 0],
    "away_score": [1, 2, 1.5],
}


def _outcomes(evidence: Any) -> dict[tuple[str, str], int]:
    tally = evidence.tally()
    names = np.array(tally.systems)
    sides = zip(names[tally.left], names[tally.right], strict=True)
    return dict(zip(sides, tally.outcome.tolist(), strict=True))


WON = {("owl", "yak"): LEFT, ("yak", "elk"): TIE, ("elk", "owl"): RIGHT}


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_the_higher_score_wins_on_every_engine(frame: Any) -> None:
    games = {**GAMES, "home_score": [3.0, 2.0, 0.0], "away_score": [1.0, 2.0, 1.5]}
    assert _outcomes(bt.read(frame(games))) == WON
    renamed = {("x" if name == "home_score" else name): values for name, values in games.items()}
    assert _outcomes(bt.read(frame(renamed), scores_of=["x", "away_score"])) == WON


def test_the_higher_score_wins_in_files_and_relations(tmp_path: Path) -> None:
    rows = zip(*GAMES.values(), strict=True)
    (tmp_path / "games.csv").write_text("\n".join([",".join(GAMES), *(",".join(map(str, row)) for row in rows)]) + "\n")
    evidence = bt.read(tmp_path / "games.csv")
    assert str(evidence.reading) == (
        "Read as judgments: left = home, right = away, scores_of = home_score, away_score."
    )
    assert _outcomes(evidence) == WON
    assert _outcomes(bt.read(duckdb.sql(f"FROM '{tmp_path}/games.csv'"))) == WON


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (
            {"home_score": ["3", "2", "lost"]},
            {},
            "unknown outcome 'lost : 1.5'",
        ),
        ({"home_score": [3, 2, None]}, {}, "the given arrays, row 3: the outcome is missing."),
        (
            {},
            {"scores_of": ["home_score"]},
            "scores_of takes two columns, the score of the left system and that of the",
        ),
        ({}, {"scores_of": ["home_score", "points"]}, "no column 'points'"),
        (
            {"winner": ["a", "b", "b"]},
            {"scores_of": ["home_score", "away_score"], "outcome": "winner"},
            "scores_of and outcome both say who won. Leave one of them out.",
        ),
    ],
)
def test_scores_that_say_nothing_are_refused(given: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read({**GAMES, **given}, **options).tally()
    assert message in str(refusal.value)


def test_a_column_of_outcomes_comes_before_scores() -> None:
    said = bt.read({**GAMES, "result": ["away", "draw", "home"]})
    assert _outcomes(said) == {("owl", "yak"): RIGHT, ("yak", "elk"): TIE, ("elk", "owl"): LEFT}


def test_winner_and_loser_may_have_other_names() -> None:
    games = {"winner_name": ["owl", "owl"], "loser_name": ["yak", "elk"], "minutes": [90, 95]}
    assert bt.read(games).tally().systems == ("elk", "owl", "yak")
    games = {"victor": ["owl", "owl"], "beaten": ["yak", "elk"]}
    evidence = bt.read(games, format="winner-loser", left="victor", right="beaten")
    assert _outcomes(evidence) == {("owl", "yak"): LEFT, ("owl", "elk"): LEFT}


def test_a_column_of_ties_beside_winner_and_loser_is_tried() -> None:
    games = {"winner": ["owl", "owl", "yak"], "loser": ["yak", "elk", "elk"], "result": ["win", "tie", "win"]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(games)
    assert refusal.value.calls == (
        (
            "3 systems (elk, owl, yak): 'result' says who won",
            "bt.read(evidence, left='winner', right='loser', outcome='result')",
        ),
    )
