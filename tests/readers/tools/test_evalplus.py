"""EvalPlus: pass@1 per task from samples, plus only together with base."""

import json
from pathlib import Path
from typing import Any

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def _write(folder: Path, samples: dict[str, Any], name: str = "elk_vllm_temp_0.0.eval_results.json") -> Path:
    place = Path(format_called("evalplus").example(folder))
    (place / name).write_text(json.dumps({"date": "", "hash": "1", "eval": samples}))
    return place


def _sample(base: str | None, plus: str | None) -> dict[str, Any]:
    return {"task_id": "x", "base_status": base, "plus_status": plus}


def test_plus_counts_only_with_base(tmp_path: Path) -> None:
    tasks = {
        "HumanEval/0": [_sample("timeout", "pass"), _sample("pass", "pass")],
        "HumanEval/1": [_sample("fail", None), _sample(None, None)],
    }
    place = _write(tmp_path, tasks)
    assert means(place)["HumanEval plus"]["elk"] == 0.25  # 1 of 2, and 0 of 1 that was tested
    assert found(place)["unscored"].startswith("2 results are missing: the sample was not tested;")


def test_base_tests_alone_are_one_board(tmp_path: Path) -> None:
    place = _write(tmp_path, {"HumanEval/0": [_sample("pass", None)], "HumanEval/1": [_sample("fail", None)]})
    assert "elk" not in means(place)["HumanEval plus"]
    assert means(place)["HumanEval base"]["elk"] == 0.5
    assert "unscored" not in found(place)


def test_the_old_layout_is_read(tmp_path: Path) -> None:
    tasks = {"HumanEval/0": {"base": [["pass", [1]], ["fail", []]], "plus": [["pass", []], ["pass", []]]}}
    place = _write(tmp_path, tasks, "elk_eval_results.json")
    assert means(place)["HumanEval plus"]["elk"] == 0.5


def test_settings_tell_runs_of_one_model_apart(tmp_path: Path) -> None:
    place = _write(tmp_path, {"HumanEval/0": [_sample("pass", "pass")]}, "owl_vllm_temp_0.0.eval_results.json")
    assert bt.read(place).systems == ("owl (openai_temp_0.8)", "owl (vllm_temp_0.0)", "yak")


def test_an_unknown_status_is_refused(tmp_path: Path) -> None:
    place = _write(tmp_path, {"HumanEval/0": [_sample("flaky", "pass")]})
    assert refused(place) == (
        f"{place / 'elk_vllm_temp_0.0.eval_results.json'}, HumanEval/0: the status 'flaky' is none of EvalPlus's; "
        "allowed: pass, fail, timeout, timed out."
    )
    place = _write(tmp_path, {"HumanEval/0": [_sample("pass", "pass")], "HumanEval/1": ["pass"]})
    assert "HumanEval/1: holds no list of samples." in refused(place)


def test_boards_are_pass_at_1(tmp_path: Path) -> None:
    """Base of owl: (2/2 + 1/2) / 2; plus: (1/2 + 0/2) / 2, as a sample that fails the base tests fails."""
    runs = {
        "org--owl": {
            "HumanEval/0": [_sample("pass", "pass"), _sample("pass", "fail")],
            "HumanEval/1": [_sample("pass", "fail"), _sample("fail", "pass")],
        },
        "org--yak": {
            "HumanEval/0": [_sample("fail", "fail"), _sample("pass", "pass")],
            "HumanEval/1": [_sample("timeout", "fail"), _sample("pass", "pass")],
        },
    }
    for model, tasks in runs.items():
        write_json(tmp_path / "humaneval" / f"{model}_vllm_temp_0.8.eval_results.json", {"hash": "1", "eval": tasks})
    assert means(tmp_path) == {
        "HumanEval base": {"org/owl": 0.75, "org/yak": 0.5},
        "HumanEval plus": {"org/owl": 0.25, "org/yak": 0.5},
    }
    table = bt.read(tmp_path).tables[0]
    assert table.values.shape == (2, 2)
    assert table.repeats is not None
    assert len(table.repeats.value) == 8
