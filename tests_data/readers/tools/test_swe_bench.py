"""SWE-bench: reports of the harness, logs, lists of resolved instances, details."""

import json
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means


def test_reports_count_failures_and_leave_out_what_did_not_run(samples: Path) -> None:
    boards = means(samples / "swe-bench" / "reports")
    assert set(boards) == {"SWE-bench"}
    for model, mean in boards["SWE-bench"].items():
        report = json.loads((samples / "swe-bench" / "reports" / f"{model.replace('/', '__')}.run1.json").read_text())
        assert report["incomplete_ids"]
        assert mean == pytest.approx(report["resolved_instances"] / report["submitted_instances"])
    assert set(boards["SWE-bench"]) == {"org/strong", "org/middle", "org/weak"}
    assert "the item was not run to the end" in found(samples / "swe-bench" / "reports")["unscored"]


def test_lists_and_details_of_one_system_give_the_same_scores(samples: Path) -> None:
    evaluation = samples / "swe-bench" / "experiments" / "evaluation"
    [lists] = bt.read(evaluation / "verified").tables
    [details] = bt.read(evaluation / "bash-only").tables
    assert lists.title == "verified"
    assert details.title == "bash-only"
    assert lists.items == details.items
    np.testing.assert_array_equal(lists.values, details.values)
    assert found(evaluation / "verified")["items-inferred"].startswith(
        "The files of verified list what was solved: 24 items"
    )
    assert "items-inferred" not in found(evaluation / "bash-only")


def test_the_whole_sample_is_three_boards(samples: Path) -> None:
    assert set(means(samples / "swe-bench")) == {"SWE-bench", "verified", "bash-only"}


def test_details_are_preferred_to_lists(samples: Path, tmp_path: Path) -> None:
    for system in ("owl", "yak"):
        place = tmp_path / "test" / system
        (place / "results").mkdir(parents=True)
        (place / "results" / "results.json").write_text(json.dumps({"resolved": ["a"], "no_generation": []}))
        details = {name: {"cost": 1.0, "api_calls": 2, "resolved": name == "a"} for name in "abcd"}
        (place / "per_instance_details.json").write_text(json.dumps(details))
    assert means(tmp_path / "test") == {"test": {"owl": 0.25, "yak": 0.25}}
