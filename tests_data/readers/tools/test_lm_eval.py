"""lm-evaluation-harness: documents once per filter, means as in its own summary."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused


def test_boards_are_those_of_its_own_summary(samples: Path) -> None:
    boards = means(samples / "lm-eval")
    assert set(boards) == {
        "toy_mc acc",
        "toy_mc acc_norm",
        "toy_sums exact_match,strict-match",
        "toy_sums exact_match,flexible-extract",
    }
    for place in (samples / "lm-eval").glob("*/results_*.json"):
        summary = json.loads(place.read_text())
        for title, systems in boards.items():
            task, metric = title.split()
            own = summary["results"][task].get(metric, summary["results"][task].get(f"{metric},none"))
            assert systems[summary["model_name"]] == pytest.approx(own, abs=1e-12)
    assert boards["toy_sums exact_match,strict-match"]["toyorg/strong"] == pytest.approx(2 / 3)


def test_two_filters_are_two_metrics_of_the_same_documents(samples: Path) -> None:
    table = bt.read(samples / "lm-eval", score=["exact_match,strict-match"]).tables[0]
    assert table.values.shape == (15, 3)
    assert table.dataset == "toy_sums"


def test_metrics_of_a_whole_test_set_are_named(samples: Path) -> None:
    assert found(samples / "lm-eval")["metrics-skipped"].startswith("No score per item for bleu, chrf, ter:")


def test_an_archive_and_a_folder_are_the_same(samples: Path, tmp_path: Path) -> None:
    packed = shutil.make_archive(str(tmp_path / "runs"), "zip", samples / "lm-eval")
    assert means(packed) == means(samples / "lm-eval")


def test_other_data_under_the_same_ids_is_reported(samples: Path, tmp_path: Path) -> None:
    shutil.copytree(samples / "lm-eval", tmp_path / "runs")
    (place,) = (tmp_path / "runs" / "toyorg__weak").glob("samples_toy_mc*")
    place.write_text(place.read_text().replace('"doc_hash": "', '"doc_hash": "0'))
    assert found(tmp_path / "runs")["data-differ"] == (
        "15 items of toy_mc differ between systems, although the ids are the same (doc_hash)."
    )


def test_the_last_of_several_runs_is_read(samples: Path, tmp_path: Path) -> None:
    shutil.copytree(samples / "lm-eval", tmp_path / "runs")
    (place,) = (tmp_path / "runs" / "toyorg__weak").glob("samples_toy_mc*")
    old = place.with_name("samples_toy_mc_2020-01-01T00-00-00.jsonl")
    old.write_text(place.read_text().replace('"acc": 0.0', '"acc": 1.0'))
    summary = next((tmp_path / "runs" / "toyorg__weak").glob("results_*"))
    shutil.copy(summary, summary.with_name("results_2020-01-01T00-00-00.json"))
    assert means(tmp_path / "runs") == means(samples / "lm-eval")
    assert "toyorg/weak: there are several runs; the last one was read." in found(tmp_path / "runs").values()


def test_a_single_system_and_a_damaged_file_are_refused(samples: Path, tmp_path: Path) -> None:
    assert "a ranking needs scores of at least two systems" in refused(samples / "lm-eval" / "toyorg__weak")
    shutil.copytree(samples / "lm-eval", tmp_path / "runs")
    (place,) = (tmp_path / "runs" / "toyorg__weak").glob("samples_toy_mc*")
    place.write_text(place.read_text()[:-40])
    assert refused(tmp_path / "runs").startswith(f"{place}: cannot be read")


def test_a_mixed_folder_and_an_unknown_file_are_reported(samples: Path, tmp_path: Path) -> None:
    shutil.copytree(samples / "lm-eval", tmp_path / "mixed" / "lm")
    (tmp_path / "mixed" / "notes.txt").write_text("hello")
    assert "1 file was not read" in found(tmp_path / "mixed")["files-ignored"]
    shutil.copytree(samples / "inspect" / "json", tmp_path / "mixed" / "inspect")
    assert "these are files of several tools: inspect (" in refused(tmp_path / "mixed")
    assert np.isfinite(next(iter(means(tmp_path / "mixed", format="lm-eval").values()))["toyorg/weak"])
    unknown = tmp_path / "mixed" / "notes.txt"
    lines = next((samples / "lm-eval" / "toyorg__weak").glob("samples_toy_mc*"))
    assert refused([lines, unknown]).startswith(f"{unknown}: is not a file of lm-eval")
