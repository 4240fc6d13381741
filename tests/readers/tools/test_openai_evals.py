"""OpenAI evals: matches and metrics of samples, errors, unfinished runs."""

import json
from pathlib import Path
from typing import Any

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_lines


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


def test_matches_are_1_and_0_by_sample(tmp_path: Path) -> None:
    for model, right in (("owl", (True, False, True, True)), ("yak", (False, True, False, False))):
        events = [
            {
                "run_id": "1",
                "event_id": place,
                "sample_id": f"sums.{place}",
                "type": "match",
                "data": {"correct": ok, "expected": "1", "picked": "1"},
            }
            for place, ok in enumerate(right)
        ]
        sampling = {"sample_id": "sums.0", "type": "sampling", "data": {"prompt": "?", "sampled": ["1"]}}
        spec = {"spec": {"completion_fns": [model], "eval_name": "sums.dev.v0", "run_id": model}}
        write_lines(
            tmp_path / "logs" / f"1_{model}_sums.jsonl", [spec, sampling, *events, {"final_report": {"accuracy": 0.5}}]
        )
    assert means(tmp_path / "logs") == {"sums.dev.v0 correct": {"owl": 0.75, "yak": 0.25}}
    assert bt.read(tmp_path / "logs").tables[0].values.tolist() == [[1, 0], [0, 1], [1, 0], [1, 0]]
    assert found(tmp_path / "logs") == {}
