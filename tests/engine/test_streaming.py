"""Rows out of DuckDB part by part: the same numbers as all at once, errors and ends included."""

import duckdb
import numpy as np
import pytest

from betterthan.engine.duckdb.arrow_stream import parts

KINDS = {"a": "i4", "b": "u4", "c": "i8"}


def _relation(connection: duckdb.DuckDBPyConnection, rows: int, more: str = "") -> duckdb.DuckDBPyRelation:
    return connection.sql(
        f"SELECT CAST(i % 1000 - 500 AS INTEGER) AS a, CAST(4294967295 - i AS UINTEGER) AS b, i * 5000000000 AS c{more}"
        f" FROM range({rows}) AS r(i)"
    )


@pytest.mark.parametrize("rows", [0, 1, 300_000])
def test_parts_are_what_is_fetched_at_once(rows: int) -> None:
    with duckdb.connect() as connection:
        found = [
            {name: values.copy() for name, values in part.items()} for part in parts(_relation(connection, rows), KINDS)
        ]
        whole = _relation(connection, rows).fetchnumpy()
    assert sum(len(part["a"]) for part in found) == rows
    assert len(found) > 1 or rows < 300_000  # really part by part
    for name, kind in KINDS.items():
        together = np.concatenate([part[name] for part in found]) if found else np.empty(0, dtype=kind)
        assert together.dtype == kind
        assert np.array_equal(together, whole[name])


def test_a_stream_that_breaks_off_is_an_error() -> None:
    with duckdb.connect() as connection:
        relation = _relation(
            connection, 300_000, ", CASE WHEN i = 299999 THEN error('the disk is gone') ELSE 0 END AS d"
        )
        with pytest.raises(duckdb.Error, match="the disk is gone"):
            list(parts(relation, KINDS))


def test_whoever_stops_early_leaves_the_connection_free() -> None:
    with duckdb.connect() as connection:
        started = parts(_relation(connection, 300_000), KINDS)
        assert next(started)["a"][0] == -500
        started.close()
        del started
        assert connection.sql("SELECT 42").fetchall() == [(42,)]
