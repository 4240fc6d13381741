"""lm-evaluation-harness: documents once per filter, means as in its own summary."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json, write_lines


def test_samples_beside_a_named_summary_belong_together_by_their_date(tmp_path: Path) -> None:
    example = Path(format_called("lm-eval").example(tmp_path))
    flat = tmp_path / "flat"
    flat.mkdir()
    for number, model in enumerate(("org__owl", "org__yak")):
        date = f"2026-01-0{number + 1}T00-00-00"
        (samples_file,) = (example / model).glob("samples_*")
        shutil.copy(samples_file, flat / f"samples_sums_{date}.jsonl")
        summary = {
            "results": {"sums": {"acc,none": 0.5}},
            "configs": {},
            "versions": {},
            "n-shot": {},
            "higher_is_better": {"sums": {"acc": True}},
            "model_name": model.replace("__", "/"),
        }
        (flat / f"out_{date}.json").write_text(json.dumps(summary))
    assert means(flat) == {"sums acc": {"org/owl": pytest.approx(2 / 3), "org/yak": pytest.approx(1 / 3)}}


def test_directions_come_from_the_summary_but_never_for_ter(tmp_path: Path) -> None:
    folder = Path(format_called("lm-eval").example(tmp_path))
    for model in ("org__owl", "org__yak"):
        (place,) = (folder / model).glob("samples_*")
        text = place.read_text().replace('"acc"', '"ter"').replace('["ter"]', '["ter", "loss"]')
        place.write_text(text.replace('"ter": ', '"loss": 1.0, "ter": '))
        summary = {
            "results": {"sums": {"ter,none": 1, "loss,none": 1}},
            "configs": {},
            "versions": {},
            "n-shot": {},
            "higher_is_better": {"sums": {"ter": True, "loss": True}},
        }
        (folder / model / "results_2026-01-02T03-04-05.678901.json").write_text(json.dumps(summary))
    directions = {table.metric: table.negated for table in bt.read(folder).tables}
    assert directions == {"ter": True, "loss": False}


def _sample(number: int, way: str, metrics: dict[str, Any], content: str = "h") -> dict[str, Any]:
    return {
        "doc_id": number,
        "doc": {"question": f"{number}+1="},
        "target": str(number + 1),
        "arguments": {},
        "resps": [["1"]],
        "filtered_resps": ["1"],
        "filter": way,
        "metrics": list(metrics),
        "doc_hash": f"{content}{number}",
        **metrics,
    }


def _output(folder: Path, date: str = "2026-01-02T03-04-05.678901", **models: list[tuple[int, int]]) -> Path:
    """Write a task with two filters, one with several metrics and one whose metrics are of the whole test set."""
    for model, scores in models.items():
        place = folder / f"org__{model}"
        sums = [
            _sample(number, way, {"exact_match": score})
            for number, both in enumerate(scores)
            for way, score in zip(("strict-match", "flexible-extract"), both, strict=True)
        ]
        write_lines(place / f"samples_sums_{date}.jsonl", sums)
        choices = [_sample(number, "none", {"acc": one, "acc_norm": 1 - one}) for number, (one, _) in enumerate(scores)]
        write_lines(place / f"samples_choices_{date}.jsonl", choices)
        texts = [_sample(number, "none", {"bleu": ["gold", "said"], "ter": ["gold", "said"]}) for number in range(2)]
        write_lines(place / f"samples_texts_{date}.jsonl", texts)
        summary = {
            "results": {"sums": {"alias": "sums"}},
            "configs": {},
            "versions": {},
            "n-shot": {},
            "higher_is_better": {"sums": {"exact_match": True}, "choices": {"acc": True, "acc_norm": True}},
            "model_name": f"org/{model}",
        }
        write_json(place / f"results_{date}.json", summary)
    return folder


#: Right by the strict filter, and by the other one.
OWL, YAK = [(1, 1), (0, 1), (0, 1), (1, 1)], [(0, 1), (0, 0), (0, 0), (1, 1)]
BOARDS = {
    "sums exact_match,strict-match": {"org/owl": 0.5, "org/yak": 0.25},
    "sums exact_match,flexible-extract": {"org/owl": 1.0, "org/yak": 0.5},
    "choices acc": {"org/owl": 0.5, "org/yak": 0.25},
    "choices acc_norm": {"org/owl": 0.5, "org/yak": 0.75},
}


def test_filters_and_metrics_are_boards_of_their_own(tmp_path: Path) -> None:
    runs = _output(tmp_path / "runs", owl=OWL, yak=YAK)
    assert means(runs) == BOARDS
    table = bt.read(runs, score=["exact_match,strict-match"]).tables[0]
    assert table.values.tolist() == [[1, 0], [0, 0], [0, 0], [1, 1]]
    assert table.dataset == "sums"
    assert found(runs)["metrics-skipped"].startswith("No score per item for bleu, ter:")
    assert means(shutil.make_archive(str(tmp_path / "packed"), "zip", runs)) == BOARDS


def test_other_data_under_the_same_ids_is_reported(tmp_path: Path) -> None:
    runs = _output(tmp_path / "runs", owl=OWL, yak=YAK)
    (place,) = (runs / "org__yak").glob("samples_choices*")
    place.write_text(place.read_text().replace('"doc_hash": "h', '"doc_hash": "other'))
    assert found(runs)["data-differ"] == (
        "4 items of choices differ between systems, although the ids are the same (doc_hash)."
    )


def test_the_last_of_several_runs_is_read(tmp_path: Path) -> None:
    runs = _output(tmp_path / "runs", owl=OWL, yak=YAK)
    _output(runs, date="2025-01-02T03-04-05.678901", yak=OWL)
    assert means(runs) == BOARDS
    assert "org/yak: there are several runs; the last one was read." in found(runs).values()


def test_a_single_system_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    runs = _output(tmp_path / "runs", owl=OWL, yak=YAK)
    assert "a ranking needs scores of at least two systems" in refused(runs / "org__yak")
    (place,) = (runs / "org__yak").glob("samples_choices*")
    place.write_text(place.read_text()[:-40])
    assert refused(runs).startswith(f"{place}: cannot be read")


def test_a_mixed_folder_and_an_unknown_file_are_reported(tmp_path: Path) -> None:
    runs = _output(tmp_path / "mixed" / "lm", owl=OWL, yak=YAK)
    unknown = tmp_path / "mixed" / "notes.txt"
    unknown.write_text("hello")
    assert "1 file was not read" in found(tmp_path / "mixed")["files-ignored"]
    (tmp_path / "mixed" / "inspect").mkdir()
    format_called("inspect").example(tmp_path / "mixed" / "inspect")
    assert "these are files of several tools: inspect (" in refused(tmp_path / "mixed")
    assert means(tmp_path / "mixed", format="lm-eval") == BOARDS
    lines = next((runs / "org__yak").glob("samples_choices*"))
    assert refused([lines, unknown]).startswith(f"{unknown}: is not a file of lm-eval")
