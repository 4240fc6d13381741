"""Aggregates: evaluations are the items, and scores on different ranges are never averaged."""

import json
from pathlib import Path
from typing import Any

from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def _aggregate(model: str, date: str, *results: tuple[str, float, float, bool]) -> dict[str, Any]:
    return {
        "schema_version": "0.2.0",
        "evaluation_id": f"board/{model}/{date}",
        "retrieved_timestamp": date,
        "model_info": {"id": model},
        "evaluation_results": [
            {
                "evaluation_name": name,
                "metric_config": {"lower_is_better": lower, "min_score": 0.0, "max_score": most},
                "score_details": {"score": score},
            }
            for name, score, most, lower in results
        ],
    }


def test_a_metric_with_several_ranges_is_several_metrics(tmp_path: Path) -> None:
    for model, factor in (("owl", 1.0), ("yak", 0.5)):
        results = [(name, score * factor, 1.0, False) for name, score in (("sums", 0.5), ("words", 0.75))]
        results += [(name, score * factor, 100.0, False) for name, score in (("art", 50.0), ("law", 25.0))]
        results += [(name, score * factor, 100.0, True) for name, score in (("wer", 10.0), ("cer", 5.0))]
        write_json(tmp_path / f"{model}.json", _aggregate(model, "1", *results))
    assert means(tmp_path) == {
        "score (0 to 1)": {"owl": 0.625, "yak": 0.3125},
        "score (0 to 100)": {"owl": 37.5, "yak": 18.75},
        "score (0 to 100, less is better)": {"owl": -7.5, "yak": -3.75},
    }


def test_the_last_aggregate_of_a_model_is_read_and_samples_say_more(tmp_path: Path) -> None:
    for date, score in (("1", 0.25), ("2", 0.75)):
        for model in ("owl", "yak"):
            result = _aggregate(model, date, ("sums", score, 1.0, False), ("words", score, 1.0, False))
            write_json(tmp_path / f"{model}{date}.json", result)
    assert means(tmp_path) == {"score": {"owl": 0.75, "yak": 0.75}}
    assert "runs-of-one-system" in found(tmp_path)
    samples = format_called("every-eval-ever").example(tmp_path)
    assert set(means(samples)) == {"sums wer"}


def test_files_without_results_are_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "owl.json", _aggregate("owl", "1"))
    assert refused(path) == f"{path}: the files hold no scores"


def test_old_results_of_lm_eval_are_called_by_model_and_revision(tmp_path: Path) -> None:
    """Until 0.3, files do not say that less is better: of stereotypes, and of perplexity by its name."""
    for model, factor in (("owl", 1.0), ("yak", 2.0)):
        tasks = {
            task: {
                "acc": 0.25 * factor,
                "acc_stderr": 0.1,
                "pct_stereotype": 0.5 * factor,
                "word_perplexity": 2 * factor,
            }
            for task in ("one", "two")
        }
        config = {"model": "hf-causal", "model_args": f"pretrained=org/{model},revision=step1,dtype=float16"}
        write_json(tmp_path / f"{model}.json", {"results": tasks, "versions": {"one": 0}, "config": config})
    owl, yak = "org/owl step1", "org/yak step1"
    assert means(tmp_path) == {
        "acc": {owl: 0.25, yak: 0.5},
        "pct_stereotype": {owl: -0.5, yak: -1.0},
        "word_perplexity": {owl: -2.0, yak: -4.0},
    }
    newer = json.loads(
        (format_called("lm-eval-results").example(tmp_path) / "owl_2026-01-02T03-04-05.678901.json").read_text()
    )
    for model, score in (("a", 0.5), ("b", 0.25)):
        results = {task: {"acc,none": score, "sample_len": 10} for task in newer["results"]}
        more = {"model_name": model, "results": results, "config": {"model_args": f"pretrained={model}"}}
        write_json(tmp_path / "newer" / f"{model}.json", {**newer, **more})
    assert means(tmp_path / "newer") == {"acc": {"a": 0.5, "b": 0.25}}
    config = {"model": "gpt3", "model_args": ""}
    write_json(tmp_path / "none" / "yak.json", {"results": tasks, "versions": {}, "config": config})
    assert set(means([tmp_path / "owl.json", tmp_path / "none"])["acc"]) == {owl, "none"}
