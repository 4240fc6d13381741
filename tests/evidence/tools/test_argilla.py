"""Argilla: whole and flat records; label, ranking and rating questions; what was not submitted."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import counted, found, means, refused

OUTCOME = {"A": "0", "tie": "1", "B": "2"}


def test_whole_records_count_every_response_and_say_so(samples: Path) -> None:
    path = samples / "argilla" / "records.json"
    expected = Counter[tuple[str, ...]]()
    for record in json.loads(path.read_text()):
        for each in record["responses"]["preference"]:
            pair = record["metadata"]["model_a"], record["metadata"]["model_b"]
            expected[*pair, OUTCOME[each["value"]], record["fields"]["prompt"], each["user_id"]] += 1
    assert expected.total() == 24
    assert counted(path) == expected
    assert found(path)["status-unknown"].startswith("The file does not say which of 24 responses were submitted")
    reading = bt.read(path).reading
    assert reading is not None
    assert reading.ignored == ("rank",)


def test_flat_records_count_what_was_submitted(samples: Path) -> None:
    path = samples / "argilla" / "records_flat.json"
    expected = Counter[tuple[str, ...]]()
    for record in json.loads(path.read_text()):
        responses = zip(*(record[f"preference.responses{end}"] for end in ("", ".users", ".status")), strict=True)
        for value, user, status in responses:
            if status == "submitted":
                expected[record["model_a"], record["model_b"], OUTCOME[value], record["prompt"], user] += 1
    assert 0 < expected.total() < 24
    assert counted(path) == expected
    reading = bt.read(path).reading
    assert reading is not None
    told = [finding.message for finding in reading.findings]
    assert sum(int(message.split()[0]) for message in told) == 24 - expected.total()


def test_exports_of_one_data_set_count_once_by_what_is_known_of_them(samples: Path) -> None:
    assert counted(samples / "argilla") == counted(samples / "argilla" / "records_flat.json")
    assert found(samples / "argilla")["replaced-rows"].startswith("24 rows were replaced")


@pytest.mark.parametrize("name", ["records.json", "records_flat.json"])
def test_ranking_questions_are_rankings_on_request(name: str, samples: Path) -> None:
    rankings = bt.read(samples / "argilla" / name, "rankings")
    assert len(rankings.weight) == 12
    records = json.loads((samples / "argilla" / "records.json").read_text())
    # Every response ranks response_a before response_b.
    wins = Counter(record["metadata"]["model_a"] for record in records)
    tally = rankings.to_judgments().tally()
    winner = np.where(tally.outcome == 0, tally.left, tally.right)
    assert Counter(rankings.systems[code] for code in winner) == wins


def _flat(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "records.json"
    path.write_text(json.dumps(records))
    return path


def _record(number: int, questions: dict[str, Any], **data: Any) -> dict[str, Any]:
    record = {"id": str(number), "prompt": f"q{number}", **(data or {"model_a": "owl", "model_b": "yak"})}
    for question, value in questions.items():
        record |= {f"{question}.responses": [value], f"{question}.responses.users": ["ann"],
                   f"{question}.responses.status": ["submitted"]}  # fmt: skip
    return record


def test_the_question_is_told_by_its_words_or_named(tmp_path: Path) -> None:
    path = _flat(
        tmp_path, [_record(1, {"comment": "fine", "better": "B"}), _record(2, {"comment": "no", "better": "A"})]
    )
    assert bt.read(path).reading.used["outcome"] == "better"
    path = _flat(tmp_path, [_record(1, {"style": "A", "better": "B"})])
    assert refused(path) == (
        f"{path}: cannot tell which question says who won (style: A; better: B). Name it with outcome='style', "
        "and say what its words mean with outcomes={'WORD': 'left'}."
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
        "elk": 2, "owl": 2, "yak": 1,
    }  # fmt: skip


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
