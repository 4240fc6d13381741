"""lighteval: details per document, organisation and model as two folders, the last run of several."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import betterthan as bt
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def _write(
    folder: Path, metrics: list[Any], ids: list[str], *, old: bool = False, date: str = "2026-02-03T03-04-05"
) -> None:
    place = folder / "org" / "elk" / date
    place.mkdir(parents=True)
    columns = {
        "doc": [json.dumps({"id": each}) for each in ids],
        "metric": [str(each) for each in metrics],
        "model_response": ["{}"] * len(ids),
    }
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
    assert bt.read(details).tables[0].items == ("0", "1", "2")  # empty ids: places


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


def test_boards_are_the_means_of_documents(tmp_path: Path) -> None:
    """Documents and metrics are structs, the organisation is a folder, and summaries are the tool's own."""
    date = "2026-01-02T03-04-05.678901"
    for model, scores in (("owl", (1.0, 0.0, 1.0, 1.0)), ("yak", (0.0, 1.0, 0.0, 0.0))):
        place = tmp_path / "out" / "details" / "org" / model / date
        place.mkdir(parents=True)
        table = pa.table(
            {
                "doc": [{"id": str(number), "query": "?"} for number in range(4)],
                "metric": [{"extractive_match": score} for score in scores],
                "model_response": [{"text": "x"}] * 4,
            }
        )
        pq.write_table(table, place / f"details_gsm8k|0_{date}.parquet")
        write_json(
            tmp_path / "out" / "results" / "org" / model / f"results_{date}.json",
            {"config_general": {}, "results": {"all": {"extractive_match": 0.0}}},
        )
    expected = {"gsm8k|0 extractive_match": {"org/owl": 0.75, "org/yak": 0.25}}
    assert means(tmp_path / "out") == expected
    assert found(tmp_path / "out") == {}
    assert means([str(path) for path in (tmp_path / "out").rglob("*.parquet")]) == expected
