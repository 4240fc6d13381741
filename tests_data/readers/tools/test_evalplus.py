"""EvalPlus: pass@1 per task from samples, plus only together with base."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import means


def test_boards_are_pass_at_1(samples: Path) -> None:
    folder = samples / "evalplus" / "evalplus_results" / "humaneval"
    boards = means(samples / "evalplus")
    assert set(boards) == {"HumanEval base", "HumanEval plus"}
    for path in folder.iterdir():
        tasks = json.loads(path.read_text())["eval"].values()
        system = f"org/{path.name.split('_')[0].removeprefix('org--')}"
        base = [sum(each["base_status"] == "pass" for each in task) / len(task) for task in tasks]
        both = [
            sum(each["base_status"] == each["plus_status"] == "pass" for each in task) / len(task) for task in tasks
        ]
        assert boards["HumanEval base"][system] == pytest.approx(sum(base) / len(base))
        assert boards["HumanEval plus"][system] == pytest.approx(sum(both) / len(both))
    table = bt.read(samples / "evalplus").tables[0]
    assert table.values.shape == (12, 3)
    assert table.repeats is not None
    assert len(table.repeats.value) == 180
