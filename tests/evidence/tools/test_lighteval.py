"""lighteval: details per document, organisation and model as two folders, the last run of several."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import betterthan as bt
from betterthan.engine.write import write_columns
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused


def test_boards_are_the_means_of_documents(samples: Path) -> None:
    boards = means(samples / "lighteval")
    assert set(boards) == {"gsm8k|0 extractive_match"}
    own = {}
    for path in (samples / "lighteval" / "details").rglob("*.parquet"):
        values = [row["extractive_match"] for row in pq.read_table(path)["metric"].to_pylist()]
        own[f"toyorg/{path.parts[-3]}"] = sum(values) / len(values)
    assert boards["gsm8k|0 extractive_match"] == pytest.approx(own)
    files = [str(path) for path in (samples / "lighteval" / "details").rglob("*.parquet")]
    assert means(files) == boards
    assert found(samples / "lighteval") == {}  # summaries are the tool's own


def _write(
    folder: Path, metrics: list[Any], ids: list[str], *, old: bool = False, date: str = "2026-02-03T03-04-05"
) -> None:
    place = folder / "org" / "elk" / date
    place.mkdir(parents=True)
    columns = {
        "doc": [json.dumps({"id": each}) for each in ids], "metric": [str(each) for each in metrics],
        "model_response": ["{}"] * len(ids),
    }  # fmt: skip
    named = {f"__{name}__": values for name, values in columns.items()} if old else columns
    write_columns(place / f"details_sums_0_{date}.parquet", named)


def test_metrics_of_older_releases_are_text(tmp_path: Path) -> None:
    details = Path(format_called("lighteval").example(tmp_path))
    _write(details, [{"exact": True}, {"exact": 0}, {"exact": None}], ["0", "1", "2"], old=True)
    assert means(details)["sums_0 exact"]["org/elk"] == 0.5
    assert found(details)["unscored"].startswith("1 result is missing")


def test_metrics_of_the_whole_test_set_are_named(tmp_path: Path) -> None:
    details = Path(format_called("lighteval").example(tmp_path))
    _write(details, [{"exact": 1, "bleu": {"golds": ["a"], "preds": ["b"]}}] * 3, ["", "", ""])
    assert set(means(details)) == {"sums_0 exact"}
    assert "No score per item for bleu" in found(details)["metrics-skipped"]
    assert bt.read(details).tables[0].instances == ("0", "1", "2")  # empty ids: places


def test_the_last_run_counts(tmp_path: Path) -> None:
    details = Path(format_called("lighteval").example(tmp_path))
    _write(details, [{"exact": 0}] * 3, ["0", "1", "2"])
    _write(details, [{"exact": 1}] * 3, ["0", "1", "2"], date="2026-03-03T03-04-05")
    assert means(details)["sums_0 exact"]["org/elk"] == 1
    assert found(details)["runs-of-one-system"] == "org/elk: there are several runs; the last one was read."


def test_metrics_that_are_none_are_refused(tmp_path: Path) -> None:
    details = Path(format_called("lighteval").example(tmp_path))
    _write(details, ["__import__('os')"] * 3, ["0", "1", "2"])
    assert "is no dictionary. Run lighteval again." in refused(details)
