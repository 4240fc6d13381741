"""evalica's CSV: left, right and winner, or model_x and model_y with worker and prompt."""

from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import counted

ROWS = [("owl", "yak", "left", "w1", "p1"), ("yak", "elk", "tie", "w1", "p2"), ("elk", "owl", "right", "w2", "p1")]


@pytest.mark.parametrize(
    "header",
    ["left,right,winner,worker,prompt", "model_x,model_y,winner,worker,prompt", "left,right,winner,judge,item"],
)
def test_comparisons_are_read_without_options(header: str, tmp_path: Path) -> None:
    path = tmp_path / "comparisons.csv"
    path.write_text("\n".join([header, *(",".join(row) for row in ROWS)]))
    outcome = {"left": "0", "tie": "1", "right": "2"}
    assert counted(path) == {
        (left, right, outcome[winner], prompt, worker): 1 for left, right, winner, worker, prompt in ROWS
    }
    assert bt.read(path).reading.ignored == ()


def test_its_bare_file_has_sides_and_a_winner(tmp_path: Path) -> None:
    path = tmp_path / "food.csv"
    path.write_text("left,right,winner\npizza,burger,left\nburger,sushi,right\npizza,sushi,tie\n")
    tally = bt.read(path).tally()
    assert tally.systems == ("burger", "pizza", "sushi")
    won = {
        tally.systems[left if outcome == 0 else right]
        for left, right, outcome in zip(tally.left, tally.right, tally.outcome, strict=True)
        if outcome != 1
    }
    assert won == {"pizza", "sushi"}
