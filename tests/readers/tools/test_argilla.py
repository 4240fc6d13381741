"""Argilla: whole and flat records; label, ranking and rating questions; what was not submitted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import counted, found, means, refused, write_json


def _flat(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "records.json"
    path.write_text(json.dumps(records))
    return path


def _record(number: int, questions: dict[str, Any], **data: Any) -> dict[str, Any]:
    record = {"id": str(number), "prompt": f"q{number}", **(data or {"model_a": "owl", "model_b": "yak"})}
    for question, value in questions.items():
        record |= {
            f"{question}.responses": [value],
            f"{question}.responses.users": ["ann"],
            f"{question}.responses.status": ["submitted"],
        }
    return record


def test_the_question_is_told_by_its_words_or_named(tmp_path: Path) -> None:
    path = _flat(
        tmp_path, [_record(1, {"comment": "fine", "better": "B"}), _record(2, {"comment": "no", "better": "A"})]
    )
    assert bt.read(path).reading.used["outcome"] == "better"
    path = _flat(tmp_path, [_record(1, {"style": "A", "better": "B"})])
    assert refused(path) == (
        f"{path}: cannot tell which question says who won (style: A; better: B). Name it with outcome, and say "
        "whether each word means left, right or tie: outcomes."
    )
    assert counted(path, outcome="style") == {("owl", "yak", "0", "q1", "ann"): 1}
    assert "there is no label question 'other'; allowed: style, better" in refused(path, outcome="other")


def test_systems_that_nothing_names_are_refused(tmp_path: Path) -> None:
    path = _flat(tmp_path, [_record(1, {"better": "B"}, response_a="one", response_b="two")])
    assert "cannot tell which systems were compared; the tasks have 'id', 'prompt', 'response_a'" in refused(path)
    path = _flat(tmp_path, [_record(1, {"rank": ["response_a", "response_b"]}, response_a="one", response_b="two")])
    assert "record 1: cannot tell which system 'response_a' is of" in refused(path)
    path = _flat(tmp_path, [_record(1, {"rank": ["owl", "owl"]})])
    assert "record 1: the answer to 'rank' ranks owl, owl. A ranking needs at least two values" in refused(path)


def test_ranked_values_may_be_names_with_ranks(tmp_path: Path) -> None:
    ranked = [{"value": "owl", "rank": 2}, {"value": "yak", "rank": 1}, {"value": "elk", "rank": 2}]
    rankings = bt.read(_flat(tmp_path, [_record(1, {"rank": ranked}, topic="x")]))
    assert dict(zip(rankings.systems, rankings.rank[np.argsort(rankings.system)], strict=True)) == {
        "elk": 2,
        "owl": 2,
        "yak": 1,
    }


def test_ratings_need_a_system(tmp_path: Path) -> None:
    path = Path(format_called("argilla-ratings").example(tmp_path))
    assert means(path) == {"quality": {"owl": 4.25, "yak": 2.25}}
    path.write_text(path.read_text().replace('"model"', '"colour"'))
    assert "cannot tell which system was rated; the records have 'id', 'status', 'prompt', 'colour'" in refused(path)
    assert means(path, system="colour") == {"quality": {"owl": 4.25, "yak": 2.25}}


def test_lists_that_differ_in_length_are_refused(tmp_path: Path) -> None:
    record = _record(1, {"better": "A"}) | {"better.responses.users": ["ann", "bob"]}
    assert "record 1: the responses to 'better' have 1 values, 2 users and 1 statuses" in refused(
        _flat(tmp_path, [record])
    )
    whole = {"id": 1, "fields": {}, "metadata": {}, "suggestions": {}, "responses": {"better": [{"user_id": "ann"}]}}
    path = _flat(tmp_path, [whole])
    assert refused(path).startswith(f"{path}: not every file is laid out as argilla writes it (KeyError: 'value')")


#: Two systems, answers to a label question with who gave them and their status, and how both responses were ranked.
PROJECT = [
    ("owl", "yak", [("A", "ann", "submitted"), ("B", "bob", "draft")], ["response_b", "response_a"]),
    ("yak", "elk", [("tie", "ann", "submitted"), ("A", "bob", "submitted")], ["response_b", "response_a"]),
    ("elk", "owl", [("B", "ann", "discarded")], ["response_a", "response_b"]),
]


def _whole(folder: Path) -> Path:
    """Write records as `to_json` does, which does not say what was submitted."""
    records = [
        {
            "id": f"r{number}",
            "fields": {"prompt": f"q{number}", "response_a": "one", "response_b": "two"},
            "metadata": {"model_a": left, "model_b": right},
            "suggestions": {},
            "vectors": {},
            "status": "pending",
            "responses": {
                "preference": [{"value": value, "user_id": user} for value, user, _ in answers],
                "rank": [{"value": ranked, "user_id": "cat"}],
            },
        }
        for number, (left, right, answers, ranked) in enumerate(PROJECT)
    ]
    return write_json(folder / "whole.json", records)


def _flattened(folder: Path) -> Path:
    """Write the same records flat, with the status of every response."""
    records = [
        {
            "id": f"r{number}",
            "status": "pending",
            "prompt": f"q{number}",
            "response_a": "one",
            "response_b": "two",
            "model_a": left,
            "model_b": right,
            "preference.responses": [value for value, _, _ in answers],
            "preference.responses.users": [user for _, user, _ in answers],
            "preference.responses.status": [status for _, _, status in answers],
            "rank.responses": [ranked],
            "rank.responses.users": ["cat"],
            "rank.responses.status": ["submitted"],
            "preference.suggestion": "A",
        }
        for number, (left, right, answers, ranked) in enumerate(PROJECT)
    ]
    return write_json(folder / "flat.json", records)


SUBMITTED = {
    ("owl", "yak", "0", "q0", "ann"): 1,
    ("yak", "elk", "1", "q1", "ann"): 1,
    ("yak", "elk", "0", "q1", "bob"): 1,
}


def test_whole_records_count_every_response_and_say_so(tmp_path: Path) -> None:
    path = _whole(tmp_path)
    others = {("owl", "yak", "2", "q0", "bob"): 1, ("elk", "owl", "2", "q2", "ann"): 1}
    assert counted(path) == SUBMITTED | others
    assert found(path)["status-unknown"].startswith("The file does not say which of 5 responses were submitted")
    assert bt.read(path).reading.ignored == ("rank",)


def test_flat_records_count_what_was_submitted(tmp_path: Path) -> None:
    path = _flattened(tmp_path)
    assert counted(path) == SUBMITTED
    assert [finding.message for finding in bt.read(path).reading.findings] == [
        "1 annotation was left out: their status is 'draft'.",
        "1 annotation was left out: their status is 'discarded'.",
    ]


def test_exports_of_one_data_set_count_once_by_what_is_known_of_them(tmp_path: Path) -> None:
    _whole(tmp_path / "both")
    _flattened(tmp_path / "both")
    assert counted(tmp_path / "both") == SUBMITTED
    assert found(tmp_path / "both")["replaced-rows"].startswith("5 rows were replaced")


@pytest.mark.parametrize("write", [_whole, _flattened])
def test_ranking_questions_are_rankings_on_request(write: Any, tmp_path: Path) -> None:
    rankings = bt.read(write(tmp_path), "rankings")
    ranked = {
        (int(number), rankings.systems[system]): int(rank)
        for number, system, rank in zip(rankings.ranking, rankings.system, rankings.rank, strict=True)
    }
    best = [name for number in range(3) for name in ("elk", "owl", "yak") if ranked.get((number, name)) == 1]
    assert best == ["yak", "elk", "elk"]
    assert len(ranked) == 6
