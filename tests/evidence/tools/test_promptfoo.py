"""promptfoo: repeats, empty labels, several prompts, errors of providers, and its CSV export."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused


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


def _changed(folder: Path, *changes: dict[str, Any]) -> Path:
    """Write the example with some rows changed."""
    path = format_called("promptfoo").example(folder)
    document = json.loads(path.read_text())
    for row, change in zip(document["results"]["results"], changes, strict=False):
        row.update(change)
    path.write_text(json.dumps(document))
    return path


def test_an_error_of_the_provider_is_missing_and_a_failed_assertion_is_not(tmp_path: Path) -> None:
    failed = {"failureReason": 2, "error": "API error", "score": 0, "success": False}
    path = _changed(tmp_path, failed, {"failureReason": 1, "error": "not equal", "score": 0, "success": False})
    assert means(path)["score"]["owl"] == 0.0
    assert found(path)["unscored"].startswith("1 result is missing: the provider returned an error;")
    path = _changed(tmp_path, failed)
    assert means(path)["score"]["owl"] == 0.75


def test_equal_variables_with_other_assertions_are_other_items(tmp_path: Path) -> None:
    path = _changed(tmp_path, *[{"vars": {}, "testCase": {"assert": [place % 2]}} for place in range(4)])
    assert bt.read(path).tables[0].instances == ("no variables", "no variables (2)")


def test_providers_and_prompts_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = _changed(tmp_path, *[{"provider": "one"} for _ in range(4)])
    assert bt.read(path).systems == ("one #0", "one #1")


def test_two_evaluations_are_two_data_sets(tmp_path: Path) -> None:
    first = _changed(tmp_path)
    other = json.loads(first.read_text())
    for row in other["results"]["results"]:
        row["id"] += "b"
        row["score"] = 0.125
    (tmp_path / "later.json").write_text(json.dumps(other))
    boards = means([first, tmp_path / "later.json"])
    assert boards["promptfoo score"]["owl"] == 0.875
    assert boards["later score"]["owl"] == 0.125


def test_csv_is_refused_with_the_way_out(samples: Path) -> None:
    path = samples / "promptfoo" / "out.csv"
    assert refused(path) == (
        f"{path}: promptfoo's CSV export rounds scores and repeats column names. "
        "Export JSON instead: promptfoo export eval EVAL_ID -o results.json"
    )


def test_values_that_are_no_numbers_and_rows_without_scores_are_refused(tmp_path: Path) -> None:
    path = _changed(tmp_path, {"score": "high"})
    assert refused(path) == f"{path}: score is 'high', which is no number; allowed: numbers, true, false and null."
    document = json.loads(path.read_text())
    del document["results"]["results"][1]["score"]
    path.write_text(json.dumps(document))
    assert "result 2: the row has no 'score'." in refused(path)
