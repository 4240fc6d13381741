"""Columns inside others and several columns as one, the same on every engine."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import betterthan as bt
from betterthan.readers.open_tables import open_table, with_columns

TAGS = [
    {"math_v0.1": {"math": True, "score": 3.0}, "lang": "en", "turns": 2},
    {"math_v0.1": {"math": False, "score": 0.5}, "lang": "de", "turns": 10},
    {"math_v0.1": {"math": None, "score": None}, "lang": None, "turns": 3},
    None,
]
ROWS: dict[str, list[Any]] = {
    "id": ["a", "b", "c", "d"],
    "source": ["fra", "eng", None, "deu"],
    "target": ["eng", "deu", "eng", " "],
    "number": [1.0, 2.5, 3.0, None],
    "flag": [True, False, True, None],
    "tag": TAGS,
    "text": [None if tag is None else json.dumps(tag) for tag in TAGS],
    "twice": [None if tag is None else json.dumps(json.dumps(tag)) for tag in TAGS],
    "plain.name": ["w", "x", "y", "z"],
    "a+b": ["1", "2", "3", "4"],
    "broken": ["{", "[1]", '{"turns": 7}', "7"],
}


def _jsonl(folder: Path) -> Any:
    path = folder / "rows.jsonl"
    rows = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _csv(folder: Path) -> Any:
    path = folder / "rows.csv"
    pd.DataFrame({**ROWS, "tag": ROWS["text"]}).to_csv(path, index=False)
    return path


def _parquet(folder: Path) -> Any:
    pyarrow.parquet.write_table(pa.table(ROWS), folder / "rows.parquet")
    return folder / "rows.parquet"


def _arrow(folder: Path) -> Any:
    pyarrow.feather.write_feather(pa.table(ROWS), folder / "rows.arrow")
    return folder / "rows.arrow"


def _dask(_: Path) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame({**ROWS, "tag": ROWS["text"]}), npartitions=2)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "memory": lambda _: ROWS,
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "arrow": _arrow,
    "duckdb": lambda _: duckdb.connect().from_arrow(pa.table(ROWS)),
    "pandas": lambda _: pd.DataFrame(ROWS),
    "polars": lambda _: pl.DataFrame(ROWS),
    "polars-lazy": lambda _: pl.LazyFrame(ROWS),
    "pyarrow": lambda _: pa.table(ROWS),
    "dask": _dask,
}

EXPECTED: dict[str, list[str | None]] = {
    "tag.lang": ["en", "de", None, None],
    "tag.turns": ["2", "10", "3", None],
    "text.math_v0.1.math": ["true", "false", None, None],
    "text.math_v0.1.score": ["3.0", "0.5", None, None],
    "twice.lang": ["en", "de", None, None],
    "broken.turns": [None, None, "7", None],
    "broken.0": [None, "1", None, None],
    "plain.name": ["w", "x", "y", "z"],
    "source+target": ["fra-eng", "eng-deu", None, None],
    "source+tag.lang": ["fra-en", "eng-de", None, None],
    "a+b+source": ["1-fra", "2-eng", None, "4-deu"],
}


def _values(table: Any, name: str) -> list[str | None]:
    rows = table.rows(["id", name]).columns
    return [value for _, value in sorted(zip(rows["id"].texts(), rows[name].texts(), strict=True))]


@pytest.mark.parametrize("engine", SOURCES)
def test_every_engine_finds_the_same_columns(engine: str, tmp_path: Path) -> None:
    table = open_table(SOURCES[engine](tmp_path))
    for name, expected in EXPECTED.items():
        found = table.derived(name)
        assert found is not None, name
        assert _values(found, name) == expected, name
        assert found.columns == (table.columns if name in table.columns else (*table.columns, name))
        assert found.unique([name])[1] == len({value for value in expected if value is not None})


@pytest.mark.spark
def test_spark_joins_columns_and_says_that_it_reaches_into_none(spark: Any) -> None:
    rows = list(zip(ROWS["id"], ROWS["source"], ROWS["number"], ROWS["flag"], ROWS["text"], strict=True))
    table = open_table(
        spark.createDataFrame(rows, "id string, source string, number double, flag boolean, text string")
    )
    joined = table.derived("source+number+flag")
    assert joined is not None
    assert _values(joined, "source+number+flag") == ["fra-1-True", "eng-2.5-False", None, None]
    with pytest.raises(bt.EvidenceError) as refusal:
        table.derived("text.lang")
    assert str(refusal.value) == (
        "the pyspark frame: 'text.lang' lies inside the column 'text', which cannot be reached in a Spark frame. "
        "Make it a column of its own first, with withColumn."
    )


NOWHERE = ("tag.lung", "text.lang.more", "id.x", "number.x", "source+", "+source", "source+x", "tag.", ".", "+", "")


@pytest.mark.parametrize("engine", SOURCES)
def test_what_leads_nowhere_is_no_column(engine: str, tmp_path: Path) -> None:
    table = open_table(SOURCES[engine](tmp_path))
    for name in NOWHERE:
        assert table.derived(name) is None, name
        assert with_columns(table, [name]) is table, name


@pytest.mark.parametrize("engine", SOURCES)
def test_conditions_reach_into_columns_and_leave_none_behind(engine: str, tmp_path: Path) -> None:
    table = open_table(SOURCES[engine](tmp_path))
    for where, kept in {"tag.turns>=3": "bc", "source+target=fra-eng": "a", "text.math_v0.1.score<=3": "ab"}.items():
        narrow = open_table(table, where=where)
        assert "".join(sorted(map(str, narrow.rows(["id"]).columns["id"].texts()))) == kept
        assert narrow.columns == table.columns
    with pytest.raises(bt.EvidenceError, match=r"no column 'tag\.lung'"):
        open_table(table, where="tag.lung=en")


@pytest.mark.parametrize("engine", ["memory", "csv", "parquet", "arrow", "pandas", "polars", "pyarrow"])
def test_a_pickled_table_keeps_its_columns(engine: str, tmp_path: Path) -> None:
    table = with_columns(open_table(SOURCES[engine](tmp_path), where="id!=c"), ["source+tag.lang", "tag.turns"])
    again = pickle.loads(pickle.dumps(table))
    assert again.columns == table.columns
    assert _values(again, "source+tag.lang") == _values(table, "source+tag.lang") == ["fra-en", "eng-de", None]


@pytest.mark.parametrize("engine", ["memory", "parquet", "arrow", "duckdb", "pandas", "polars", "pyarrow", "dask"])
def test_joined_values_have_their_usual_names(engine: str, tmp_path: Path) -> None:
    table = open_table(SOURCES[engine](tmp_path)).derived("id+number+flag")
    assert table is not None
    assert _values(table, "id+number+flag") == ["a-1-True", "b-2.5-False", "c-3-True", None]


def test_structs_keep_their_types(tmp_path: Path) -> None:
    """A struct's numbers are numbers: 3.0 has the name 3, as it has outside of structs."""
    for source in (_parquet(tmp_path), pl.DataFrame(ROWS), ROWS):
        table = open_table(source).derived("tag.math_v0.1.score")
        assert table is not None
        assert _values(table, "tag.math_v0.1.score") == ["3", "0.5", None, None]
    table = open_table(_parquet(tmp_path)).derived("tag.math_v0.1.score")
    assert table is not None
    assert table.rows([], ["tag.math_v0.1.score"]).numbers["tag.math_v0.1.score"][:2].tolist() == [3.0, 0.5]


def test_longer_keys_come_first() -> None:
    rows = {
        "id": ["a", "b", "c"],
        "x": ['{"a.b": 1, "a": {"b": 2}}', '{"a": {"b": 3}}', '{"a.b": null, "a": {"b": 4}}'],
    }
    for source in (rows, pd.DataFrame(rows), duckdb.connect().from_arrow(pa.table(rows))):
        table = open_table(source).derived("x.a.b")
        assert table is not None
        assert _values(table, "x.a.b") == ["1", "3", "4"]
