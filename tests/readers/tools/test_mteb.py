"""MTEB: one score per task, one revision per task, subsets averaged."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def _example(folder: Path) -> Path:
    return Path(format_called("mteb").example(folder))


def _rewrite(path: Path, version: str | None, score: float) -> None:
    document = json.loads(path.read_text())
    document["mteb_version"] = version
    document["scores"]["test"][0]["main_score"] = score
    path.write_text(json.dumps(document))


def test_revisions_are_not_averaged(tmp_path: Path) -> None:
    results = _example(tmp_path)
    owl = results / "org__owl"
    versions = {"external": (None, 0.1), "a" * 40: ("1.9.0", 0.2), "b" * 40: ("1.12.0", 0.3), "c" * 40: ("1.2.0", 0.4)}
    for revision, (version, score) in versions.items():
        shutil.copytree(owl / "no_revision_available", owl / revision)
        (owl / revision / "Pairs.json").unlink()
        _rewrite(owl / revision / "Topics.json", version, score)
    table = bt.read(results).tables[0]
    assert table.values[table.items.index("Topics"), 0] == 0.3  # 1.12 is newer than 1.9
    assert table.values[table.items.index("Pairs"), 0] == 0.625


def test_a_folder_without_description_names_the_model(tmp_path: Path) -> None:
    results = _example(tmp_path)
    for meta in results.rglob("model_meta.json"):
        meta.unlink()
    assert bt.read(results).systems == ("org/owl", "org/yak")
    for model in ("org__owl", "org__yak"):
        for file in (results / model / "no_revision_available").iterdir():
            file.rename(results / model / file.name)
    assert bt.read(results).systems == ("org/owl", "org/yak")


def test_systems_without_a_common_subset_are_not_compared_on_it(tmp_path: Path) -> None:
    results = _example(tmp_path)
    path = results / "org__yak" / "no_revision_available" / "Pairs.json"
    document = json.loads(path.read_text())
    document["scores"]["test"] = [{"hf_subset": "fr", "main_score": 0.9}]
    path.write_text(json.dumps(document))
    table = bt.read(results).tables[0]
    assert np.isnan(table.values[table.items.index("Pairs")]).tolist() == [False, True]


def _task(folder: Path, model: str, revision: str, task: str, data: str = "1", **splits: dict[str, float]) -> None:
    """Write a task of a model: scores by split and subset; another metric is a tenth of the main one."""
    scores = {
        split: [
            {"hf_subset": subset, "languages": [], "main_score": score, "ndcg_at_10": score / 10}
            for subset, score in subsets.items()
        ]
        for split, subsets in splits.items()
    }
    told = {"task_name": task, "mteb_version": None if revision == "external" else "1.18.0", "dataset_revision": data}
    write_json(folder / "results" / f"org__{model}" / revision / f"{task}.json", {**told, "scores": scores})


def test_tasks_are_items_and_subsets_are_averaged(tmp_path: Path) -> None:
    """Test data before training data, a known revision before external results, and only subsets that all have."""
    known = "a" * 40
    _task(tmp_path, "owl", known, "Pairs", test={"de": 0.5, "en": 0.75, "fr": 0.0})
    _task(tmp_path, "yak", known, "Pairs", test={"de": 0.25, "en": 0.25})
    _task(tmp_path, "owl", known, "Topics", test={"default": 0.25}, train={"default": 1.0})
    _task(tmp_path, "owl", "external", "Topics", test={"default": 0.875})
    _task(tmp_path, "yak", "external", "Topics", data="2", test={"default": 0.5}, train={"default": 0.0})
    (table,) = bt.read(tmp_path / "results").tables
    assert (table.systems, table.items) == (("org/owl", "org/yak"), ("Pairs", "Topics"))
    np.testing.assert_allclose(table.values, [[0.625, 0.25], [0.25, 0.5]])
    messages = found(tmp_path / "results")
    assert messages["runs-of-one-system"].startswith("org/owl, org/yak: there are several runs")
    assert "1 task (Pairs)" in messages["subsets-differ"]
    assert messages["data-differ"].startswith("1 item of MTEB differs between systems")
    assert means(tmp_path / "results", score="ndcg_at_10") == {
        "ndcg_at_10": pytest.approx({"org/owl": 0.04375, "org/yak": 0.0375})
    }


def test_an_unknown_metric_and_wrong_values_are_refused(tmp_path: Path) -> None:
    results = _example(tmp_path)
    assert refused(results, score="ndcg") == f"{results}: there is no 'ndcg' in these results. Leave out score."
    _rewrite(results / "org__owl" / "no_revision_available" / "Topics.json", "1", "good")  # type: ignore[arg-type]
    assert "main_score is 'good', which is no number" in refused(results)


def test_tasks_on_another_range_are_left_out(tmp_path: Path) -> None:
    results = _example(tmp_path)
    for model, speed in (("org__owl", 100.0), ("org__yak", 11712.0)):
        folder = results / model / "no_revision_available"
        told = {"task_name": "CPUSpeedTask", "mteb_version": "1.18.0", "dataset_revision": "1"}
        scores = {"test": [{"hf_subset": "default", "languages": [], "main_score": speed}]}
        write_json(folder / "CPUSpeedTask.json", {**told, "scores": scores})
    evidence = bt.read_scores(results)
    assert evidence.tables[0].items == ("Pairs", "Topics")
    assert evidence.tables[0].values.max() < 1
    (finding,) = [each for each in evidence.reading.findings if each.code == "other-ranges"]  # type: ignore[union-attr]
    assert finding.message == (
        "1 task was left out: the scores are no shares, as those of the other tasks are (CPUSpeedTask)."
    )
