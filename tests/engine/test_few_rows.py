"""Few distinct rows are encoded outside DuckDB, many inside: the answer is the same."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from betterthan.engine.duckdb import duck_table as duck
from betterthan.readers.open_tables import open_table

ROWS = """
    SELECT * FROM (VALUES
        ('owl', 1.0, DATE '2026-01-01', ['a'], NULL), ('yak', 2.5, NULL, ['a', 'b'], 'x'), ('owl', 1.0, DATE '2026-01-01', ['a'], NULL),
        (NULL, NULL, DATE '2026-01-02', NULL, ' '), ('  ', 'nan'::DOUBLE, NULL, [], 'x'), ('ére', -0.0, NULL, ['a'], 'X')
    ) AS rows(name, number, day, list, text)
"""


def _answer(table: Any, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    found = table.distinct(columns)
    texts = zip(*(found.columns[name].texts() for name in columns), strict=True)
    return sorted(((*row, times) for row, times in zip(texts, found.times.tolist(), strict=True)), key=repr)


@pytest.mark.parametrize(
    "columns", [("name",), ("name", "number"), ("day", "list", "text"), ("name", "number", "day", "list", "text")]
)
def test_few_rows_are_encoded_as_many_are(
    columns: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb.sql(f"COPY ({ROWS}) TO '{tmp_path}/rows.parquet'")
    with open_table(tmp_path / "rows.parquet") as table:
        few, labels = (
            _answer(table, columns),
            {name: found.labels for name, found in table.distinct(columns).columns.items()},
        )
        monkeypatch.setattr(duck, "_FEW", -1)
        assert _answer(table, columns) == few
        assert {name: found.labels for name, found in table.distinct(columns).columns.items()} == labels
    assert sum(row[-1] for row in few) == 6
