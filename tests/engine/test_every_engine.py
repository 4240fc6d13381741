"""The same evidence gives the same board, whatever engine or file holds it."""

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import betterthan as bt
from tests.arenas import arena, rows

COLUMNS = arena()


def _dask() -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(COLUMNS), npartitions=3)


def _duckdb() -> Any:
    connection = duckdb.connect()
    connection.register("arena", pa.table(COLUMNS))
    return connection.sql("SELECT * FROM arena")


def _chunked() -> Any:
    half = len(COLUMNS["judge"]) // 2
    parts = [{name: values[:half] for name, values in COLUMNS.items()}, {n: v[half:] for n, v in COLUMNS.items()}]
    return pa.concat_tables([pa.table(part) for part in parts])


FRAMES: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas-categorical": lambda: pd.DataFrame(COLUMNS).astype({"model_a": "category", "winner": "category"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars-lazy": lambda: pl.LazyFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
    "pyarrow-chunked": _chunked,
    "duckdb": _duckdb,
    "dask": _dask,
    "columns": lambda: COLUMNS,
    "numpy": lambda: {name: np.array(values) for name, values in COLUMNS.items()},
    "records": lambda: [dict(zip(COLUMNS, row, strict=True)) for row in rows(COLUMNS)],
}


def _csv(delimiter: str = ",") -> str:
    lines = [delimiter.join(COLUMNS), *(delimiter.join(map(str, row)) for row in rows(COLUMNS))]
    return "\n".join(lines) + "\n"


def _jsonl() -> str:
    return "".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in rows(COLUMNS))


def _json() -> str:
    return json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows(COLUMNS)])


def _duck_copy(path: Path, how: str) -> None:
    with duckdb.connect() as connection:
        connection.register("arena", pa.table(COLUMNS))
        connection.execute(f"COPY (SELECT * FROM arena) TO '{path}' ({how})")


FILES: dict[str, Callable[[Path], object]] = {
    "arena.csv": lambda path: path.write_text(_csv()),
    "arena.tsv": lambda path: path.write_text(_csv("\t")),
    "semicolons.csv": lambda path: path.write_text(_csv(";")),
    "no-ending": lambda path: path.write_text(_csv()),
    "windows.csv": lambda path: path.write_bytes(b"\xef\xbb\xbf" + _csv().replace("\n", "\r\n").encode()),
    "arena.csv.gz": lambda path: path.write_bytes(gzip.compress(_csv().encode())),
    "arena.csv.bz2": lambda path: path.write_bytes(bz2.compress(_csv().encode())),
    "arena.csv.zst": lambda path: _duck_copy(path, "FORMAT csv, HEADER, COMPRESSION zstd"),
    "arena.jsonl": lambda path: path.write_text(_jsonl()),
    "arena.jsonl.gz": lambda path: path.write_bytes(gzip.compress(_jsonl().encode())),
    "arena.json": lambda path: path.write_text(_json()),
    "arena.parquet": lambda path: _duck_copy(path, "FORMAT parquet"),
    "arena.parquet.gz": lambda path: (
        _duck_copy(path, "FORMAT parquet"),
        path.write_bytes(gzip.compress(path.read_bytes())),
    ),
    "arena.arrow": lambda path: pyarrow.feather.write_feather(pa.table(COLUMNS), path, compression="uncompressed"),
}


def _same(board: Any, expected: Any) -> None:
    assert [row.system for row in board] == [row.system for row in expected]
    for row, other in zip(board, expected, strict=True):
        for name, value in vars(row).items():
            wanted = getattr(other, name)
            assert value == pytest.approx(wanted, abs=1e-9) if isinstance(value, float) else value == wanted, name
    assert str(board.signature) == str(expected.signature)


@pytest.fixture(scope="module")
def expected() -> Any:
    # The oracle for the counts themselves is below; here, one engine stands for all.
    return bt.rank(bt.read_judgments(COLUMNS), resamples=200).board


@pytest.mark.parametrize("engine", FRAMES)
def test_frames_agree(engine: str, expected: Any) -> None:
    _same(bt.rank(bt.read_judgments(FRAMES[engine]()), resamples=200).board, expected)


