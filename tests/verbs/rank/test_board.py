"""Leaderboards: what they answer, and every form they take."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.base import errors
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

    monkeypatch.setattr(errors, "import_module", refuse)
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
    table = boards.overview.table(plain=True)
    assert [column.title for column in table.columns] == ["system", "bleu", "chrf", "comet", "ter", "mean rank"]
    assert [cell.rank for cell in boards.overview.cells[0]] == [1, 1, 1, 3]
    assert table.rows[0][-1] == "1.5"
    text = boards.to_text(40)
    assert text.startswith("owl ranks first on 3 of 4 leaderboards")
    assert all(len(line) <= 40 for line in text.split("\n") if not line.startswith("betterthan "))
    document = boards.to_dict()
    assert [board["title"] for board in document["leaderboards"]] == ["bleu", "chrf", "comet", "ter"]
    assert document["signature"].endswith("+".join(board.data for board in boards))
    assert boards.columns()["leaderboard"][:3] == ["bleu"] * 3
    with pytest.raises(KeyError, match="no leaderboard 'wer'"):
        boards["wer"]


def _scores(columns: list[tuple[str, str, float]]) -> list[dict[str, Any]]:
    """Return scores of three systems on data sets and metrics, each with its unit."""
    rng = np.random.default_rng(4)
    return [
        {"dataset": dataset, "metric": metric, "item": str(item), "system": system, "score": unit * (shift + noise)}
        for dataset, metric, unit in columns
        for item in range(20)
        for system, shift in (("owl", 2.0), ("yak", 1.9), ("elk", 1.0))
        for noise in [float(rng.uniform(0, 0.5))]
    ]


def test_the_overview_shows_the_metric_itself_and_no_mean_of_unlike_metrics() -> None:
    boards = bt.rank(_scores([("a", "bleu", 10.0), ("a", "perplexity", 20.0)]), resamples=200)
    overview = boards.overview
    assert [(each.metric, each.direction, each.model) for each in overview.columns] == [
        ("bleu", "more", "mean"),
        ("perplexity", "less", "mean"),
    ]
    for title in boards.titles:
        own = boards[title, "mean"]
        cells = [row[boards.titles.index(title)] for row in overview.cells]
        assert [cell.value for cell in cells] == [own[name].score for name in overview.systems]
        assert [cell.may_be_best for cell in cells] == [own[name].rank_low == 1 for name in overview.systems]
        assert [cell.best for cell in cells].count(True) == 1
    assert overview.overall_is == "mean rank"
    assert boards.to_text(80).split("\n\n")[1] == overview.table(plain=True).to_text(80)


def test_one_metric_on_several_data_sets_has_a_mean() -> None:
    rows = _scores([("a", "perplexity", 1.0), ("b", "perplexity", 3.0)])
    boards = bt.rank([row for row in rows if (row["dataset"], row["system"]) != ("b", "elk")], resamples=50)
    overview = boards.overview
    assert overview.overall_is == "mean"
    assert overview.systems == ("yak", "owl", "elk")  # less is better, and one lacks a data set
    for name, value in zip(overview.systems, overview.overall, strict=True):
        known = [board[name].score for board in overview.boards if name in [row.system for row in board]]
        assert value == (pytest.approx(np.mean(known)) if len(known) == 2 else None)
    document = boards.to_dict()
    assert document["schema"] == "leaderboards/4"
    assert document["overview"]["cells"][2][1] is None
    assert document["overview"]["columns"][1]["dataset"] == "b"
    best = overview.boards[0].shown(overview.boards[0].rows[0].score)
    assert f"\\textbf{{{best}}}" in boards.to_latex()
    assert f"**{best}**" in boards.to_markdown()
    assert f"<strong>{best}</strong>" in boards.to_html()
    assert bt.rank({"owl": [1.0, 2.0], "yak": [2.0, 1.5]}, ci="none").to_dict()["overview"] is None


def test_many_metrics_fit_a_terminal() -> None:
    boards = bt.rank(_scores([("", f"metric {number}", 1.0) for number in range(21)]), ci="none")
    text = boards.to_text(80)
    assert all(len(line) <= 80 for line in text.split("\n") if not line.startswith("betterthan "))
    assert all(f"metric {number}" in text for number in range(21))


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
