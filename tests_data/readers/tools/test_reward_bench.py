"""RewardBench: a subset is a data set, a file is a model."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from tests.readers.tools.boards import means


def test_boards_are_the_accuracies_of_subsets(samples: Path) -> None:
    boards = means(samples / "rewardbench")
    assert set(boards) == {"alpacaeval-easy", "donotanswer"}
    for model in ("strong", "middle", "weak"):
        results = defaultdict(list)
        for line in (samples / "rewardbench" / f"{model}_outputs.jsonl").read_text().splitlines():
            entry = json.loads(line)
            results[entry["subset"]].append(entry["results"])
        for subset, right in results.items():
            assert boards[subset][model] == pytest.approx(sum(right) / len(right))
