"""HELM: quality metrics of unperturbed instances, train trials as repeats."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import means, refused, write_json


def test_a_run_without_its_specification_is_called_like_its_folder(tmp_path: Path) -> None:
    runs = format_called("helm").example(tmp_path)
    for spec in runs.rglob("run_spec.json"):
        spec.unlink()
    assert bt.read(runs).systems == ("org_owl", "org_yak")
    file = next(runs.rglob("per_instance_stats.json"))
    other = tmp_path / "elsewhere" / file.name
    other.parent.mkdir()
    other.write_text(file.read_text())
    assert refused(other) == (
        f"{other}: neither run_spec.json nor the folder's name says which model this is. Copy run_spec.json beside it."
    )


def test_two_suites_are_two_systems_each(tmp_path: Path) -> None:
    runs = format_called("helm").example(tmp_path)
    shutil.copytree(runs / "v1", runs / "v2")
    assert bt.read(runs).systems == ("org/owl (v1)", "org/owl (v2)", "org/yak (v1)", "org/yak (v2)")


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    runs = format_called("helm").example(tmp_path)
    file = sorted(runs.rglob("per_instance_stats.json"))[0]
    file.write_text(file.read_text()[:-40])
    assert refused(runs) == (
        f"{file}: is not one whole JSON value of at most 512 MB. Check whether the file is complete, or write it again."
    )


def _stat(name: str, mean: float) -> dict[str, Any]:
    return {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean}


def _runs(folder: Path, *, predictions: bool = False) -> Path:
    """Write two models, two train trials and one perturbation; means of exact_match are ¾ and ¼ without it."""
    matches = {"org/owl": ((1, 0), (1, 1)), "org/yak": ((0, 0), (1, 0))}
    for model, by_item in matches.items():
        run = folder / "runs" / "v1" / f"sums-model={model.replace('/', '_')},digits=2"
        name = f"sums:model={model.replace('/', '_')},digits=2"
        write_json(run / "run_spec.json", {"name": name, "adapter_spec": {"model": model, "model_deployment": model}})
        entries: list[dict[str, Any]] = []
        for item, trials in enumerate(by_item):
            for trial, match in enumerate(trials):
                about = {"instance_id": f"id{item}", "train_trial_index": trial}
                tokens = 4.0 if model == "org/owl" else 10.0
                told = [_stat("exact_match", match), _stat("prefix_exact_match", 1), _stat("num_output_tokens", tokens)]
                entries += [
                    {**about, "stats": told},
                    {**about, "perturbation": {"name": "typos"}, "stats": [_stat("exact_match", 1 - match)]},
                ]
        if predictions:
            for entry in entries:
                quality = [each for each in entry["stats"] if not each["name"]["name"].startswith("num_")]
                entry |= {"predicted_text": "x", "stats": {each["name"]["name"]: each["mean"] for each in quality}}
        write_json(run / ("display_predictions.json" if predictions else "per_instance_stats.json"), entries)
        write_json(run / "stats.json", [])
    return folder / "runs"


BOARDS = {
    "sums:digits=2 exact_match": {"org/owl": 0.75, "org/yak": 0.25},
    "sums:digits=2 prefix_exact_match": {"org/owl": 1.0, "org/yak": 1.0},
}


@pytest.mark.parametrize("predictions", [False, True])
def test_boards_are_of_unperturbed_items(predictions: bool, tmp_path: Path) -> None:
    runs = _runs(tmp_path, predictions=predictions)
    assert means(runs) == BOARDS
    table = bt.read(runs, score=["exact_match"]).tables[0]
    assert table.values.tolist() == [[0.5, 0.0], [1.0, 0.5]]
    assert table.repeats is not None
    assert len(table.repeats.value) == 8


def test_perturbed_items_and_bookkeeping_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    runs = _runs(tmp_path)
    assert means(runs, where="perturbation=typos", score="exact_match") == {
        "sums:digits=2 (typos) exact_match": {"org/owl": 0.25, "org/yak": 0.75}
    }
    assert list(means(runs, score="num_output_tokens").values()) == [{"org/owl": 4.0, "org/yak": 10.0}]
