"""Numbers are read as numbers, in as few passes over a file as there can be."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import betterthan as bt
from betterthan.engine.duckdb.file_table import FileTable
from betterthan.readers.open_tables import open_table
from tests.arenas import arena

WIDE: dict[str, list[Any]] = {
    "instance": ["i1", "i2", "i3", "i4"],
    "owl": ["0.5", " 0.7 ", "NA", "1e-3"],
    "yak": ["1", "", "-", "0.25"],
    "note": ["good", "bad", "0 of 3", "n/a"],
}
VALUES = [[0.5, 1.0], [0.7, np.nan], [np.nan, np.nan], [0.001, 0.25]]


def _csv(folder: Path) -> Any:
    path = folder / "scores.csv"
    path.write_text("\n".join(",".join(row) for row in [list(WIDE), *zip(*WIDE.values(), strict=True)]) + "\n")
    return path


def _jsonl(folder: Path) -> Any:
    path = folder / "scores.jsonl"
    rows = [dict(zip(WIDE, row, strict=True)) for row in zip(*WIDE.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _parquet(folder: Path) -> Any:
    path = folder / "scores.parquet"
    numbers = dict(zip(("owl", "yak"), np.array(VALUES).T, strict=True))
    pd.DataFrame({**WIDE, **numbers}).astype({"yak": "float32"}).to_parquet(path)
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "csv": _csv,
    "json lines": _jsonl,
    "parquet": _parquet,
    "columns": lambda _: WIDE,
    "arrays": lambda _: {name: np.array(values) for name, values in WIDE.items()},
    "pandas": lambda _: pd.DataFrame(WIDE),
    "pandas numbers": lambda _: pd.DataFrame({**WIDE, "owl": [0.5, 0.7, None, 0.001], "yak": [1, None, None, 0.25]}),
    "polars": lambda _: pl.DataFrame({**WIDE, "owl": [0.5, 0.7, None, 0.001], "yak": [1.0, None, None, 0.25]}),
    "pyarrow": lambda _: pa.table(WIDE),
}


@pytest.mark.parametrize("engine", SOURCES)
def test_every_engine_reads_the_same_numbers(engine: str, tmp_path: Path) -> None:
    table = bt.read(SOURCES[engine](tmp_path)).tables[0]
    assert table.systems == ("owl", "yak")
    assert table.items == ("i1", "i2", "i3", "i4")
    np.testing.assert_array_equal(table.values, VALUES)


@pytest.mark.parametrize("engine", sorted({*SOURCES} - {"parquet", "pandas numbers", "polars"}))
def test_one_good_cell_makes_a_column_numeric_and_its_bad_ones_mistakes(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WIDE, "yak", ["many", "few", "none", "0.25"])
    source = SOURCES[engine](tmp_path)
    with pytest.raises(bt.EvidenceError, match="row 1: the score 'many' of 'yak' is not a finite number"):
        bt.read(source)
    account = bt.read(source, on_error="skip").account
    assert [(refusal.reason, refusal.rows) for refusal in account.refusals] == [("bad score", 2)]


def _opened(path: Path, text: str) -> FileTable:
    path.write_text(text)
    table = open_table(path)
    assert isinstance(table, FileTable)
    assert table.scans == 0
    return table


def _table(rows: int, systems: int, cell: Callable[[int, int], str]) -> str:
    lines = [",".join(["instance", *(f"s{place}" for place in range(systems))])]
    lines += [",".join([f"i{row}", *(cell(row, place) for place in range(systems))]) for row in range(rows)]
    return "\n".join(lines) + "\n"


def test_a_wide_table_is_scanned_once_with_recognition(tmp_path: Path) -> None:
    clean = _opened(tmp_path / "clean.csv", _table(30, 60, lambda row, place: f"{row * place / 7:.3f}"))
    assert len(bt.read(clean).systems) == 60
    assert clean.scans == 1
    missing = _opened(tmp_path / "missing.csv", _table(30, 5, lambda row, place: "" if row == place else "0.5"))
    assert bt.read(missing).kind == "scores"
    assert missing.scans == 1
    words = _opened(tmp_path / "words.csv", _table(30, 5, lambda row, place: "NA" if row == place else "0.5"))
    assert bt.read(words).kind == "scores"
    assert words.scans == 2  # what is no number is looked at as text


def test_long_scores_and_rankings_are_scanned_once(tmp_path: Path) -> None:
    rows = [f"i{row},s{place},{row * place / 7:.3f}" for row in range(30) for place in range(5)]
    scores = _opened(tmp_path / "scores.csv", "\n".join(["instance,system,score", *rows]) + "\n")
    assert bt.read(scores).kind == "scores"
    assert scores.scans == 1
    rows = [f"r{row},s{place},{place + 1}" for row in range(30) for place in range(5)]
    ranks = _opened(tmp_path / "ranks.csv", "\n".join(["ranking,system,rank", *rows]) + "\n")
    assert bt.read(ranks).kind == "rankings"
    assert ranks.scans == 1


VOTES = pd.DataFrame(arena())


@pytest.mark.parametrize(
    ("columns", "choices", "scans"),
    [
        (["model_a", "model_b", "winner"], {}, 1),
        (["model_a", "model_b", "winner"], {"model": "elo"}, 1),
        (["model_a", "model_b", "winner", "item", "weight"], {}, 2),
        (["model_a", "model_b", "winner", "item"], {}, 2),  # are there several judgments per item?
        (["model_a", "model_b", "winner", "item", "judge"], {}, 2),
        (["model_a", "model_b", "winner", "item", "judge"], {"model": "elo"}, 2),
    ],
)
def test_ranking_a_file_scans_it_once_or_twice(
    columns: list[str], choices: dict[str, str], scans: int, tmp_path: Path
) -> None:
    frame = VOTES.rename(columns={VOTES.columns[0]: "item"})[columns]
    table = _opened(tmp_path / "votes.csv", frame.to_csv(index=False))
    bt.rank(bt.read(table), resamples=20, **choices)
    assert table.scans == scans


def test_units_are_counted_alike_by_both_ways(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(
        'left,right,winner,item,judge\nowl,yak,a,1,"  "\nowl,yak,b,1,ann\nowl,yak,a,"",ann\n'
    )
    first, second = (bt.read(tmp_path / "votes.csv", on_error="skip-most") for _ in range(2))
    second.tally("item", "judge")
    assert first.unit_sizes == second.unit_sizes == {"item": 1, "judge": 1}
    assert not first.one_each("item")
    assert bt.read({"left": ["owl"], "right": ["yak"], "winner": ["a"], "item": [1]}).one_each("item")


@pytest.mark.parametrize("quote", ["", '"'])
def test_rows_of_megabytes_are_read(tmp_path: Path, quote: str) -> None:
    long = quote + "x" * 5_000_000 + quote
    path = tmp_path / "long.csv"
    path.write_text(f"item,owl,yak,note\na,1,2,{long}\nb,3,4,{long}\nc,0,5,short\n")
    read = bt.read(path, systems=["owl", "yak"])
    assert isinstance(read, bt.Scores)
    np.testing.assert_array_equal(read.tables[0].values, [[1, 2], [3, 4], [0, 5]])


@pytest.mark.parametrize("word", ["NA", "0x10", "", "1_000", " 2.5 "])
def test_a_late_cell_is_read_as_an_early_one(tmp_path: Path, word: str) -> None:
    def read(at: int) -> list[float]:
        path = tmp_path / f"{at}.csv"
        path.write_text(_table(5000, 4, lambda row, place: word if (row, place) == (at, 2) else f"{row}.{place + 1}"))
        found = bt.read(path, on_error="skip" if word == "0x10" else "refuse")
        assert isinstance(found, bt.Scores)
        names = list(found.tables[0].items)
        return [float(found.tables[0].values[names.index(f"i{at}"), 2])] if f"i{at}" in names else []

    np.testing.assert_array_equal(read(4990), read(10))
