"""Read selected keys of JSON lines with DuckDB; other values are never built."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from betterthan.base import EvidenceError, FloatArray
from betterthan.engine.duckdb.connection import connect, lock_up
from betterthan.engine.duckdb.file_layouts import escaped
from betterthan.engine.duckdb.sql import literal, quote_name


def read_json_keys(
    path: Path, shown: str, texts: Sequence[str], numbers: Sequence[str]
) -> tuple[dict[str, Any], dict[str, FloatArray]]:
    """Return columns of texts (None where a key is absent) and of numbers.

    True and false are 1 and 0; NaN means missing, and infinity means another type (a list).
    """
    names = list(dict.fromkeys([*texts, *numbers]))
    kinds = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    chosen = [f"{quote_name(name)} AS t{place}" for place, name in enumerate(texts)]
    chosen += [f"{_number(quote_name(name))} AS n{place}" for place, name in enumerate(numbers)]
    sql = (
        f"SELECT {', '.join(chosen)} FROM read_json({literal(escaped(path))}, format = 'newline_delimited',"
        f" compression = 'uncompressed', maximum_object_size = 268435456, hive_partitioning = false,"
        f" columns = {{{kinds}}})"
    )
    try:
        with lock_up(connect(), [escaped(path), str(path)]) as connection:
            answer = connection.execute(sql).fetchnumpy()
    except duckdb.Error as error:
        why = str(error).strip().splitlines()[0]
        raise EvidenceError(f"cannot be read: {why}", where=shown, remedy="Check whether the file is whole.") from None
    words = {name: _plain(answer[f"t{place}"]) for place, name in enumerate(texts)}
    return words, {name: np.ma.filled(answer[f"n{place}"], np.inf) for place, name in enumerate(numbers)}


def _number(column: str) -> str:
    """Return a text as a number, NULL where it is none."""
    plain = f"CASE {column} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE coalesce({column}, 'nan') END"
    return f"TRY_CAST({plain} AS DOUBLE)"


def _plain(values: Any) -> Any:
    """Return objects, None where a value is masked."""
    found = np.asarray(values.data if isinstance(values, np.ma.MaskedArray) else values, dtype=object)
    found[np.ma.getmaskarray(values)] = None
    return found
