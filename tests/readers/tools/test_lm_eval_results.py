"""lm-evaluation-harness without samples: tasks are items, groups and standard errors are not."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, write_json


def _changed(folder: Path, **changes: Any) -> Path:
    place = Path(format_called("lm-eval-results").example(folder))
    for path in place.iterdir():
        document = json.loads(path.read_text())
        for key, change in changes.items():
            document[key] = {**document.get(key, {}), **change}
        path.write_text(json.dumps(document))
    return place


def test_groups_are_left_out(tmp_path: Path) -> None:
    group = {"all": {"acc,none": 0.1, "alias": "all"}, "other": {"acc,none": 0.2}}
    place = _changed(tmp_path, results=group, groups={"all": {}}, group_subtasks={"other": ["task0"], "task0": []})
    assert bt.read(place).tables[0].items == ("task0", "task1")


def test_a_metric_of_one_task_is_left_out_where_others_have_more(tmp_path: Path) -> None:
    place = _changed(tmp_path, results={"sums": {"f1,none": 0.1, "f1_stderr,none": 0.2, "mcc,none": "N/A"}})
    assert set(means(place)) == {"acc"}
    assert found(place)["boards-left-out"] == "1 board was left out, because it has scores of one item only: f1."


def test_the_last_results_count(tmp_path: Path) -> None:
    place = _changed(tmp_path)
    text = (place / "owl_2026-01-02T03-04-05.678901.json").read_text()
    (place / "owl_2026-02-02T03-04-05.json").write_text(text.replace("0.75", "0.25"))
    assert means(place)["acc"]["org/owl"] == pytest.approx(0.375)
    assert found(place)["runs-of-one-system"] == "org/owl: there are several runs; the last one was read."


def test_boards_are_the_figures_of_the_files(tmp_path: Path) -> None:
    """A filter is a metric of its own, standard errors are none, and less is better for ter."""
    for model, scores in (("owl", (0.75, 0.5, 60.0)), ("yak", (0.25, 1.0, 40.0))):
        results = {
            task: {
                "alias": task,
                "acc,none": scores[0] - shift,
                "acc_stderr,none": 0.1,
                "exact_match,strict-match": scores[1],
                "exact_match,flexible-extract": 1.0,
                "ter,none": scores[2],
            }
            for task, shift in (("sums", 0.0), ("words", 0.25))
        }
        directions = {"acc": True, "exact_match": True, "ter": False}
        document = {
            "results": results,
            "configs": {},
            "versions": {},
            "n-shot": {},
            "model_name": f"org/{model}",
            "higher_is_better": dict.fromkeys(results, directions),
        }
        write_json(tmp_path / "runs" / f"{model}_2026-01-02T03-04-05.678901.json", document)
    assert means(tmp_path / "runs") == {
        "acc": {"org/owl": 0.625, "org/yak": 0.125},
        "exact_match,strict-match": {"org/owl": 0.5, "org/yak": 1.0},
        "exact_match,flexible-extract": {"org/owl": 1.0, "org/yak": 1.0},
        "ter": {"org/owl": -60.0, "org/yak": -40.0},  # turned, so that more is better
    }


def test_samples_are_read_where_there_are_any(tmp_path: Path) -> None:
    folder = Path(format_called("lm-eval").example(tmp_path))
    for model in ("org__owl", "org__yak"):
        document = {
            "results": {"sums": {"acc,none": 0.5}, "words": {"acc,none": 0.25}},
            "configs": {},
            "versions": {},
            "n-shot": {},
            "model_name": model.replace("__", "/"),
        }
        write_json(folder / model / "results_2026-01-02T03-04-05.678901.json", document)
    for source in (folder, folder / "*"):
        assert bt.read(str(source)).reading.format == "lm-eval"
    assert bt.read(folder, format="lm-eval-results").reading.format == "lm-eval-results"
