"""Label Studio: three exports of one project, ties by choices, and annotations that do not count."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.readers.tools.boards import counted, found, refused, write_json


def _task(number: int, *annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    named = data or {"model_a": "owl", "model_b": "yak"}
    return {"id": number, "data": {"prompt": f"q{number}", **named}, "annotations": list(annotations)}


def _pick(side: str | None = None, *choices: str, **about: Any) -> dict[str, Any]:
    result = [{"type": "pairwise", "value": {"selected": side}}] if side else []
    result += [{"type": "choices", "value": {"choices": list(choices)}}] if choices else []
    return {"id": id(result), "completed_by": {"email": "ann@x.org"}, "result": result, "predictions": [], **about}


def _written(folder: Path, *tasks: Any) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps(tasks))
    return path


def test_cancelled_and_ground_truth_do_not_count_and_predictions_are_none(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        {
            **_task(1, _pick("left")),
            "predictions": [{"result": [{"type": "pairwise", "value": {"selected": "right"}}]}],
        },
        _task(2, _pick("right", was_cancelled=True), _pick("right", ground_truth=True), _pick("left")),
    )
    assert [judgment[:3] for judgment in counted(path)] == [("owl", "yak", "0")] * 2
    reading = bt.read(path).reading
    assert reading is not None
    assert [finding.message for finding in reading.findings] == [
        "1 annotation was left out: the judge skipped the task.",
        "1 annotation was left out: they are marked as ground truth.",
    ]


@pytest.mark.parametrize(
    "data",
    [
        {"left_system": "owl", "right_system": "yak"},
        {"modelA": "owl", "modelB": "yak"},
        {"models": ["owl", "yak"]},
        {"system 1": "owl", "system 2": "yak"},
    ],
)
def test_systems_are_in_the_data_of_tasks(data: dict[str, Any], tmp_path: Path) -> None:
    path = _written(tmp_path, _task(1, _pick("left"), _pick(None, "tie"), **data))
    assert bt.read(path).systems == ("owl", "yak")


def test_what_cannot_be_told_is_refused_with_what_was_seen(tmp_path: Path) -> None:
    path = _written(tmp_path, _task(1, _pick("left"), left="one text", right="another", one="owl", two="yak"))
    assert refused(path) == (
        f"{path}: cannot tell which systems were compared; the tasks have 'prompt', 'left', 'right', 'one', 'two'. "
        "Name the keys of both systems: left='model_a' and right='model_b'; where another file names them, add it with "
        "join and on."
    )
    assert bt.read(path, left="one", right="two").systems == ("owl", "yak")
    path = _written(tmp_path, _task(1, _pick("left"), models=["owl", "yak", "elk"]))
    assert "task 1: the task does not name two systems: models = ['owl', 'yak', 'elk']." in refused(path)
    path = _written(tmp_path, _task(1, _pick("middle")))
    assert "task 1: the selected side is 'middle'; allowed: left, right." in refused(path)
    path = _written(tmp_path, _task(1, _pick("left", "Tie")))
    assert "task 1: selects left and chooses 'Tie'. Correct the annotation" in refused(path)
    written = {"id": 1, "result": [{"type": "textarea", "value": {"text": ["A comment."]}}]}
    path = _written(tmp_path, _task(1, written, written))
    assert "holds no pairwise comparison that was submitted; its results are textarea (2)." in refused(path)


def test_choices_alone_are_outcomes_and_unknown_ones_are_refused(tmp_path: Path) -> None:
    path = _written(tmp_path, _task(1, _pick(None, "A"), _pick(None, "B"), _pick(None, "Tie")))
    assert bt.read(path).tally().times.sum() == 3
    path = _written(tmp_path, _task(1, _pick(None, "Cannot say"), _pick("left")))
    with pytest.raises(bt.EvidenceError, match="Cannot say"):
        bt.read(path).tally()
    assert bt.read(path, outcomes={"Cannot say": "tie"}).tally().times.sum() == 2


def test_damaged_annotations_are_refused_in_one_sentence(tmp_path: Path) -> None:
    path = _written(tmp_path, {"id": 1, "data": {"model_a": "owl", "model_b": "yak"}, "annotations": [7]})
    assert refused(path).startswith(f"{path}: not every file is laid out as label-studio writes it (AttributeError")


#: Systems of every task, and what two judges said: a side, a tie beside the comparison, or nothing.
PROJECT = [("owl", "yak", "left", "right"), ("yak", "elk", "Tie", "left"), ("elk", "owl", "right", None)]
JUDGMENTS = {
    ("owl", "yak", "0", "q0", "1"): 1,
    ("owl", "yak", "2", "q0", "2"): 1,
    ("yak", "elk", "1", "q1", "1"): 1,
    ("yak", "elk", "0", "q1", "2"): 1,
    ("elk", "owl", "2", "q2", "1"): 1,
}


def _submissions() -> Iterator[tuple[int, int, dict[str, Any], str | None]]:
    """Yield task, judge, the task's data and what was said."""
    for task, (left, right, *said) in enumerate(PROJECT):
        for judge, word in enumerate(said, 1):
            yield task, judge, {"prompt": f"q{task}", "left": "one", "right": "two", "systems": [left, right]}, word


