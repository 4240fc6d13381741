"""`--columns` of every verb, and reports of a state."""

from pathlib import Path
from typing import Any

VOTES = str(Path(__file__).parents[2] / "examples" / "votes.csv")


def test_columns_are_shown_in_the_order_given(run: Any) -> None:
    answer = run("rank", VOTES, "--ci", "none", "--columns", "system,elo,#", "-q")
    assert answer.code == 0
    assert answer.out.splitlines()[:2] == ["  system   Elo  #", "  aurora  1115  1"]
    answer = run("rank", VOTES, "--ci", "none", "--columns", "system,score", "--format", "csv", "-q")
    assert answer.out.splitlines()[0] == "system,score"
    answer = run("rank", VOTES, "--ci", "none", "--columns", "#,system", "--format", "markdown")
    assert answer.out.splitlines()[0] == "| # | system |"


def test_columns_that_no_table_has_are_refused(run: Any) -> None:
    answer = run("rank", VOTES, "--ci", "none", "--columns", "system,price")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "betterthan: --columns: no table has a column 'price'; there are: '#', 'system', 'Elo', 'won', 'tied', 'lost', "
        "'score vs next'.\n"
    )
    answer = run("rank", VOTES, "--columns", "system", "--format", "json")
    assert answer.code == 2
    assert "--columns is for tables; json holds everything. Leave one of them out." in answer.err


def test_a_state_is_reported(run: Any, tmp_path: Path) -> None:
    state, page = str(tmp_path / "board.duckdb"), tmp_path / "page.html"
    assert run("rank", VOTES, "--state", state, "--ci", "none", "-q").code == 0
    chosen = ("--columns", "#,system,Elo")
    assert run("report", "--state", state, "-o", str(page), "--resamples", "50", *chosen, "-q").code == 0
    assert "aurora" in page.read_text(encoding="utf-8")
    answer = run("report", VOTES, "--state", state, "-o", str(page))
    assert answer.code == 2
    assert "--state is the evidence of the report, so FILE has no effect." in answer.err
    answer = run("report", VOTES, "--columns", "price", "-o", str(page), "--resamples", "50", "-q")
    assert answer.code == 2
    assert "--columns: the leaderboards have no column 'price'" in answer.err


def test_a_date_and_an_earlier_board_are_told_apart(run: Any, tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    assert run("rank", VOTES, "--ci", "none", "-o", str(board), "-q").code == 0
    answer = run("rank", VOTES, "--ci", "none", "--since", str(board))
    assert answer.code == 0
    assert f"No rank changed since {board}. Both boards are of the same data" in answer.out
    answer = run("rank", VOTES, "--ci", "none", "--since", str(board), "--before", str(board))
    assert answer.code == 2
    assert "--before and --since both name an earlier board. Leave one of them out." in answer.err
