"""SWE-bench: reports of the harness, logs, lists of resolved instances, details."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def test_logs_of_single_items_are_read(tmp_path: Path) -> None:
    for model, resolved in (("org__owl", "ab"), ("org__yak", "a")):
        for name in "abc":
            place = tmp_path / "run_evaluation" / "r1" / model / name
            place.mkdir(parents=True)
            told = {name: {"patch_is_None": False, "patch_exists": True, "resolved": name in resolved}}
            (place / "report.json").write_text(json.dumps(told))
    assert means(tmp_path / "run_evaluation")["SWE-bench"] == pytest.approx({"org/owl": 2 / 3, "org/yak": 1 / 3})


def test_runs_of_one_model_are_told_apart(tmp_path: Path) -> None:
    reports = format_called("swe-bench").example(tmp_path)
    (reports / "org__owl.second.json").write_text((reports / "org__owl.first.json").read_text())
    assert bt.read(reports).systems == ("org/owl (first)", "org/owl (second)", "org/yak")


def _changed(folder: Path, **changes: object) -> Path:
    path = format_called("swe-bench").example(folder) / "org__owl.first.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return path.parent


def test_failures_of_the_infrastructure_are_missing(tmp_path: Path) -> None:
    reports = _changed(tmp_path, infra_failure_ids=["a-3"], error_ids=["a-3"], unresolved_ids=[])
    assert means(reports)["SWE-bench"]["org/owl"] == 1.0
    assert means(_changed(tmp_path, error_ids=["a-3"], unresolved_ids=[]))["SWE-bench"]["org/owl"] == pytest.approx(
        2 / 3
    )


def test_contradictions_are_refused(tmp_path: Path) -> None:
    reports = _changed(tmp_path, error_ids=["a-1"])
    assert refused(reports) == (
        f"{reports / 'org__owl.first.json'}: a-1 is listed as resolved and as not resolved. Evaluate the run again."
    )
    reports = _changed(tmp_path, resolved_ids={"a-1": 1})
    assert refused(reports).startswith(f"{reports / 'org__owl.first.json'}: resolved_ids is no list of items")
    assert refused(format_called("swe-bench").example(tmp_path), score="cost").endswith(
        "there is one metric only. Leave out score."
    )


def test_reports_count_failures_and_leave_out_what_did_not_run(tmp_path: Path) -> None:
    """Unresolved, empty and broken patches are failures; what did not run to the end is missing."""
    every = [f"a-{number}" for number in range(1, 6)]
    reports = {
        "org__owl": {
            "resolved_ids": ["a-1", "a-2"],
            "unresolved_ids": ["a-3"],
            "empty_patch_ids": ["a-4"],
            "incomplete_ids": ["a-5"],
        },
        "org__yak": {
            "resolved_ids": ["a-5"],
            "unresolved_ids": ["a-1"],
            "error_ids": ["a-2"],
            "incomplete_ids": ["a-3", "a-4"],
        },
    }
    for model, lists in reports.items():
        write_json(tmp_path / "reports" / f"{model}.run1.json", {"submitted_ids": every, **lists})
    assert means(tmp_path / "reports") == {"SWE-bench": {"org/owl": 0.5, "org/yak": pytest.approx(1 / 3)}}
    assert found(tmp_path / "reports")["unscored"].startswith("3 results are missing: the item was not run to the end;")


def test_lists_and_details_of_one_system_give_the_same_scores(tmp_path: Path) -> None:
    """What a list does not name was tried in vain, where another system's list names it."""
    resolved = {"owl": ["a", "b", "d"], "yak": ["b"]}
    for system, names in resolved.items():
        lists = {"no_generation": ["c"] if system == "yak" else [], "no_logs": [], "resolved": names}
        write_json(tmp_path / "evaluation" / "verified" / system / "results" / "results.json", lists)
        details = {name: {"cost": 0.5, "api_calls": 9, "resolved": name in names} for name in "abcd"}
        write_json(tmp_path / "evaluation" / "bash-only" / system / "per_instance_details.json", details)
    for part in ("verified", "bash-only"):
        [table] = bt.read(tmp_path / "evaluation" / part).tables
        assert (table.title, table.items) == (part, ("a", "b", "c", "d"))
        assert table.values.tolist() == [[1, 0], [1, 1], [0, 0], [1, 0]]
    assert found(tmp_path / "evaluation" / "verified")["items-inferred"].startswith(
        "The files of verified list what was solved: 4 items"
    )
    assert "items-inferred" not in found(tmp_path / "evaluation" / "bash-only")
    assert set(means(tmp_path / "evaluation")) == {"verified", "bash-only"}


def test_details_are_preferred_to_lists(tmp_path: Path) -> None:
    for system in ("owl", "yak"):
        place = tmp_path / "test" / system
        write_json(place / "results" / "results.json", {"resolved": ["a"], "no_generation": []})
        details = {name: {"cost": 1.0, "api_calls": 2, "resolved": name == "a"} for name in "abcd"}
        write_json(place / "per_instance_details.json", details)
    assert means(tmp_path / "test") == {"test": {"owl": 0.25, "yak": 0.25}}
