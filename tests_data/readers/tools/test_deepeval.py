"""DeepEval: the input is the item, a failed metric is missing, thresholds say what is better."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import means


def test_boards_are_those_of_its_own_summary(samples: Path) -> None:
    boards = means(samples / "deepeval")
    assert set(boards) == {"Exact Match", "Length"}
    for path in (samples / "deepeval").iterdir():
        run = json.loads(path.read_text())
        for told in run["metricsScores"]:
            assert boards[told["metric"]][run["identifier"]] == pytest.approx(sum(told["scores"]) / len(told["scores"]))
    assert set(boards["Length"]) == {"strong", "middle", "weak"}
    table = bt.read(samples / "deepeval").tables[0]
    assert table.items[0] == "0+0?"
