"""A state in a DuckDB file: counts, judgments and additions, written atomically."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from betterthan import __version__
from betterthan.base import EvidenceError, need_path
from betterthan.engine import Coded, Opening, open_files
from betterthan.engine import connection as duckdb_connection
from betterthan.evidence import UNITS, Account, Refusal, Tally
from betterthan.options import Plan, declared_options
from betterthan.present import atomic_files
from betterthan.state.growing_state import Added, Base, KnownJudgments, Start, State

#: The layout of the file; one that a later version wrote is refused.
VERSION = 1
_SAID = "betterthan state"
_TABLES = {
    "about": "name VARCHAR, value VARCHAR",
    "pairs": '"left" VARCHAR, "right" VARCHAR, outcome TINYINT, weight DOUBLE, times DOUBLE',
    "added": "name VARCHAR, digest VARCHAR, rows BIGINT, judgments DOUBLE",
    "strengths": "model VARCHAR, parameter BOOLEAN, name VARCHAR, value DOUBLE",
}


def save_state(state: State, path: str | os.PathLike[str]) -> None:
    """Write a state whole or not at all; the next one to load it continues from there."""
    atomic_files.write_whole(path, lambda place: write_state(state, place))


def write_state(state: State, place: Path) -> None:
    """Fill a new file with a state; the judgments of a file that it was loaded from are copied as they are."""
    known = state.known
    place.unlink(missing_ok=True)
    if known.base is not None:
        known.base.need_same()
        shutil.copyfile(known.base.path, place)
    names = known.table.columns
    with duckdb_connection.disk_errors(), duckdb_connection.connect(str(place)) as connection:
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE OR REPLACE TABLE {table} ({columns})")
        if known.base is None:
            duckdb_connection.make_table_of_texts(connection, "judgments", names)
        for part in known.parts[1 if known.base is not None else 0 :]:
            columns_of = part()
            _insert(connection, "judgments", {name: columns_of[name].texts() for name in names})
        ((rows,),) = connection.execute("SELECT count(*) FROM judgments").fetchall()
        tally = known.tally
        systems = np.array(tally.systems, dtype=object)
        _insert(
            connection,
            "pairs",
            {
                "left": systems[tally.left],
                "right": systems[tally.right],
                "outcome": tally.outcome,
                "weight": tally.weight,
                "times": tally.times,
            },
        )
        _insert(
            connection,
            "added",
            {
                name: np.array(values, dtype=object if name in {"name", "digest"} else None)
                for name, values in zip(Added._fields, zip(*known.added, strict=True), strict=True)
            },
        )
        for unit, hashes in known.units.items():
            connection.execute(f"CREATE OR REPLACE TABLE unit_{unit} (hash UBIGINT)")
            _insert(connection, f"unit_{unit}", {"hash": hashes})
        _write_starts(connection, known.starts)
        about = {
            "format": _SAID,
            "version": VERSION,
            "betterthan": __version__,
            "words": dict(known.words),
            "plan": _said(known.plan),
            "on_error": state.on_error,
            "read": tally.account.read,
            "refusals": [asdict(each) for each in tally.account.refusals],
            "rows": rows,
            "name": known.table.name,
            "digest": _digest(known),
        }
        connection.executemany(
            "INSERT INTO about VALUES (?, ?)", [(name, json.dumps(value)) for name, value in about.items()]
        )


def write_starts(place: Path, starts: Mapping[str, Start]) -> None:
    """Put the strengths of models into a state's file."""
    with duckdb_connection.disk_errors(), duckdb_connection.connect(str(place)) as connection:
        connection.execute("DELETE FROM strengths")
        _write_starts(connection, starts)


def _write_starts(connection: Any, starts: Mapping[str, Start]) -> None:
    rows = [
        (model, of_all, name, value)
        for model, start in starts.items()
        for of_all, values in ((False, start.strength), (True, start.parameters))
        for name, value in values.items()
    ]
    if rows:
        model, of_all, name, value = zip(*rows, strict=True)
        _insert(
            connection,
            "strengths",
            {
                "model": np.array(model, dtype=object),
                "parameter": np.array(of_all),
                "name": np.array(name, dtype=object),
                "value": np.array(value, dtype=float),
            },
        )


def _insert(connection: Any, table: str, held: Mapping[str, Any]) -> None:
    connection.register("held", dict(held))
    connection.execute(f"INSERT INTO {table} SELECT * FROM held")
    connection.unregister("held")


