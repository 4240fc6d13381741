"""Leaderboards: what they answer, and every form they take."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.results import data_frames as frames
from tests.arenas import arena

HOSTILE = [
    "<script>alert(1)</script>",
    "50 % & $x_1$ #{a}~^\\",
    "a|b`c*d",
    "名前-システム",
    "very long " * 12,
    "שלום",
    "🦉 owl",
    "two\nlines",
]


@pytest.fixture(scope="module")
def board() -> Any:
    return bt.rank(arena(), resamples=200).board


@pytest.fixture(scope="module")
def hostile() -> Any:
    rng = np.random.default_rng(0)
    rows = [(*rng.choice(HOSTILE, 2, replace=False), str(rng.choice(["left", "right", "tie"]))) for _ in range(400)]
    return bt.rank(rows, resamples=50).board


def test_questions_about_systems(board: Any) -> None:
    first, second = board.rows[0].system, board.rows[1].system
    gap = board[first].log_strength - board[second].log_strength
    assert board.expected_score(first, second) == pytest.approx(1 / (1 + np.exp(-gap)))
    with pytest.raises(bt.BetterthanError, match="ties count as half a win here, so the model has an expected score"):
        board.probability(first, second)
    assert board.confidence(first, second) == pytest.approx(1 - board.confidence(second, first))
    assert sum(row.p_best for row in board) == pytest.approx(1.0)
    assert [system for group in board.clusters for system in group] == [row.system for row in board]


def test_unknown_systems_are_refused_with_the_nearest(board: Any) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        board["oul"]
    assert str(refusal.value) == "no system 'oul' on this leaderboard. Did you mean 'owl'?"
    with pytest.raises(bt.BetterthanError, match="this leaderboard has no draws"):
        bt.rank(arena(), ci="none").board.confidence("owl", "yak")


def test_frames_and_text_have_the_same_numbers(board: Any) -> None:
    names = list(board.records[0])
    pandas, polars, arrow = board.to_pandas(), board.to_polars(), board.to_arrow()
    assert list(pandas.columns) == polars.columns == arrow.column_names == names
    scores = [row.score for row in board]
    assert pandas["score"].tolist() == polars["score"].to_list() == arrow["score"].to_pylist() == scores
    text = str(board)
    for row in board:
        for shown in (text, board.to_markdown(), board.to_latex(), board._repr_html_()):
            assert f"{row.score:.0f}" in shown


def test_open_ends_are_absent_in_frames() -> None:
    board = bt.rank([("owl", "yak", "a"), ("yak", "owl", "a"), ("owl", "elk", "a")], resamples=20).board
    assert board["elk"].low is None
    assert board.to_polars().filter(system="elk")["low"].to_list() == [None]
    assert board.to_arrow()["low"].null_count == 1
    assert "open … " in str(board)


def test_names_are_data_in_every_form(hostile: Any) -> None:
    html = hostile._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    table, _, notes = hostile.to_markdown().partition("\n\n")
    for line in table.splitlines():
        assert line.replace("\\|", "").count("|") == 10
    assert all(line.startswith("- ") for line in notes.splitlines())
    shown = hostile.to_text(100)
    table = [line for line in shown.split("\n") if line.startswith("  ") and "…" in line]
    assert len(table) == len(HOSTILE), "a name with a line break stays on its line"


def test_latex_compiles(hostile: Any, latex: Callable[[str], Path]) -> None:
    """Hostile names are data: the table compiles, and every cell stays in its column."""
    table = hostile.to_latex()
    plain = re.sub(r"\\[&_#%$]", "", table.replace("\\\\", ""))
    rows, _, notes = plain.partition("\\bottomrule")
    assert all(line.startswith("% ") for line in notes.splitlines()[2:])  # a name cannot end the comment
    for row in rows.splitlines()[4:]:
        if row != "\\midrule":
            assert row.count("&") == 8
    # pdflatex has no fonts beyond Latin: such names are shown as they are by LuaLaTeX and XeLaTeX.
    assert latex(re.sub(r"[^\x00-\u024f–…“”]", "?", table)).stat().st_size > 5_000


def test_a_missing_extra_is_one_sentence(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(frames, "import_module", refuse)
    with pytest.raises(bt.MissingExtraError) as refusal:
        board.to_polars()
    assert str(refusal.value) == (
        "a Polars data frame needs polars, which is not installed. Run: pip install 'betterthan[polars]'"
    )


def test_several_boards_have_an_overview() -> None:
    rng = np.random.default_rng(1)
    tables = [
        {"metric": metric, "instance": str(place), "system": system, "score": float(rng.normal() + strength)}
        for metric in ("bleu", "chrf", "comet", "ter")
        for place in range(30)
        for system, strength in (("owl", 1.0), ("yak", 0.0), ("elk", -1.0))
    ]
    boards = bt.rank(bt.read_scores(tables, lower_is_better=["ter"]), model="bradley-terry", resamples=20)
    overview = boards.overview()
    assert [column.title for column in overview.columns] == ["system", "bleu", "chrf", "comet", "ter", "mean rank"]
    assert overview.rows[0] == ["owl", "1 (0.883)", "1 (0.850)", "1 (0.950)", "3 (0.150)", "1.5"]
    text = boards.to_text(40)
    assert text.startswith("owl ranks first on 3 of 4 leaderboards")
    assert all(len(line) <= 40 for line in text.split("\n") if not line.startswith("betterthan "))
    document = boards.to_dict()
    assert [board["title"] for board in document["leaderboards"]] == ["bleu", "chrf", "comet", "ter"]
    assert document["signature"].endswith("+".join(board.data for board in boards))
    assert boards.columns()["leaderboard"][:3] == ["bleu"] * 3
    with pytest.raises(KeyError, match="no leaderboard 'wer'"):
        boards["wer"]


@pytest.mark.parametrize(
    ("model", "scale", "title"),
    [
        ("davidson", "winrate", "win rate"),
        ("rao-kupper", "expected", "expected score"),
        ("plackett-luce", "winrate", "win rate"),
        ("bradley-terry", "winrate", "expected score"),
        ("bradley-terry(ties=drop)", "winrate", "win rate"),
        ("bradley-terry", "worth", "worth"),
    ],
)
def test_a_scale_of_chances_shows_the_model_s_own(model: str, scale: str, title: str) -> None:
    rows = [("owl", "yak", "tie")] * 20 + [("owl", "yak", "left")] * 8 + [("owl", "yak", "right")] * 3
    rows += [("yak", "elk", "tie")] * 9 + [("yak", "elk", "left")] * 6 + [("elk", "owl", "left")] * 2
    board = bt.rank(rows, model=model, scale=scale, resamples=50).board
    assert [column.title for column in board.table().columns][3] == title
    if scale == "worth":
        return
    for row in board:
        place = board.fit.systems.index
        others = [
            board.model.probability(board.fit, place(row.system), place(other.system))
            for other in board
            if other is not row
        ]
        mean = np.mean([win + (tie / 2 if scale == "expected" else 0.0) for win, tie, _ in others])
        assert row.score == pytest.approx(mean, abs=1e-9)
        assert row.low <= row.score <= row.high


def test_scores_of_two_values_have_no_median_by_default() -> None:
    scores = {"owl": [1, 0, 1, 1] * 6, "yak": [0, 0, 1, 1] * 6, "elk": [0, 1, 0, 1] * 6}
    assert bt.rank(bt.read_scores(scores), ci="none").models == ("mean", "bradley-terry")
    several = {name: [value + place / 7 for place, value in enumerate(values)] for name, values in scores.items()}
    assert bt.rank(bt.read_scores(several), ci="none").models == ("mean", "median", "bradley-terry")
