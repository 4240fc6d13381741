"""OpenCompass: details of answers, else tasks by models from its summary."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means

RUN = Path("opencompass") / "outputs" / "default" / "20261116_110000"


def test_details_give_the_accuracies_of_the_results(samples: Path) -> None:
    for source in (samples / "opencompass", samples / RUN / "results"):
        boards = means(source)
        assert set(boards) == {"demo_gsm8k"}
        for path in (samples / RUN / "results").rglob("*.json"):
            assert boards["demo_gsm8k"][path.parent.name] == pytest.approx(
                json.loads(path.read_text())["accuracy"] / 100
            )
        assert found(source) == {}  # predictions and summaries are the tool's own


def test_the_summary_is_tasks_by_models(samples: Path) -> None:
    source = samples / RUN / "summary" / "summary_20261116_110000.csv"
    [table] = bt.read(source).tables
    assert table.items == ("demo_gsm8k accuracy", "demo_math accuracy")  # the average of a group is none
    assert means(source) == {"": {"strong": pytest.approx(63.75), "middle": pytest.approx(43.75), "weak": 31.25}}
    assert found(source)["unscored"].startswith("1 result is missing: the summary holds no score;")
