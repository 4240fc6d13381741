"""Mechanical Turk: answers as text or as radio buttons, rejected assignments, and questions that say nothing."""

import csv
from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import counted, refused

HEAD = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.model_a", "Input.model_b", "Input.item_id"]


def _batch(path: Path, answers: list[str], *lines: list[str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([[*HEAD, *answers], *lines])
    return path


def test_the_example_has_the_votes_of_its_workers(tmp_path: Path) -> None:
    assert counted(format_called("mechanical-turk").example(tmp_path)) == {
        ("owl", "yak", "0", "1", "ann"): 1,
        ("yak", "elk", "1", "2", "ann"): 1,
        ("owl", "yak", "2", "1", "bob"): 1,
    }


def test_radio_buttons_are_a_column_each_and_rejected_work_is_left_out(tmp_path: Path) -> None:
    path = _batch(
        tmp_path / "Batch_1_batch_results.csv",
        ["Answer.comment", "Answer.better.left", "Answer.better.right", "Answer.better.tie"],
        ["h1", "1", "ann", "Approved", "owl", "yak", "p1", "fine", "true", "false", "false"],
        ["h1", "2", "bob", "Submitted", "owl", "yak", "p1", "", "false", "false", "true"],
        ["h2", "3", "ann", "Approved", "yak", "elk", "p2", "hm", "false", "false", "false"],
        ["h2", "4", "eve", "Rejected", "yak", "elk", "p2", "", "false", "true", "false"],
    )
    assert counted(path) == {("owl", "yak", "0", "p1", "ann"): 1, ("owl", "yak", "1", "p1", "bob"): 1}
    left_out = [each.message for each in bt.read(path).reading.findings]
    assert left_out[0].startswith("1 annotation was left out: the assignment was rejected.")
    assert left_out[1].startswith("1 annotation was left out: the question was not answered.")


def test_answers_and_inputs_that_say_nothing_are_refused(tmp_path: Path) -> None:
    line = ["h1", "1", "ann", "Approved", "owl", "yak", "p1"]
    path = _batch(tmp_path / "Batch_1_batch_results.csv", ["Answer.better"], [*line, ""])
    assert refused(path) == f"{path}: holds no answers. Check whether anything was annotated."
    _batch(path, ["Answer.better"], [*line, "the first one, clearly"])
    assert refused(path) == (
        f"{path}: cannot tell which question says who won (better: the first one, clearly). Name it with "
        "outcome, and say whether each word means left, right or tie: outcomes. Add format='mechanical-turk'."
    )
    said = {"outcome": "better", "outcomes": {"the first one, clearly": "left"}, "format": "mechanical-turk"}
    assert counted(path, **said) == {("owl", "yak", "0", "p1", "ann"): 1}