@pytest.mark.parametrize("name", FILES)
def test_files_agree(name: str, expected: Any, tmp_path: Path) -> None:
    FILES[name](tmp_path / name)
    _same(bt.rank(bt.read_judgments(tmp_path / name), resamples=200).board, expected)


@pytest.mark.spark
def test_spark_agrees(spark: Any, expected: Any) -> None:
    frame = spark.createDataFrame(rows(COLUMNS), list(COLUMNS))
    _same(bt.rank(bt.read_judgments(frame), resamples=200).board, expected)
    with pytest.raises(bt.EvidenceError, match="the pyspark frame: unknown outcome 'neither side'"):
        bt.read_judgments(frame.replace("tie", "neither side", "winner")).tally()


@pytest.fixture(scope="module")
def in_order() -> Any:
    # Elo's own oracles are in tests/models; here, that rows keep their order and their weights.
    return bt.rank(bt.read_judgments(COLUMNS), model="elo", resamples=50).board


@pytest.mark.parametrize("engine", sorted({*FRAMES} - {"dask"}))
def test_frames_keep_the_order_of_rows(engine: str, in_order: Any) -> None:
    _same(bt.rank(bt.read_judgments(FRAMES[engine]()), model="elo", resamples=50).board, in_order)


@pytest.mark.parametrize("name", FILES)
def test_files_keep_the_order_of_rows(name: str, in_order: Any, tmp_path: Path) -> None:
    FILES[name](tmp_path / name)
    _same(bt.rank(bt.read_judgments(tmp_path / name), model="elo", resamples=50).board, in_order)


@pytest.mark.long
@pytest.mark.spark
def test_spark_needs_a_column_that_has_an_order(spark: Any, in_order: Any) -> None:
    frame = spark.createDataFrame(rows(COLUMNS), list(COLUMNS))
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(bt.read_judgments(frame), model="elo")
    assert str(refusal.value) == (
        "the pyspark frame: its rows have no order. If a column has the time of each judgment, name it with "
        "time. "
        "Use order=average, as in 'elo(order=average)', or a model without order such as bradley-terry."
    )
    numbered = spark.createDataFrame([(*row, place) for place, row in enumerate(rows(COLUMNS))], [*COLUMNS, "when"])
    board = bt.rank(bt.read_judgments(numbered.orderBy("judge"), time="when"), model="elo", resamples=50).board
    assert [finding.code for finding in board.findings if finding.code == "order"] == ["order"]
    _same(board, in_order)
    for model in ("elo(order=average)", "trueskill(order=average)"):
        _same(
            bt.rank(bt.read_judgments(frame), model=model, resamples=20).board,
            bt.rank(COLUMNS, model=model, resamples=20).board,
        )


def test_several_files_and_globs_are_one_evidence(expected: Any, tmp_path: Path) -> None:
    lines = _csv().splitlines(keepends=True)
    (tmp_path / "part-1.csv").write_text("".join(lines[:150]))
    reordered = [",".join(reversed(line.strip().split(","))) + "\n" for line in [lines[0], *lines[150:]]]
    (tmp_path / "part-2.csv").write_text("".join(reordered))
    _same(bt.rank(bt.read_judgments(tmp_path / "part-*.csv"), resamples=200).board, expected)
    _same(bt.rank(bt.read_judgments([tmp_path / "part-2.csv", tmp_path / "part-1.csv"]), resamples=200).board, expected)


@pytest.mark.parametrize("engine", FRAMES)
def test_every_cell_is_counted_rightly(engine: str) -> None:
    """Conditions inside a Narwhals aggregation are silently ignored on some engines: compare cell by cell."""
    wanted: dict[tuple[str, str, str, float], int] = {}
    for row in rows(COLUMNS):
        key = (row[2], row[3], row[4], row[5])
        wanted[key] = wanted.get(key, 0) + 1
    table = bt.read_judgments(FRAMES[engine]()).table.distinct(["model_a", "model_b", "winner", "weight"])
    texts = [table.columns[name].texts() for name in ("model_a", "model_b", "winner", "weight")]
    found: dict[tuple[str, str, str, float], int] = {}
    for a, b, winner, weight, times in zip(*texts, table.times, strict=True):
        found[a, b, winner, float(weight)] = found.get((a, b, winner, float(weight)), 0) + int(times)
    assert found == wanted
