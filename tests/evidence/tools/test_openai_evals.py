"""OpenAI evals: matches and metrics of samples, errors, unfinished runs."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused


def test_boards_are_those_of_the_final_reports(samples: Path) -> None:
    boards = means(samples / "openai-evals")
    assert set(boards) == {"test-match.s1.simple-v0 correct"}
    for path in (samples / "openai-evals").iterdir():
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        model = lines[0]["spec"]["completion_fns"][0]
        report = next(line["final_report"] for line in lines if "final_report" in line)
        assert boards["test-match.s1.simple-v0 correct"][model] == pytest.approx(report["accuracy"])


def _log(folder: Path, *events: dict[str, Any]) -> Path:
    """Write the example with other events of the first model."""
    place = Path(format_called("openai-evals").example(folder))
    path = place / "1_owl_sums.jsonl"
    spec = path.read_text().splitlines()[0]
    path.write_text("\n".join([spec, *map(json.dumps, events)]))
    return place


def _metrics(sample: str, **data: Any) -> dict[str, Any]:
    return {"sample_id": sample, "type": "metrics", "data": data}


def test_numbers_among_metrics_are_scores(tmp_path: Path) -> None:
    events = [_metrics("sums.0", f1=0.5, correct=True, choice="B"), _metrics("sums.0", f1=1.0), {"final_report": {}}]
    place = _log(tmp_path, *events)
    assert means(place)["sums correct"]["owl"] == 1.0
    assert "sums f1" not in means(place)
    assert found(place)["boards-left-out"] == (
        "1 board was left out, because it has scores of one system only: sums f1."
    )
    yak = place / "1_yak_sums.jsonl"
    yak.write_text("\n".join([yak.read_text().splitlines()[0], *map(json.dumps, events)]))
    assert means(place)["sums f1"] == {"owl": 0.75, "yak": 0.75}


def test_errors_are_missing_and_runs_without_a_report_incomplete(tmp_path: Path) -> None:
    place = _log(
        tmp_path, _metrics("sums.0", correct=0), {"sample_id": "sums.1", "type": "error", "data": {"message": "x"}}
    )
    messages = found(place)
    assert messages["unscored"].startswith("1 result is missing: the sample ended with an error;")
    assert "it has no final report" in messages["incomplete-runs"]
    assert means(place)["sums correct"]["owl"] == 0.0


def test_two_runs_are_two_systems(tmp_path: Path) -> None:
    place = Path(format_called("openai-evals").example(tmp_path))
    text = (place / "1_owl_sums.jsonl").read_text()
    (place / "2_owl_sums.jsonl").write_text(text.replace('"run_id": "owl"', '"run_id": "again"'))
    assert bt.read(place).systems == ("owl (again)", "owl (owl)", "yak")


def test_damaged_logs_are_refused(tmp_path: Path) -> None:
    place = Path(format_called("openai-evals").example(tmp_path))
    path = place / "1_owl_sums.jsonl"
    whole = path.read_text()
    path.write_text(whole[:-10])
    assert (
        refused(place)
        == f"{path}, line 4: the line is no JSON object. Check whether the file is whole, or write it again."
    )
    path.write_text(whole.splitlines()[0])
    (place / "1_yak_sums.jsonl").unlink()
    assert "the log holds no scores of samples." in refused(place)
