"""Conditions on rows: read in one way, refused in one sentence, and the same on every engine."""

import datetime as dt
import json
import pickle
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
from hypothesis import given, settings
from hypothesis import strategies as st

import betterthan as bt
from betterthan.engine import conditions as row_conditions
from betterthan.engine.conditions import Condition
from betterthan.options.read import ReadOptions
from betterthan.readers.open_tables import open_table

ROWS: dict[str, list[Any]] = {
    "row": [str(place) for place in range(12)],
    "text": ["owl", "yak", "a=b, c", "war and peace", "true", "True", "3", "3.0", "007", " 3 ", None, ""],
    "number": [1.0, 2.0, 3.0, -0.5, 0.0, 10.0, 2.5, None, 1e9, 3.0, 100.0, 7.0],
    "whole": [1, 2, 3, 9007199254740993, 9007199254740992, 6, 7, 8, 9, 10, 11, None],
    "flag": [True, False, None, True, True, False, False, True, None, True, False, True],
    "day": [
        "2023-05-01",
        "2023-05-01 10:00:00",
        "2023-05-02T00:30:00+02:00",
        "2023-04-30T23:59:59Z",
        None,
        "2024-02-29",
        "2023-05-01T23:59:59.999999",
        "2023-05-02",
        "NA",
        "2022-12-31 12:00",
        "2023-06-01T00:00:00.123456789",
        "",
    ],
    "digits": ["1", "10", "9", "2.5", "-3", "+4", "1e2", "NA", "", None, ".5", "3."],
    "path": ["gpt-4", "gpt-4o", "gpt-3.5", "GPT-4", "a[b", "a*b", "line\nbreak", "", None, "gpt", "claude-2", "7"],
    "when": [dt.datetime(2023, 5, 1, hour) if hour != 5 else None for hour in range(12)],
}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _csv(folder: Path) -> Any:
    path = folder / "rows.csv"
    pd.DataFrame({name: list(map(_text, values)) for name, values in ROWS.items()}).to_csv(path, index=False)
    return path


def _jsonl(folder: Path) -> Any:
    path = folder / "rows.jsonl"
    rows = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return path


def _parquet(folder: Path) -> Any:
    path = folder / "rows.parquet"
    pl.DataFrame(ROWS).write_parquet(path)
    return path


def _arrow(folder: Path) -> Any:
    path = folder / "rows.arrow"
    pyarrow.feather.write_feather(pa.table(ROWS), path)
    return path


def _relation(_: Path) -> Any:
    return duckdb.connect().from_arrow(pa.table(ROWS))


def _pandas(_: Path) -> Any:
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in ROWS.items()})
    return frame.astype({"number": "float64", "whole": "Int64", "when": "datetime64[us]"})


def _dask(folder: Path) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(_pandas(folder).astype({"flag": "boolean"}), npartitions=3)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "memory": lambda _: ROWS,
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "arrow": _arrow,
    "duckdb": _relation,
    "pandas": _pandas,
    "pandas-categorical": lambda folder: _pandas(folder).astype({"path": "category", "digits": "category"}),
    "polars": lambda _: pl.DataFrame(ROWS),
    "polars-lazy": lambda _: pl.LazyFrame(ROWS),
    "polars-nanoseconds": lambda _: pl.DataFrame(ROWS).with_columns(pl.col("when").cast(pl.Datetime("ns"))),
    "pyarrow": lambda _: pa.table(ROWS),
    "dask": _dask,
}

