"""Ratings and orders annotated in Label Studio."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt


def _export(tmp_path: Path, tasks: list[dict[str, Any]]) -> Path:
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    return tmp_path / "export.json"


def _task(number: int, data: dict[str, Any], *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    annotations = [
        {"id": 10 * number + judge, "completed_by": judge, "was_cancelled": False, "result": [result], **more}
        for judge, result in enumerate(results)
    ]
    return {"id": number, "data": data, "annotations": annotations}


def _rated(rating: float) -> dict[str, Any]:
    return {"type": "rating", "from_name": "quality", "to_name": "text", "value": {"rating": rating}}


def _ranked(order: Any) -> dict[str, Any]:
    return {"type": "ranker", "from_name": "rank", "to_name": "list", "value": {"ranker": order}}


def test_ratings_are_scores(tmp_path: Path) -> None:
    tasks = [
        _task(1, {"prompt": "q1", "model": "owl", "text": "x"}, _rated(4), _rated(2)),
        _task(2, {"prompt": "q1", "model": "yak", "text": "y"}, _rated(1), _rated(2)),
        _task(3, {"prompt": "q2", "model": "owl", "text": "z"}, _rated(5)),
        _task(4, {"prompt": "q2", "model": "yak", "text": "z"}, _rated(2), {"type": "textarea", "value": {}}),
        _task(5, {"prompt": "q2", "model": "yak", "text": "z"}, _rated(5), was_cancelled=True),
    ]
    scores = bt.read(_export(tmp_path, tasks))
    assert isinstance(scores, bt.Scores)
    table = scores.tables[0]
    assert (table.title, table.systems, table.values.tolist()) == ("quality", ("owl", "yak"), [[3.0, 1.5], [5.0, 2.0]])
    assert str(scores.reading) == (
        "Read as label-studio-ratings: metric = from_name, system = model, item = prompt, judge = completed_by, "
        "score = rating; ignored: text, textarea results."
    )
    assert scores.reading is not None
    assert {finding.code for finding in scores.reading.findings} == {
        "annotations-left-out",
        "unscored",
        "judges-averaged",
    }
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(_export(tmp_path, [_task(1, {"prompt": "q1", "text": "x"}, _rated(4))]))
    assert str(refusal.value) == (
        f"{tmp_path / 'export.json'}: cannot tell which system was rated; the tasks have 'prompt', 'text'. "
        "Name the key with system."
    )


def test_orders_are_rankings(tmp_path: Path) -> None:
    named = [{"id": f"{letter}", "model": system} for letter, system in zip("abc", ("owl", "yak", "elk"), strict=True)]
    tasks = [
        _task(1, {"prompt": "q1", "items": named}, _ranked({"rank": ["b", "a", "c"]}), _ranked(["a", "b", "c"])),
        _task(2, {"prompt": "q2", "items": named}, _ranked({"rank": ["c", "a", "b"]})),
    ]
    rankings = bt.read(_export(tmp_path, tasks))
    assert isinstance(rankings, bt.Rankings)
    ranks = np.zeros((3, 3))
    ranks[rankings.ranking, rankings.system] = rankings.rank
    assert rankings.systems == ("elk", "owl", "yak")
    assert sorted(ranks.tolist()) == [[1, 2, 3], [3, 1, 2], [3, 2, 1]]
    ids = [_task(n, {"prompt": f"q{n}"}, _ranked({"rank": ["owl", "yak"]})) for n in (1, 2)]
    assert bt.read(_export(tmp_path, ids)).systems == ("owl", "yak")
    for tasks, said in (
        ([_task(1, {}, _ranked({"good": ["owl"], "bad": ["yak"]}))], r"the Ranker has buckets \('good', 'bad'\)"),
        (
            [_task(n, {}, _ranked({"rank": [f"{n}1", f"{n}2"]})) for n in (1, 2)],
            "no entry such as '11' is in two tasks",
        ),
        ([_task(1, {}, _ranked({"rank": ["owl", "owl"]}))], "ranks owl, owl. A ranking needs at least two systems"),
        ([_task(1, {}, _ranked({"rank": ["owl", "yak"]}), was_cancelled=True)], "holds no ranker that was submitted"),
    ):
        with pytest.raises(bt.EvidenceError, match=said):
            bt.read(_export(tmp_path, tasks))
