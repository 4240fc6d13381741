"""Rankings as tables: wide (one column per system) and long (ranking, system, rank)."""

from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.engine.table import MISSING, Coded, OnError, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.account import Account
from betterthan.evidence.check import Check
from betterthan.evidence.formats.wide import read_wide
from betterthan.evidence.numbers import numbers
from betterthan.evidence.rankings import Rankings

_RANK_REMEDY = "Ranks are finite numbers, 1 the best; leave a system that was not ranked empty."


def from_wide(
    table: Table, systems: Sequence[str], about: Mapping[str, str], weight: str | None, on_error: OnError
) -> Rankings:
    """Read one ranking per row, one column per system; an empty cell is a system that was not ranked."""
    others = [*about.values(), *([weight] if weight else [])]
    check, values = read_wide(table, systems, others, on_error=on_error, what="rank", remedy=_RANK_REMEDY)
    weights = check.amounts(weight, "weight") if weight else np.ones(len(check.times))
    account = check.settle()
    kept = np.flatnonzero(~check.bad)
    ranks = values[kept]
    ranking, system = np.nonzero(~np.isnan(ranks))
    return build(
        tuple(systems), ranking, system, ranks[ranking, system], weights[kept],
        {role: check.columns[column].take(kept) for role, column in about.items()}, account, table.name,
    )  # fmt: skip


def from_long(table: Table, roles: Mapping[str, str], on_error: OnError) -> Rankings:
    """Read one entry per row: ranking, system, rank."""
    distinct = table.rows(list(roles.values()))
    check = Check(table, distinct, on_error)
    ranking, system = distinct.columns[roles["ranking"]], distinct.columns[roles["system"]]
    check.refuse(
        "missing ranking",
        ranking.codes == MISSING,
        "the ranking's id is missing",
        "Every entry belongs to a ranking: fill it in.",
    )
    check.refuse(
        "missing name",
        system.codes == MISSING,
        "the system's name is missing",
        "Every entry needs a system: fill it in.",
    )
    given = numbers(distinct.columns[roles["rank"]])
    check.refuse(
        "bad rank",
        given.wrong | given.missing,
        "the rank {0} is not a finite number",
        _RANK_REMEDY,
        [roles["rank"]],
    )
    key = ranking.codes * (len(system.labels) + 1) + system.codes
    check.refuse(
        "duplicate entry", repeats(key, ~check.bad), "{0} is ranked twice in the ranking {1}",
        "A system has one rank per ranking: remove one of them.", [roles["system"], roles["ranking"]],
    )  # fmt: skip
    weights = check.amounts(roles["weight"], "weight") if "weight" in roles else np.ones(len(check.times))
    account = check.settle()
    kept = ~check.bad
    labels, first, codes = np.unique(ranking.codes[kept], return_index=True, return_inverse=True)
    appearance = np.argsort(first)  # rankings are numbered as they come, for models in which the order matters
    codes = np.argsort(appearance)[codes.ravel()]
    rows = np.flatnonzero(kept)[first[appearance]]
    about = {role: distinct.columns[roles[role]].take(rows) for role in ("item", "judge") if role in roles}
    about["ranking"] = Coded(appearance, tuple(ranking.labels[label] for label in labels))
    return build(
        system.labels,
        codes,
        system.codes[kept],
        given.values[kept],
        weights[rows],
        about,
        account,
        table.name,
    )


def repeats(key: IntArray, among: BoolArray) -> BoolArray:
    """Mark every occurrence of a key after its first, among some rows."""
    repeated = np.zeros(len(key), dtype=bool)
    rows = np.flatnonzero(among)
    _, first = np.unique(key[rows], return_index=True)
    repeated[rows] = True
    repeated[rows[first]] = False
    return repeated


def build(  # noqa: PLR0917 (the fields of the object it makes)
    systems: Sequence[str],
    ranking: IntArray,
    system: IntArray,
    rank: FloatArray,
    weight: FloatArray,
    about: Mapping[str, Coded],
    account: Account,
    name: str,
) -> Rankings:
    """Sort the systems that occur, number the rankings where they have no id, and make the object."""
    used = np.unique(system)
    if len(used) < 2:
        found = f"only {systems[used[0]]!r}" if len(used) else "none"
        raise EvidenceError(f"{name}: a ranking needs at least two systems, found {found}. Check the columns chosen.")
    names = np.array([systems[code] for code in used], dtype=object)
    order = np.argsort(names, kind="stable")
    place = np.argsort(order)[np.searchsorted(used, system)]
    if "ranking" not in about:
        width = len(str(len(weight)))
        labels = tuple(f"{number + 1:0{width}d}" for number in range(len(weight)))
        about = {"ranking": Coded(np.arange(len(weight)), labels), **about}
    return Rankings(tuple(names[order]), ranking, place, rank, weight, about, account, name)
