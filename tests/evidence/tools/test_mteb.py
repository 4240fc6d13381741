"""MTEB: one score per task, one revision per task, subsets averaged."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused

MODELS = {
    "BAAI/bge-small-en-v1.5", "intfloat/multilingual-e5-small", "sentence-transformers/all-MiniLM-L6-v2",
    "thenlper/gte-small",
}  # fmt: skip


def _own(samples: Path, model: str, revision: str, task: str) -> list[float]:
    """Return the scores of a task's subsets, as they stand in its file."""
    folder = next((samples / "mteb" / "results").glob(f"*{model}"))
    path = next(folder.glob(f"{revision}*")) / f"{task}.json"
    return [entry["main_score"] for entry in json.loads(path.read_text())["scores"]["test"]]


def test_every_sample_is_read_as_tasks_by_models(samples: Path) -> None:
    scores = bt.read(samples / "mteb")
    assert scores.kind == "scores"
    [table] = scores.tables
    assert set(table.systems) == MODELS
    assert len(table.instances) == 12
    assert not np.isnan(table.values).any()

    def value(model: str, task: str) -> float:
        column = next(place for place, name in enumerate(table.systems) if name.endswith(model))
        return float(table.values[table.instances.index(task), column])

    # 18 subsets are one task; test data count, not training data.
    subsets = _own(samples, "gte-small", "17e1", "STS22")
    assert len(subsets) == 18
    assert value("gte-small", "STS22") == pytest.approx(np.mean(subsets))
    assert value("MiniLM-L6-v2", "SciFact") == _own(samples, "MiniLM-L6-v2", "8b32", "SciFact")[0]
    # Self-reported results stand in where the revision has no result.
    assert value("gte-small", "ArguAna") == _own(samples, "gte-small", "external", "ArguAna")[0]
    # Two systems share only two of four subsets, and the others count for nobody.
    path = next((samples / "mteb" / "results").glob("*gte-small/17e1*")) / "AmazonCounterfactualClassification.json"
    shared = [e["main_score"] for e in json.loads(path.read_text())["scores"]["test"] if e["hf_subset"] in {"de", "en"}]
    assert value("gte-small", "AmazonCounterfactualClassification") == pytest.approx(np.mean(shared))


def test_what_is_unequal_is_reported(samples: Path) -> None:
    messages = found(samples / "mteb")
    assert messages["runs-of-one-system"].startswith(
        "BAAI/bge-small-en-v1.5, thenlper/gte-small: there are several runs"
    )
    assert "1 task (AmazonCounterfactualClassification)" in messages["subsets-differ"]
    assert messages["data-differ"].startswith("1 item of MTEB differs between systems")


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
    assert table.values[table.instances.index("Topics"), 0] == 0.3  # 1.12 is newer than 1.9
    assert table.values[table.instances.index("Pairs"), 0] == 0.625


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
    assert np.isnan(table.values[table.instances.index("Pairs")]).tolist() == [False, True]


def test_other_metrics_by_name_and_wrong_values(samples: Path, tmp_path: Path) -> None:
    boards = means(samples / "mteb", score="ndcg_at_10")
    assert set(boards) == {"ndcg_at_10"}
    results = _example(tmp_path)
    assert refused(results, score="ndcg") == f"{results}: there is no 'ndcg' in these results. Leave out score."
    _rewrite(results / "org__owl" / "no_revision_available" / "Topics.json", "1", "good")  # type: ignore[arg-type]
    assert "main_score is 'good', which is no number" in refused(results)
