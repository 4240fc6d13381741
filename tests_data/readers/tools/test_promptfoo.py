"""promptfoo: repeats, empty labels, several prompts, errors of providers, and its CSV export."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import means


@pytest.mark.parametrize("name", ["out.json", "out.jsonl", ""])
def test_boards_are_those_of_its_own_summary(name: str, samples: Path) -> None:
    summary = json.loads((samples / "promptfoo" / "out.json").read_text())["results"]["prompts"]
    boards = means(samples / "promptfoo" / name)
    assert set(boards) == {"score", "success", "correct"}
    boards |= means(samples / "promptfoo" / name, score="brevity")  # of one test case, so only on request
    for each in summary:
        # The third provider has no label: rows name it by its id, the summary too.
        system, told = f"{each['provider']} · {each['label']}", each["metrics"]
        assert boards["score"][system] == pytest.approx(told["score"] / 8)
        assert boards["success"][system] == pytest.approx(told["testPassCount"] / 8)
        for metric in ("correct", "brevity"):
            assert boards[metric][system] == pytest.approx(
                told["namedScores"][metric] / told["namedScoresCount"][metric]
            )


def test_repeats_are_of_one_item(samples: Path) -> None:
    scores = bt.read(samples / "promptfoo" / "out.json")
    by_title = {table.title: table for table in scores.tables}
    assert by_title["score"].values.shape == (4, 6)
    assert by_title["score"].repeats is not None
    assert by_title["correct"].values.shape == (2, 6)  # only two test cases have this metric
    assert scores.reading is not None
    assert scores.reading.format == "promptfoo"


def test_csv_holds_the_same_but_for_names_of_test_cases(samples: Path) -> None:
    assert means(samples / "promptfoo" / "out.csv") == means(samples / "promptfoo" / "out.json")
    assert bt.read_scores(samples / "promptfoo" / "out.csv").tables[0].items[0].startswith("Description=")
