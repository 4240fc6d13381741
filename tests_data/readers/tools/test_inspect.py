"""Inspect AI: archives of both kinds and JSON, letters, epochs, runs that did not finish."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused


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
            row, column = table.items.index(sample["sample_id"]), table.systems.index(log["eval"]["model"])
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


def test_a_cut_archive_is_refused(samples: Path, tmp_path: Path) -> None:
    shutil.copytree(samples / "inspect" / "eval", tmp_path / "logs")
    place = sorted((tmp_path / "logs").glob("*.eval"))[0]
    place.write_bytes(place.read_bytes()[:20_000])
    assert "1 file was not read" in found(tmp_path / "logs")["files-ignored"]
    assert place.name in refused(place)
