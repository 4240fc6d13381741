"""The same evidence gives the same bits: in any order of rows and columns, wide or long, from files or data frames."""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import example, given, settings

import betterthan as bt
from tests.one_answer.random_evidence import (
    DESIGNS,
    TABLES,
    Design,
    Row,
    Table,
    judgments_from,
    scores_from,
    several_from,
)

_SWAPPED = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}


def swapped(row: Row) -> Row:
    """Return a judgment with its sides exchanged."""
    return {**row, "model_a": row["model_b"], "model_b": row["model_a"], "winner": _SWAPPED[row["winner"]]}


def wide(table: Table) -> list[Row] | None:
    """Return scores or rankings with one column per system; None where that has no room for all columns."""
    if (
        table.kind == "judgments"
        or {"run", "metric", "dataset"} & {*table.rows[0]}
        or (table.kind, "judge" in table.rows[0]) == ("scores", True)
    ):
        return None
    value = "score" if table.kind == "scores" else "rank"
    systems = sorted({row["system"] for row in table.rows})
    found: dict[tuple[Any, ...], Row] = {}
    for row in table.rows:
        about = {name: each for name, each in row.items() if name not in {"system", value}}
        found.setdefault(tuple(about.values()), {**about, **dict.fromkeys(systems)})[row["system"]] = row[value]
    return list(found.values())


def shuffled(rows: list[Row], seed: int) -> list[Row]:
    """Return rows and columns in another order."""
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.permutation(list(rows[0]))]
    return [{name: rows[place][name] for name in names} for place in rng.permutation(len(rows))]


def forms(table: Table, folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield the same evidence in several forms."""
    rows = list(table.rows)
    other = shuffled(rows, 1)
    yield "shuffled rows and columns", other
    frame = pd.DataFrame(shuffled(rows, 2))
    yield "pandas", frame
    yield "Polars", pl.DataFrame(other)
    frame.to_parquet(folder / "table.parquet")
    yield "Parquet", folder / "table.parquet"
    frame.to_csv(folder / "table.csv", index=False)
    yield "CSV", folder / "table.csv"
    if table.kind == "judgments":
        yield "sides swapped", [swapped(row) for row in other]
    if (columns := wide(table)) is not None:
        yield "wide", columns
        yield "wide and shuffled", shuffled(columns, 3)


def unnamed(table: Table) -> list[Row] | None:
    """Return a wide table of scores whose items have no names."""
    columns = wide(table) if table.kind == "scores" else None
    return (
        None if columns is None else [{name: each for name, each in row.items() if name != "item"} for row in columns]
    )


def bits(result: Any) -> Any:
    """Return the JSON of a result without the names of its sources."""
    return _without_source(json.loads(result.to_json()))


def _without_source(found: Any) -> Any:
    """Leave out how the table was read, and how many rows it had."""
    if isinstance(found, dict):
        kept = {name: each for name, each in found.items() if name != "read_as"}
        return {name: _without_source(each) for name, each in kept.items() if (name, type(each)) != ("rows", int)}
    return [_without_source(each) for each in found] if isinstance(found, list) else found


def check(table: Table, computed: Callable[[Any], Any]) -> None:
    """Compute from every form, and compare."""
    usual = bits(computed(table.read()))
    with tempfile.TemporaryDirectory() as folder:
        for name, source in forms(table, Path(folder)):
            kept: Any = bt.read(source, kind=table.kind, **table.roles)  # type: ignore[arg-type]
            assert bits(computed(kept)) == usual, name


# Equal judgments of a data frame are counted together, those of a list are not: weights must add up alike.
@example(judgments_from(Design(4, 4, 24, 4.0, first=True, second=True, third=True)))
@given(TABLES)
def test_boards_do_not_depend_on_the_form_of_the_table(table: Table) -> None:
    check(table, lambda evidence: bt.rank(evidence, resamples=40))


@given(TABLES)
def test_pairs_do_not_depend_on_the_form_of_the_table(table: Table) -> None:
    check(table, lambda evidence: bt.compare_all(evidence, resamples=40))


@settings(max_examples=settings().max_examples // 3)  # of three data sets each
@given(DESIGNS.map(several_from))
def test_boards_of_several_data_sets_do_not_depend_on_the_form(table: Table) -> None:
    check(table, lambda evidence: bt.rank(evidence, resamples=40, model="mean,bradley-terry"))


@given(DESIGNS.map(lambda design: replace(design, third=False)).map(scores_from))
def test_items_without_names_may_come_in_any_order(table: Table) -> None:
    columns = unnamed(table)
    assert columns is not None
    found = [
        bits(bt.rank(bt.read_scores(rows, **table.roles), resamples=40))  # type: ignore[arg-type]
        for rows in (columns, shuffled(columns, 1), shuffled(columns, 2))
    ]
    assert found[0] == found[1] == found[2]
