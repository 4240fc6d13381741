"""`rank --cost`: the frontier below the board, and refusals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_the_command_line_shows_the_frontier_below_the_board(run: Run, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(
        "item,owl,yak\n" + "".join(f"{place},{place % 7},{place % 7 + (place % 2) / 50}\n" for place in range(60)),
        "utf-8",
    )
    answer = run(
        "rank", str(tmp_path / "scores.csv"), "--model", "mean", "--cost", "owl=0.5,yak=4", "--same-within", "0.05"
    )
    assert answer.code == 0
    assert "owl scores within 0.05 of yak, the best one, and costs 88 % less:" in " ".join(answer.out.split())
    quiet = run("rank", str(tmp_path / "scores.csv"), "--model", "mean", "--cost", "owl=0.5,yak=4", "-q").out
    assert "frontier  significant  probability" in quiet
    refused = run("rank", str(tmp_path / "scores.csv"), "--same-within", "0.05")
    assert refused.code == 2
    assert "--same-within 0.05 looks for a cheaper system, and there are no costs" in refused.err
