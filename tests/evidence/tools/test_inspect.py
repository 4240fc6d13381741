"""Inspect AI: archives of both kinds and JSON, letters, epochs, runs that did not finish."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.evidence.tools.boards import found, means, refused


def _log(folder: Path, name: str, model: str, values: list[Any], **changes: Any) -> None:
    samples = [{"id": number, "epoch": 1, "scores": {"match": {"value": value}}} for number, value in enumerate(values)]
    log = {"version": 2, "status": "success", "eval": {"task": "sums", "model": model, "created": name}, "plan": {},
           "samples": samples, **changes}  # fmt: skip
    (folder / f"{name}.json").write_text(json.dumps(log))


def test_archives_and_json_give_the_means_of_its_own_summary(samples: Path) -> None:
    boards = means(samples / "inspect" / "json")
    for place in (samples / "inspect" / "json").glob("*.json"):
        log = json.loads(place.read_text())
        for score in log["results"]["scores"]:
            title = score["name"] if score["name"] == score["scorer"] else f"{score['scorer']}.{score['name']}"
            own = next(each["value"] for name, each in score["metrics"].items() if name in {"accuracy", "mean"})
            assert boards[f"sums {title}"][log["eval"]["model"]] == pytest.approx(own)
    archives = means(samples / "inspect" / "eval")
    assert set(archives) == set(boards)


def test_items_are_those_of_its_own_reductions(samples: Path) -> None:
    table = {each.title: each for each in bt.read(samples / "inspect" / "json").tables}["sums closeness"]
    assert table.values.shape == (6, 3)
    assert bt.read(samples / "inspect" / "eval").tables[0].values.shape == (12, 3)
    assert table.repeats is not None
    for place in (samples / "inspect" / "json").glob("*.json"):
        log = json.loads(place.read_text())
        reduced = next(each for each in log["reductions"] if each["scorer"] == "closeness")
        for sample in reduced["samples"]:
            row, column = table.instances.index(sample["sample_id"]), table.systems.index(log["eval"]["model"])
            assert table.values[row, column] == pytest.approx(sample["value"])


def test_deflated_archives_and_those_without_an_end_are_read(samples: Path, tmp_path: Path) -> None:
    for number, place in enumerate(sorted((samples / "inspect" / "json").glob("*.json"))):
        log = json.loads(place.read_text())
        header = {name: value for name, value in log.items() if name != "samples"}
        with zipfile.ZipFile(tmp_path / f"{number}.eval", "w", zipfile.ZIP_DEFLATED) as archive:
            if number:
                archive.writestr("header.json", json.dumps(header))
                archive.writestr("summaries.json", json.dumps(log["samples"]))
            else:
                archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": {}}))
                archive.writestr("_journal/summaries/1.json", json.dumps(log["samples"][:6]))
                archive.writestr("_journal/summaries/2.json", json.dumps(log["samples"][6:]))
    assert means(tmp_path) == means(samples / "inspect" / "json")
    assert "0.eval: the run did not finish (status started)" in found(tmp_path)["incomplete-runs"]


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
    _log(tmp_path, "1", "org/owl", ["I", "I"], status="error",
         eval={"task": "sums", "model": "org/owl", "task_id": "x", "created": "2026-02"})  # fmt: skip
    _log(
        tmp_path,
        "2",
        "org/owl",
        ["C", "C"],
        eval={"task": "sums", "model": "org/owl", "task_id": "x", "created": "2026-01"},
    )
    _log(tmp_path, "3", "org/yak", ["C", "I"])
    assert means(tmp_path)["sums match"] == {"org/owl": 1.0, "org/yak": 0.5}


def test_a_cut_archive_is_refused(samples: Path, tmp_path: Path) -> None:
    shutil.copytree(samples / "inspect" / "eval", tmp_path / "logs")
    place = sorted((tmp_path / "logs").glob("*.eval"))[0]
    place.write_bytes(place.read_bytes()[:20_000])
    assert "1 file was not read" in found(tmp_path / "logs")["files-ignored"]
    assert place.name in refused(place)
