"""MTEB: one score per task, one revision per task, subsets averaged."""

import json
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused
from tests.readers.tools.test_mteb import _example, _rewrite

MODELS = {
    "BAAI/bge-small-en-v1.5",
    "intfloat/multilingual-e5-small",
    "sentence-transformers/all-MiniLM-L6-v2",
    "thenlper/gte-small",
}


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
    assert len(table.items) == 12
    assert not np.isnan(table.values).any()

    def value(model: str, task: str) -> float:
        column = next(place for place, name in enumerate(table.systems) if name.endswith(model))
        return float(table.values[table.items.index(task), column])

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


def test_other_metrics_by_name_and_wrong_values(samples: Path, tmp_path: Path) -> None:
    boards = means(samples / "mteb", score="ndcg_at_10")
    assert set(boards) == {"ndcg_at_10"}
    results = _example(tmp_path)
    assert refused(results, score="ndcg") == f"{results}: there is no 'ndcg' in these results. Leave out score."
    _rewrite(results / "org__owl" / "no_revision_available" / "Topics.json", "1", "good")  # type: ignore[arg-type]
    assert "main_score is 'good', which is no number" in refused(results)
