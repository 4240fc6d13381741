"""SWE-bench: reports of the harness, logs, lists of resolved instances, details."""

import json
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused


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
    assert lists.instances == details.instances
    np.testing.assert_array_equal(lists.values, details.values)
    assert found(evaluation / "verified")["instances-inferred"].startswith(
        "The files of verified list what was solved: 24 items"
    )
    assert "instances-inferred" not in found(evaluation / "bash-only")


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


def test_logs_of_single_instances_are_read(tmp_path: Path) -> None:
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
