"""Inspect AI: archives of both kinds and JSON, letters, epochs, runs that did not finish."""

import json
import zipfile
from pathlib import Path
from typing import Any

import betterthan as bt
from tests.readers.tools.boards import found, means, refused, write_json


def _log(folder: Path, name: str, model: str, values: list[Any], **changes: Any) -> None:
    samples = [{"id": number, "epoch": 1, "scores": {"match": {"value": value}}} for number, value in enumerate(values)]
    log = {
        "version": 2,
        "status": "success",
        "eval": {"task": "sums", "model": model, "created": name},
        "plan": {},
        "samples": samples,
        **changes,
    }
    (folder / f"{name}.json").write_text(json.dumps(log))


def test_letters_words_and_missing_values(tmp_path: Path) -> None:
    _log(tmp_path, "1", "org/owl", ["C", "I", "P", "N", True, "yes", "0.25", None])
    _log(tmp_path, "2", "org/yak", [1, 0, 0.5, 0, 0, "no", 0.75, float("nan")])
    table = bt.read(tmp_path).tables[0]
    assert table.values[:7, 0].tolist() == [1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0.25]
    assert found(tmp_path)["unscored"].startswith("2 results are missing: the scorer gave no value;")
    _log(tmp_path, "2", "org/yak", ["A"] * 8)
    assert "the scorer match gave 'A', which is no number; allowed: numbers, C, I, P, N" in refused(tmp_path)


def test_a_model_that_occurs_twice_is_told_apart_by_what_differs(tmp_path: Path) -> None:
    for temperature in (0.0, 1.0):
        about = {
            "task": "sums",
            "model": "org/owl",
            "created": "1",
            "model_generate_config": {"temperature": temperature},
        }
        _log(tmp_path, f"t{temperature:g}", "org/owl", ["C", "I"], eval=about)
    assert bt.read(tmp_path).systems == ("org/owl (temperature=0.0)", "org/owl (temperature=1.0)")


def test_a_run_that_was_tried_again_counts_once(tmp_path: Path) -> None:
    _log(
        tmp_path,
        "1",
        "org/owl",
        ["I", "I"],
        status="error",
        eval={"task": "sums", "model": "org/owl", "task_id": "x", "created": "2026-02"},
    )
    _log(
        tmp_path,
        "2",
        "org/owl",
        ["C", "C"],
        eval={"task": "sums", "model": "org/owl", "task_id": "x", "created": "2026-01"},
    )
    _log(tmp_path, "3", "org/yak", ["C", "I"])
    assert means(tmp_path)["sums match"] == {"org/owl": 1.0, "org/yak": 0.5}


#: Letters of a scorer that counts for every epoch, and what another scorer gives by name.
RUNS = {
    "org/owl": [("C", 0.5), ("I", 1.0), ("P", 0.25), ("C", 0.25)],
    "org/yak": [("I", 1.0), ("I", 0.5), ("C", 1), ("N", 0)],
}
SUMMARY = {
    "sums match": {"org/owl": 0.625, "org/yak": 0.25},
    "sums judged.close": {"org/owl": 0.5, "org/yak": 0.625},
}


def _samples(values: list[Any]) -> list[dict[str, Any]]:
    """Two items in two epochs each."""
    return [
        {
            "id": f"s{place // 2}",
            "epoch": 1 + place % 2,
            "input": "?",
            "target": "!",
            "scores": {"match": {"value": letter}, "judged": {"value": {"close": close}}},
        }
        for place, (letter, close) in enumerate(values)
    ]


def _archive(path: Path, members: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, document in members.items():
            archive.writestr(name, json.dumps(document))


def _header(model: str, status: str = "success") -> dict[str, Any]:
    return {"version": 2, "status": status, "plan": {}, "eval": {"task": "sums", "model": model, "created": "2026"}}


def test_json_and_archives_hold_the_same_scores(tmp_path: Path) -> None:
    for model, values in RUNS.items():
        name = model.replace("/", "-")
        write_json(tmp_path / "json" / f"{name}.json", {**_header(model), "samples": _samples(values)})
        members = {"header.json": _header(model), "summaries.json": _samples(values)}
        _archive(tmp_path / "eval" / f"{name}.eval", members)
    for folder in ("json", "eval"):
        assert means(tmp_path / folder) == SUMMARY
        table = next(each for each in bt.read(tmp_path / folder).tables if each.title == "sums match")
        assert table.items == ("s0", "s1")
        assert table.values.tolist() == [[0.5, 0.0], [0.75, 0.5]]
        assert table.repeats is not None


def test_an_archive_without_an_end_is_read_and_said_to_be_incomplete(tmp_path: Path) -> None:
    for number, (model, values) in enumerate(RUNS.items()):
        samples = _samples(values)
        members = {"header.json": _header(model), "summaries.json": samples}
        if number == 0:
            members = {
                "_journal/start.json": {"version": 2, "eval": _header(model)["eval"], "plan": {}},
                "_journal/summaries/1.json": samples[:1],
                "_journal/summaries/2.json": samples[1:],
            }
        _archive(tmp_path / f"{number}.eval", members)
    assert means(tmp_path) == SUMMARY
    assert "0.eval: the run did not finish (status started)" in found(tmp_path)["incomplete-runs"]


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    for model, values in RUNS.items():
        _archive(
            tmp_path / "logs" / f"{model[4:]}.eval", {"header.json": _header(model), "summaries.json": _samples(values)}
        )
    _archive(
        tmp_path / "logs" / "elk.eval", {"header.json": _header("elk"), "summaries.json": _samples(RUNS["org/owl"])}
    )
    place = tmp_path / "logs" / "elk.eval"
    place.write_bytes(place.read_bytes()[:-40])
    assert "1 file was not read" in found(tmp_path / "logs")["files-ignored"]
    assert place.name in refused(place)