def _as_tasks(folder: Path) -> Path:
    tasks: dict[int, dict[str, Any]] = {}
    for task, judge, data, word in _submissions():
        result: list[Any] = (
            [{"type": "pairwise", "from_name": "pw", "value": {"selected": word}}] if word in {"left", "right"} else []
        )
        result += [{"type": "choices", "from_name": "tie", "value": {"choices": [word]}}] if word == "Tie" else []
        tasks.setdefault(task, {"id": task, "data": data, "annotations": []})["annotations"].append(
            {
                "id": 10 * task + judge,
                "completed_by": judge,
                "was_cancelled": False,
                "ground_truth": False,
                "result": result,
                "created_at": "2026-05-01T12:00:00Z",
            }
        )
    return write_json(folder / "export.json", list(tasks.values()))


def _small() -> list[dict[str, Any]]:
    return [
        {
            **data,
            "id": task,
            **({"pw": [{"selected": word}]} if word in {"left", "right"} else {}),
            **({"tie": word} if word == "Tie" else {}),
            "annotator": judge,
            "annotation_id": 10 * task + judge,
            "created_at": "2026-05-01T12:00:00Z",
            "updated_at": "2026-05-01T12:00:01Z",
            "lead_time": 8.5,
        }
        for task, judge, data, word in _submissions()
    ]


def _as_rows(folder: Path) -> Path:
    return write_json(folder / "small.json", _small())


def _as_table(folder: Path) -> Path:
    rows = _small()
    names = sorted({name for row in rows for name in row})
    path = folder / "result.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        cells = ([row.get(name, "") for name in names] for row in rows)
        writer.writerows(
            [names, *([json.dumps(cell) if isinstance(cell, list) else cell for cell in row] for row in cells)]
        )
    return path


@pytest.mark.parametrize("write", [_as_tasks, _as_rows, _as_table])
def test_all_exports_hold_the_same_judgments(write: Any, tmp_path: Path) -> None:
    path = write(tmp_path)
    assert counted(path) == JUDGMENTS
    assert found(path) == {
        "unscored": "1 result is missing: the judge submitted no choice; missing results are left out, not counted as 0."
    }


def test_exports_of_one_project_count_once(tmp_path: Path) -> None:
    for write in (_as_tasks, _as_rows, _as_table):
        write(tmp_path)
    assert counted(tmp_path) == JUDGMENTS
    assert found(tmp_path)["replaced-rows"].startswith("12 rows were replaced")


def test_a_cut_table_is_refused(tmp_path: Path) -> None:
    path = _as_table(tmp_path)
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([*rows[:4], rows[4][:4]])
    assert "the row has another number of columns" in refused(path, format="label-studio")


def test_a_control_called_like_an_outcome_does_not_turn_texts_into_systems(tmp_path: Path) -> None:
    path = _as_table(tmp_path)
    path.write_text(path.read_text().replace('"pw"', '"comparison"'))
    assert counted(path) == JUDGMENTS
    table = "annotation_id,annotator,lead_time,model_a,model_b,choice\n1,ann,2.5,owl,yak,A\n2,bob,1.5,yak,owl,Tie\n"
    path.write_text(table)  # choices alone are plain judgments
    assert bt.read(path).reading.format == "judgments"
    assert bt.read(path).systems == ("owl", "yak")
