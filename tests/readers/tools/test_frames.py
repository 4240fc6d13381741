"""Frames of ragas, LangSmith, TruLens and Braintrust: one file per system, or apps and versions; only feedback counts."""

import csv
import json
from pathlib import Path
from typing import Any

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused


def _langsmith(folder: Path, name: str, scores: list[float | str], **more: list[Any]) -> str:
    columns = {
        "inputs.question": ["q1", "q2"],
        "outputs.output": ["a", "b"],
        "error": ["", ""],
        "reference.answer": ["1", "2"],
        "feedback.correctness": scores,
        "execution_time": [1.5, 0.5],
        "example_id": ["e1", "e2"],
        "id": [f"{name}1", f"{name}2"],
        **more,
    }
    path = folder / f"{name}.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return str(path)


def test_langsmith_feedback_is_the_metric_and_nothing_else(tmp_path: Path) -> None:
    files = [_langsmith(tmp_path, "owl", [1, 0.5]), _langsmith(tmp_path, "yak", [0.25, ""])]
    assert means(files) == {"": {"owl": 0.75, "yak": 0.25}}
    reading = bt.read(files).reading
    assert reading.used == {"item": "example_id", "system": "the file's name", "score": "feedback.correctness"}
    assert "execution_time" in reading.ignored
    more = {"feedback.helpfulness": [3, 4], "feedback.comment": ["nice", "bad"]}
    files = [_langsmith(tmp_path, "owl", [1, 0.5], **more), _langsmith(tmp_path, "yak", [0, 1], **more)]
    assert set(means(files)) == {"feedback.correctness", "feedback.helpfulness"}
    assert means(files, score=["feedback.helpfulness"]) == {"": {"owl": 3.5, "yak": 3.5}}


def test_trulens_versions_are_systems_and_feedback_has_calls() -> None:
    records = format_called("trulens").example(Path())
    assert means(records) == {"": {"bot-v1": 0.625, "bot-v2": 0.75}}
    assert "latency" in bt.read(records).reading.ignored
    assert bt.read(records, score=["latency"]).tables[0].negated  # less is better
    again = {name: [*values, values[0]] for name, values in records.items()} | {
        "Groundedness": [0.5, 0.75, 1.0, 0.5, 1.0]
    }
    again["record_id"][-1] = "r5"
    assert means(again)[""]["bot-v1"] == 0.75  # (0.75 + 0.75) / 2
    assert "repeats-averaged" in found(again)
    del records["Groundedness_calls"]
    assert bt.read(records).tables[0].metric == "Groundedness"


def test_one_version_alone_is_refused() -> None:
    records = {name: values[:2] for name, values in format_called("trulens").example(Path()).items()}
    assert "a ranking needs scores of at least two systems." in refused(records)


def _braintrust(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps([{"input": "q", "output": "a", "expected": "b", "metadata": {}, **row} for row in rows]))
    return path


def test_braintrust_scores_are_metrics(tmp_path: Path) -> None:
    step = {"scores": {"Exact": 0}, "span_id": "s", "root_span_id": "r"}
    _braintrust(
        tmp_path,
        "owl",
        {"scores": {"Exact": 1, "Close": 0.5}},
        {"input": {"x": 1}, "scores": {"Exact": None, "Close": 0.5}},
        step,
    )
    _braintrust(
        tmp_path,
        "yak",
        {"scores": {"Exact": 0.5, "Close": 0.75}},
        {"scores": {"Exact": 1}},
        {"input": {"x": 1}, "scores": {"Exact": 0, "Close": 0.75}},
    )
    assert means(tmp_path) == {"Exact": {"owl": 1.0, "yak": 0.375}, "Close": {"owl": 0.5, "yak": 0.75}}
    assert found(tmp_path)["unscored"].startswith("1 result is missing: the score is null;")
    assert "repeats-averaged" in found(tmp_path)
    path = _braintrust(tmp_path, "elk", {"scores": {"Exact": "good"}})
    assert refused(path) == f"{path}, row 1: the score is 'good'; allowed: numbers, true, false and null."


def test_ragas_metrics_are_the_means_of_its_columns(tmp_path: Path) -> None:
    header = ["user_input", "retrieved_contexts", "response", "reference", "faithfulness", "answer_relevancy"]
    rows = {"owl": [(1, 0.5), (0.5, 0.25)], "yak": [(0.25, 1), ("", 0.5)]}
    files = []
    for system, scores in rows.items():
        path = tmp_path / f"{system}.csv"
        with path.open("w", newline="") as stream:
            csv.writer(stream).writerows(
                [
                    header,
                    *(
                        [f"question {number}", "['one', 'two']", f"{system} says {number}", f"gold {number}", *both]
                        for number, both in enumerate(scores)
                    ),
                ]
            )
        files.append(path)
    expected = {"faithfulness": {"owl": 0.75, "yak": 0.25}, "answer_relevancy": {"owl": 0.375, "yak": 0.75}}
    assert means(files) == expected
    assert means(files, score=list(expected), item="user_input") == expected
    assert bt.read(files).tables[0].items == ("question 0", "question 1")
