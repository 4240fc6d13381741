"""promptfoo: repeats, empty labels, several prompts, errors of providers, and its CSV export."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json, write_lines


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
    assert bt.read(path).tables[0].items == ("no variables", "no variables (2)")


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


def test_values_that_are_no_numbers_and_rows_without_scores_are_refused(tmp_path: Path) -> None:
    path = _changed(tmp_path, {"score": "high"})
    assert refused(path) == f"{path}: score is 'high', which is no number; allowed: numbers, true, false and null."
    document = json.loads(path.read_text())
    del document["results"]["results"][1]["score"]
    path.write_text(json.dumps(document))
    assert "result 2: the row has no 'score'." in refused(path)


def _result(
    provider: str, place: int, case: int, score: float, named: dict[str, float], again: int = 0
) -> dict[str, Any]:
    prompt = ("Add.", "You add numbers.")[place % 2]
    return {
        "id": f"{provider}-{place}-{case}-{again}",
        "promptIdx": place,
        "testIdx": 2 * again + case,
        "provider": {"id": provider, "label": {"owl": "Owl"}.get(provider, "")},
        "prompt": {"raw": prompt, "label": prompt},
        "vars": {"a": case},
        "testCase": {"vars": {"a": case}},
        "success": score > 0.5,
        "score": score,
        "namedScores": named,
        "gradingResult": None,
        "failureReason": 0,
    }


def _results() -> list[dict[str, Any]]:
    """Two providers, one without a label, with two prompts each, on two test cases of which the first was repeated."""
    scores = {
        ("owl", 0): (1.0, 0.5, 0.75),
        ("owl", 1): (0.25, 0.75, 0.5),
        ("yak", 2): (0.5, 0.0, 1.0),
        ("yak", 3): (0.75, 1.0, 1.0),
    }
    return [
        row
        for (provider, place), (first, again, second) in scores.items()
        for row in (
            _result(provider, place, 0, first, {"correct": first}),
            _result(provider, place, 0, again, {"correct": again}, 1),
            _result(provider, place, 1, second, {"brevity": second / 2}),
        )
    ]


@pytest.mark.parametrize("name", ["whole.json", "rows.jsonl", ""])
def test_providers_with_prompts_are_systems_and_repeats_are_of_one_item(name: str, tmp_path: Path) -> None:
    """The score of Owl with the first prompt: ((1 + 0.5) / 2 + 0.75) / 2. Both files hold the same rows, which count once."""
    write_json(tmp_path / "whole.json", {"evalId": "e", "results": {"version": 3, "results": _results()}, "config": {}})
    write_lines(tmp_path / "rows.jsonl", _results())
    systems = ("Owl · Add.", "Owl · You add numbers.", "yak · Add.", "yak · You add numbers.")
    boards = means(tmp_path / name)
    for metric in ("correct", "brevity"):  # of one test case each, so only on request
        boards |= means(tmp_path / name, score=metric)
    assert boards["score"] == dict(zip(systems, (0.75, 0.5, 0.625, 0.9375), strict=True))
    assert boards["success"] == dict(zip(systems, (0.75, 0.25, 0.5, 1.0), strict=True))
    assert boards["correct"] == dict(zip(systems, (0.75, 0.5, 0.25, 0.875), strict=True))
    assert boards["brevity"] == dict(zip(systems, (0.375, 0.25, 0.5, 0.5), strict=True))
    scores = bt.read(tmp_path / name)
    (table,) = [each for each in scores.tables if each.metric == "score"]
    assert table.values.shape == (2, 4)
    assert table.repeats is not None
    assert scores.reading.format == "promptfoo"