def load_state(path: str | os.PathLike[str]) -> State:
    """Load a state that was saved; its judgments stay in the file until something needs them.

    Parameters
    ----------
    path : str or path
        File that `Leaderboards.save_state` or `betterthan rank --state` wrote.

    Returns
    -------
    State
        The judgments and the plan.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_state(State.of([("owl", "yak", "a"), ("owl", "yak", "b")]), folder + "/board.duckdb")
    ...     load_state(folder + "/board.duckdb").systems
    ('owl', 'yak')
    """
    need_path(path, "a state")
    place = Path(path)
    if not place.is_file():
        raise EvidenceError("there is no such file", where=str(path), remedy="Check the name of the state.")
    with (
        _explained(path),
        duckdb_connection.lock_up(duckdb_connection.connect(str(place), read_only=True), [str(place)]) as connection,
    ):
        about = {name: json.loads(value) for name, value in connection.execute("SELECT * FROM about").fetchall()}
        if about["format"] != _SAID:
            raise KeyError(_SAID)
        if about["version"] > VERSION:
            raise EvidenceError(
                f"a later version of betterthan wrote this state (layout {about['version']}, this one reads {VERSION})",
                where=str(path),
                remedy="Update betterthan.",
            )
        pairs = connection.execute("SELECT * FROM pairs").fetchnumpy()
        added = tuple(Added(*row) for row in connection.execute("SELECT * FROM added").fetchall())
        starts = _starts(connection.execute("SELECT * FROM strengths").fetchall())
        ((rows,),) = connection.execute("SELECT count(*) FROM judgments").fetchall()
        columns = [row[0] for row in connection.execute("DESCRIBE judgments").fetchall()]
        units = {
            unit: np.asarray(connection.execute(f"SELECT hash FROM unit_{unit}").fetchnumpy()["hash"])
            for unit in UNITS
            if unit in columns
        }
        tally = _tally(pairs, Account(about["read"], tuple(Refusal(**each) for each in about["refusals"])))
        plan = None if about["plan"] is None else Plan.of(**about["plan"])
        table = replace(open_files([place], Opening(table="judgments")), name=about["name"])
        known = KnownJudgments(
            table,
            tally,
            units,
            added,
            about["words"],
            plan,
            starts,
            (lambda: table.rows(columns).columns,),
            Base.of(place),
        )
        if rows != about["rows"] or about["digest"] != _digest(known):
            raise KeyError("digest")
    return State.over(known, on_error=about["on_error"])


def _tally(pairs: Mapping[str, Any], account: Account) -> Tally:
    left, right = Coded.of(pairs["left"]), Coded.of(pairs["right"])
    systems = tuple(sorted({*left.labels, *right.labels}))
    place = {name: code for code, name in enumerate(systems)}
    one, two = (np.array([place[name] for name in side.labels])[side.codes] for side in (left, right))
    outcome, weight, times = (np.asarray(pairs[name]) for name in ("outcome", "weight", "times"))
    return Tally(systems, one, two, outcome.astype(np.int64), weight, times, {}, account)


def _starts(rows: list[tuple[str, bool, str, float]]) -> dict[str, Start]:
    found: dict[tuple[str, bool], dict[str, float]] = {}
    for model, of_all, name, value in rows:
        found.setdefault((model, of_all), {})[name] = value
    return {model: Start(found[model, False], found.get((model, True), {})) for model, _ in found}


def _digest(known: KnownJudgments) -> str:
    """Return a digest of the counts and of what was added, which a damaged file does not have."""
    tally = known.tally
    text = sha256("\0".join([*tally.systems, *(each.digest for each in known.added)]).encode(errors="surrogatepass"))
    for column in (tally.left, tally.right, tally.outcome, tally.weight, tally.times):
        text.update(np.ascontiguousarray(column, dtype=np.float64).tobytes())
    text.update(json.dumps({unit: len(hashes) for unit, hashes in sorted(known.units.items())}).encode())
    return text.hexdigest()


def _said(plan: Plan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    return {name: value for name in declared_options(Plan) if (value := getattr(plan, name)) is not None}


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Report in a sentence that a file is damaged, or not a state."""
    try:
        yield
    except (duckdb.Error, KeyError, TypeError, ValueError, UnicodeDecodeError):
        raise EvidenceError(
            "is damaged, or is no state that betterthan saved",
            where=os.fspath(path),
            remedy="Restore a copy, or make it again from all judgments.",
        ) from None
