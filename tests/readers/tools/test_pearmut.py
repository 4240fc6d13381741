"""Pearmut: resets, skipped segments, control items, documents and campaigns."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused


def _entry(user: str, item_i: int | str, *scores: dict[str, Any] | None, **item: Any) -> dict[str, Any]:
    items = [{"src": f"source {item_i}.{place}", "tgt": {}, **item} for place in range(len(scores))]
    given = [score and {name: {"score": value} for name, value in score.items()} for score in scores]
    return {"user_id": user, "item_i": item_i, "item": items, "annotation": given, "actions": []}


def _written(folder: Path, *entries: dict[str, Any], name: str = "campaign.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return path


RESET = {"user_id": "ann", "annotation": "__RESET__"}


def test_a_reset_cancels_what_that_user_did_before(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _entry("ann", 0, {"owl": 1, "yak": 99}),
        _entry("bob", 0, {"owl": 70, "yak": 30}),
        RESET,
        _entry("ann", 0, {"owl": 90, "yak": 50}),
        _entry("ann", 1, {"owl": 60, "yak": 40}),
    )
    assert means(path) == {"score": {"owl": 70.0, "yak": 40.0}}  # ((70 + 90)/2 + 60)/2, ((30 + 50)/2 + 40)/2
    assert found(path)["annotations-left-out"] == "1 annotation was left out: the judge was reset later."
    path = _written(tmp_path, RESET, _entry("ann", 0, {"owl": 90, "yak": 50}))
    assert means(path) == {"score": {"owl": 90.0, "yak": 50.0}}


def test_the_last_entry_of_a_user_and_item_counts(tmp_path: Path) -> None:
    path = _written(tmp_path, _entry("ann", 0, {"owl": 1, "yak": 9}), _entry("ann", 0, {"owl": 5, "yak": 4}))
    assert means(path) == {"score": {"owl": 5.0, "yak": 4.0}}
    assert found(path)["replaced-rows"].startswith("1 row was replaced by a later one for the same user and item")


def test_control_items_and_skipped_segments_do_not_count(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        *(_entry("ann", f"{kind}_0", {"owl": 1, "yak": 99}) for kind in ("welcome", "random", "goodbye")),
        _entry("ann", 0, {"owl": 8, "yak": 6}, None, {"owl": 6, "yak": None}),
    )
    scores = bt.read(path)
    assert scores.tables[0].items == ("document 1, segment 1", "document 1, segment 3")
    assert scores.tables[0].grouped_by == "group"
    assert means(path) == {"score": {"owl": 7.0, "yak": 6.0}}
    assert found(path)["controls-left-out"].startswith("3 rows of control items")
    assert found(path)["unscored"].startswith("1 result is missing: the judge gave no score;")


def test_sliders_are_averaged_as_the_tool_does(tmp_path: Path) -> None:
    entry = _entry("ann", 0, {"owl": 1, "yak": 2})
    entry["annotation"] = [
        {"owl": {"score": None, "sliders": {"fluency": 2, "adequacy": 5, "style": None}}, "yak": {"score": 3}}
    ]
    assert means(_written(tmp_path, entry)) == {"score": {"owl": 3.5, "yak": 3.0}}


def test_two_campaigns_are_two_data_sets(tmp_path: Path) -> None:
    one, two = _entry("ann", 0, {"owl": 8, "yak": 6}), _entry("ann", 0, {"owl": 1, "yak": 6}, item_id="x")
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({"one": [one], "two": [two]}))
    expected = {"one score": {"owl": 8.0, "yak": 6.0}, "two score": {"owl": 1.0, "yak": 6.0}}
    assert means(path) == expected
    path.unlink()
    _written(tmp_path, one, name="one.jsonl")
    _written(tmp_path, two, name="two.jsonl")
    assert means(tmp_path) == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"annotation": []}, "line 1: the lists item and annotation do not have the same length."),
        ({"annotation": [{"owl": {"score": "good"}}]}, "line 1: the score is 'good'; allowed: numbers and null."),
        ({"annotation": [None]}, "holds no scores. Check whether anything was annotated."),
        ({"annotation": [7]}, "not every file is laid out as pearmut writes it (AttributeError"),
    ],
)
def test_damaged_entries_are_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    assert message in refused(_written(tmp_path, {**_entry("ann", 0, {"owl": 1, "yak": 2}), **change}))