#: What each condition keeps, worked out by hand.
CASES: dict[str, list[int]] = {
    "text=owl": [0],
    "text='a=b, c'": [2],
    "text='war and peace'": [3],
    'text = "a=b, c"': [2],
    "text=true": [4, 5],
    "text=3": [6, 7, 9],
    "text=3.0": [6, 7, 9],
    "text=7": [8],
    "text in (owl, yak, 'a=b, c')": [0, 1, 2],
    "text not in (owl, yak, 3)": [2, 3, 4, 5, 8, 10, 11],
    "text!=owl": [*range(1, 12)],
    "text=''": [10, 11],
    "text != ''": [*range(10)],
    "number=3": [2, 9],
    "number=3.0": [2, 9],
    "number<2.5": [0, 1, 3, 4],
    "number>=1e2": [8, 10],
    "number>-1": [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11],
    "number != 3": [0, 1, 3, 4, 5, 6, 7, 8, 10, 11],
    "number=''": [7],
    "whole=9007199254740993": [3],
    "whole<=3": [0, 1, 2],
    "whole>10.5": [3, 4, 10],
    "flag=true": [0, 3, 4, 7, 9, 11],
    "flag=False": [1, 5, 6, 10],
    "flag!=true": [1, 2, 5, 6, 8, 10],
    "day=2023-05-01": [0, 1, 2, 6],
    "day<=2023-05-01": [0, 1, 2, 3, 6, 9],
    "day>2023-05-01": [5, 7, 10],
    "day>='2023-05-01 10:00'": [1, 2, 5, 6, 7, 10],
    "day<2023-01-01T00:00:00Z": [9],
    "day >= 2023-05-01 and day < 2023-06-01": [0, 1, 2, 6, 7],
    "digits<=3": [0, 3, 4, 10, 11],
    "digits > 3": [1, 2, 5, 6],
    "path~gpt-4*": [0, 1],
    "path ~ gpt-?": [0],
    "path~[Gg][Pp][Tt]-4": [0, 3],
    "path~*[!0-9]": [1, 4, 5, 6, 9],
    "path~'a[*]b'": [5],
    "path~'a[[]b'": [4],
    "path~line*break": [6],
    "path~*": [0, 1, 2, 3, 4, 5, 6, 9, 10, 11],
    "path!~gpt*": [3, 4, 5, 6, 7, 8, 10, 11],
    "when>='2023-05-01 03:00'": [3, 4, 6, 7, 8, 9, 10, 11],
    "when=2023-05-01": [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11],
    "when=2023-05-01T02:00": [2],
    "when<2023-05-01": [],
    "when=''": [5],
    "number>=1 and text!=owl AND path~gpt*": [1, 2, 9],
}


def _kept(source: Any, where: Any) -> list[int]:
    table = open_table(source, where=where)
    return sorted(int(text) for text in table.rows(["row"]).columns["row"].texts())


@pytest.mark.parametrize("engine", SOURCES)
def test_every_engine_keeps_the_same_rows(engine: str, tmp_path: Path) -> None:
    source = SOURCES[engine](tmp_path)
    with open_table(source) as table:  # once: opening is slower than asking
        found = {where: _kept(table, where) for where in CASES}
    assert found == CASES


@pytest.mark.long
@pytest.mark.spark
def test_spark_keeps_the_same_rows(spark: Any) -> None:
    rows = list(zip(*ROWS.values(), strict=True))
    kinds = "row string, text string, number double, whole long, flag boolean, day string, digits string, path string, when timestamp_ntz"
    table = open_table(spark.createDataFrame(rows, kinds))
    assert {where: _kept(table, where) for where in CASES} == CASES


@pytest.mark.parametrize("where", [c for c in CASES if "!=" in c or "not in" in c or "!~" in c])
def test_an_opposite_keeps_what_the_other_drops(where: str) -> None:
    other = where.replace("!=", "=").replace("not in", "in").replace("!~", "~")
    if "and" in where.lower().split():
        return
    assert sorted(_kept(ROWS, where) + _kept(ROWS, other)) == list(range(12))


UNORDERED = {
    "path<3": "where='path<3' needs numbers, but the column 'path' holds ",
    "path>=2023-01-01": "where='path>=2023-01-01' needs dates, but the column 'path' holds ",
    "number<2023-01-01": "where='number<2023-01-01' needs dates, but the column 'number' holds ",
    "flag<1": "where='flag<1' needs numbers, but the column 'flag' holds ",
}


