"""Argilla: whole and flat records; label, ranking and rating questions; what was not submitted."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import counted, found

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
