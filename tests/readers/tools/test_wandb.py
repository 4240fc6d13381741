"""Tables of Weights & Biases: columns and data, with one row per system and prompt."""

from pathlib import Path

import betterthan as bt
from tests.readers.tools.boards import means, refused, write_json


def test_numbers_that_are_called_like_nothing_are_no_scores() -> None:
    table = {"model": ["owl", "yak"], "prompt": ["1", "1"], "latency_ms": [3, 4], "temperature": [1, 1], "shoe": [2, 3]}
    assert "long scores need a column for score" in refused(table)
    assert set(means({**table, "accuracy": [0, 1]})) == {""}


def test_columns_called_like_metrics_are_boards(tmp_path: Path) -> None:
    rows = [
        ("q0", "owl", "one", True, 50.0),
        ("q1", "owl", "two", False, 25.0),
        ("q0", "yak", "one", True, 10.0),
        ("q1", "yak", "two", True, 20.0),
    ]
    table = {"columns": ["id", "model", "prompt", "exact_match", "bleu"], "data": rows}
    path = write_json(tmp_path / "predictions_0_0123456789abcdef0123.table.json", table)
    assert means(path) == {"exact_match": {"owl": 0.5, "yak": 1.0}, "bleu": {"owl": 37.5, "yak": 15.0}}
    assert bt.read(path).reading.ignored == ("id",)