@pytest.mark.parametrize("engine", SOURCES)
def test_what_has_no_order_is_refused(engine: str, tmp_path: Path) -> None:
    source = SOURCES[engine](tmp_path)
    for where, message in UNORDERED.items():
        with pytest.raises(bt.EvidenceError) as refusal:
            open_table(source, where=where)
        assert message in str(refusal.value)
        assert str(refusal.value).endswith(". Compare texts with =, !=, in or ~.")


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("lang", "there is no operator in 'lang'; quote a value that contains 'and'"),
        ("=en", "there is no column before the operator"),
        ("lang=", "there is no value behind the operator; write '' for a missing one"),
        ("lang='en", "a quotation mark is not closed"),
        ("lang='en' de", "'de' follows a complete condition"),
        ("lang in (en, de", "the list is not closed by )"),
        ("lang in (en,,de)", "a value of the list is empty; write '' for a missing one"),
        ("lang in (en) de", "'de' follows a complete condition"),
        ("title=war and peace", "there is no operator in 'peace'; quote a value that contains 'and'"),
        ("lang=en or turn=3", "quote 'en or turn=3', because it contains an operator or ends in 'and'"),
        ("lang!=en and", "quote 'en and', because it contains an operator or ends in 'and'"),
        ("lang=en, turn=3", "quote 'en, turn=3', because it contains an operator or ends in 'and'"),
        ("turn<three", "< compares numbers and dates such as 2024-05-01, and 'three' is neither"),
        ("day<2024-02-30", "< compares numbers and dates such as 2024-05-01, and '2024-02-30' is neither"),
        ("lang~[a", "the pattern '[a' opens [ and never closes it; write [[] for the sign itself"),
        ("lang~[z-a]", "the pattern's range z-a runs backwards"),
        ("", "there is no operator in ''; quote a value that contains 'and'"),
    ],
)
def test_what_is_not_understood_is_refused(where: str, what: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        open_table(ROWS, where=where)
    assert str(refusal.value) == (
        f"where={where!r} is not understood: {what}; allowed: COLUMN=VALUE, also with !=, <, <=, >, >=, ~ PATTERN or "
        "in (A, B), several joined by 'and'."
    )


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(bt.PlanError, match=r"where must be a text, several texts or a mapping, got \[1\]\."):
        open_table(ROWS, where=[1])  # type: ignore[list-item]


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(bt.EvidenceError, match=r"the given arrays: no column 'nomber'; .* Did you mean 'number'\?"):
        open_table(ROWS, where="nomber=1")


def test_mappings_lists_and_texts_are_the_same() -> None:
    assert _kept(ROWS, {"flag": True, "number": 3}) == _kept(ROWS, ["flag=True", "number=3"]) == [9]
    assert _kept(ROWS, {"text": "war and peace"}) == [3]
    assert _kept(ROWS, {"text": ["owl", "a=b, c", None]}) == [0, 2, 10, 11]
    assert _kept(ROWS, {"number": None}) == [7]


ANY_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
OPERATORS: list[row_conditions.Operator] = ["in", "not in", "<", "<=", ">", ">=", "~", "!~"]


@given(ANY_TEXT.filter(bool), st.sampled_from(OPERATORS), st.lists(ANY_TEXT, min_size=1, max_size=3))
@settings(deadline=None)
def test_conditions_are_read_as_they_are_written(
    column: str, operator: row_conditions.Operator, values: list[str]
) -> None:
    if operator in {"<", "<=", ">", ">="}:
        values = ["3.5"]
    if operator in {"~", "!~"}:
        values = [values[0].replace("[", "*")]
    condition = Condition(column, operator, tuple(values if "in" in operator else values[:1]))
    other = Condition("turn", "<=", ("3",))
    assert row_conditions.parse_conditions(str(condition)) == (condition,)
    assert row_conditions.parse_conditions(f"{other} and {condition} and {other}") == (other, condition, other)


@given(st.dictionaries(ANY_TEXT.filter(bool), ANY_TEXT, max_size=3))
@settings(deadline=None)
def test_options_keep_conditions_through_signature_and_plan_file(mapping: dict[str, str]) -> None:
    options = ReadOptions(where=mapping)
    line = str(bt.Signature("0.2.0", {"verb": "read", **options.facts()}))
    assert ReadOptions.from_signature(line).where == (options.where or None)
    expected = tuple(Condition(column, "in", (value,)) for column, value in mapping.items())
    assert row_conditions.parse_conditions(options.where) == expected


def test_a_text_is_one_condition_whatever_its_commas() -> None:
    options = ReadOptions(where="lang in (en, de) and turn<3")
    assert options.where == ("lang in (en, de) and turn<3",)
    line = str(bt.Signature("0.2.0", {"verb": "read", **options.facts()}))
    assert ReadOptions.from_signature(line) == options
    with pytest.raises(bt.PlanError, match="where must be a text such as 'turn<=3', several texts, or a mapping"):
        ReadOptions(where=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["csv", "parquet", "arrow"])
def test_a_pickled_table_keeps_its_conditions(name: str, tmp_path: Path) -> None:
    table = open_table(SOURCES[name](tmp_path), where="number>=1 and path~gpt*")
    again = pickle.loads(pickle.dumps(table))
    assert again.name == table.name
    assert np.array_equal(again.rows(["row"]).columns["row"].texts(), table.rows(["row"]).columns["row"].texts())


def test_data_sets_are_told_apart_by_their_exact_names(tmp_path: Path) -> None:
    """As numbers, 7 and 007 are equal; as names of data sets they are two."""
    path = tmp_path / "votes.csv"
    path.write_text("left,right,winner,dataset\nowl,yak,a,7\nowl,yak,b,007\nowl,yak,b,007\n")
    sizes = [(title, part.tally().times.sum()) for title, part in bt.read_judgments(path).data_sets()]
    assert sizes == [("007", 2), ("7", 1)]
