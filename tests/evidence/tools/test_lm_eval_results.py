"""lm-evaluation-harness without samples: tasks are items, groups and standard errors are not."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means


def _files(samples: Path) -> list[str]:
    return [str(path) for path in (samples / "lm-eval").rglob("results_*.json")]


def test_boards_are_the_figures_of_the_files(samples: Path) -> None:
    boards = means(_files(samples))
    assert set(boards) == {
        "acc", "acc_norm", "bleu", "chrf", "ter", "exact_match,flexible-extract", "exact_match,strict-match",
    }  # fmt: skip
    for path in _files(samples):
        document = json.loads(Path(path).read_text())
        results, model = document["results"], document["model_name"]
        assert boards["acc"][model] == results["toy_mc"]["acc,none"]
        assert boards["exact_match,strict-match"][model] == results["toy_sums"]["exact_match,strict-match"]
        assert boards["ter"][model] == -results["toy_mt"]["ter,none"]  # less is better


def test_samples_are_read_where_there_are_any(samples: Path) -> None:
    for source in (samples / "lm-eval", samples / "lm-eval" / "*"):
        reading = bt.read(str(source)).reading
        assert reading is not None
        assert reading.format == "lm-eval"
    asked = bt.read(samples / "lm-eval", format="lm-eval-results").reading
    assert asked is not None
    assert asked.format == "lm-eval-results"


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
    assert bt.read(place).tables[0].instances == ("task0", "task1")


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
