"""HELM: quality metrics of unperturbed instances, train trials as repeats."""

import json
import shutil
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import means

METRICS = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")


def _own(samples: Path, metric: str, perturbation: str | None) -> dict[str, float]:
    """Return the means that HELM itself computed, by model."""
    found = {}
    for folder in (samples / "helm" / "runs" / "s2").iterdir():
        model = json.loads((folder / "run_spec.json").read_text())["adapter_spec"]["model"]
        for stat in json.loads((folder / "stats.json").read_text()):
            changed = stat["name"].get("perturbation", {"name": None, "computed_on": "perturbed"})
            if stat["name"]["name"] == metric and (changed["name"], changed["computed_on"]) == (
                perturbation,
                "perturbed",
            ):
                found[model] = stat["mean"]
    return found


@pytest.mark.parametrize("metric", METRICS)
def test_boards_are_those_of_its_own_statistics(metric: str, samples: Path) -> None:
    boards = means(samples / "helm")
    assert set(boards) == {f"simple_mcqa:data_augmentation=typo0.1 {each}" for each in METRICS}
    own = _own(samples, metric, None)
    assert boards[f"simple_mcqa:data_augmentation=typo0.1 {metric}"] == pytest.approx(own)
    assert set(own) == {"local/strong", "local/middle", "local/weak"}


def test_perturbed_items_are_read_where_they_are_asked_for(samples: Path) -> None:
    boards = means(samples / "helm", where="perturbation=typos", score="exact_match")
    assert boards == {
        "simple_mcqa:data_augmentation=typo0.1 (typos) exact_match": pytest.approx(
            _own(samples, "exact_match", "typos")
        )
    }
    assert bt.read(samples / "helm", score=["exact_match"]).tables[0].values.shape == (6, 3)
    assert bt.read(samples / "helm", score=["exact_match"]).tables[0].repeats is not None


def test_bookkeeping_is_read_only_by_name(samples: Path) -> None:
    own = _own(samples, "num_output_tokens", None)
    assert list(means(samples / "helm", score="num_output_tokens").values()) == [pytest.approx(own)]


def test_predictions_are_read_where_the_statistics_are_not_there(samples: Path, tmp_path: Path) -> None:
    for folder in (samples / "helm" / "runs" / "s2").iterdir():
        place = tmp_path / "runs" / folder.name.replace(":", "-")
        shutil.copytree(folder, place)
        predictions = json.loads((place / "display_predictions.json").read_text())
        stats = json.loads((place / "per_instance_stats.json").read_text())
        for prediction, entry in zip(predictions, stats, strict=True):
            assert prediction["instance_id"] == entry["instance_id"]
            prediction["stats"] = {
                each["name"]["name"]: each["mean"] for each in entry["stats"] if each["name"]["name"] in METRICS
            }
        (place / "display_predictions.json").write_text(json.dumps(predictions))
        (place / "per_instance_stats.json").unlink()
    assert means(tmp_path / "runs") == means(samples / "helm")
