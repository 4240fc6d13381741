"""Time what it takes to add judgments to known ones; the last line printed is JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import duckdb

import betterthan as bt


def timed(work: Callable[[], Any], into: list[float]) -> Any:
    """Run something, and note how long it took."""
    start = perf_counter()
    found = work()
    into.append(perf_counter() - start)
    return found


def main(path: str, new: int, folder: Path) -> None:
    """Update boards with rows of the same world, and compare them with all at once."""
    rows = duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall()[0][0]
    parts = []
    for turn in range(5):  # judgments that are not among the known ones
        wanted = f"SELECT * FROM '{path}' OFFSET {rows - (turn + 1) * new} LIMIT {new}"
        parts.append({name: values.tolist() for name, values in duckdb.sql(wanted).fetchnumpy().items()})
    known, first = folder / "known.parquet", folder / "first.parquet"
    duckdb.sql(f"COPY (SELECT * FROM '{path}' LIMIT {rows - 5 * new}) TO '{known}'")
    duckdb.sql(f"COPY (SELECT * FROM '{path}' OFFSET {rows - new} LIMIT {new}) TO '{first}'")

    took: dict[str, list[float]] = {}
    boards = timed(lambda: bt.rank(known, ci="none"), took.setdefault('`rank(known, ci="none")`', []))
    boards = timed(lambda: boards.update(parts[4], ci="none"), took.setdefault("the first `update`: reads all", []))
    for turn in range(4):
        boards = timed(
            lambda at=boards, part=parts[turn]: at.update(part, ci="none"),
            took.setdefault('`boards.update(new, ci="none")`', []),
        )
    difference = _apart(boards, bt.rank(path, ci="none"), ("log_strength",))
    full = timed(
        lambda: boards.update(parts[0], ci="bootstrap", again=True),
        took.setdefault("`boards.update(new)`, intervals by item and judge", []),
    )
    del full
    state = folder / "board.duckdb"
    bt.rank(known, state=state)
    grown = timed(lambda: bt.rank(first, state=state), took.setdefault("`rank(new, state=FILE)`, intervals", []))
    whole = folder / "whole.parquet"
    duckdb.sql(f"COPY (SELECT * FROM '{known}' UNION ALL SELECT * FROM '{first}') TO '{whole}'")
    again: list[float] = took.setdefault("`rank(all)`, intervals by item and judge", [])
    for _ in range(3):
        at_once = timed(lambda: bt.rank(whole), again)
    print(
        json.dumps(
            {
                "seconds": {what: min(each) for what, each in took.items()},
                "difference": difference,
                "ends": _apart(grown, at_once, ("low", "high")),
                "megabytes": state.stat().st_size / 1e6,
            }
        )
    )


def _apart(one: bt.Leaderboards, two: bt.Leaderboards, names: tuple[str, ...]) -> float:
    return max(abs(getattr(row, name) - getattr(two.board[row.system], name)) for row in one.board for name in names)


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        main(sys.argv[1], int(sys.argv[2]), Path(temporary))
