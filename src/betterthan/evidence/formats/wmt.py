"""The layout of the WMT shared tasks: five systems per row, system1Id … system5rank, −1 for not ranked."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.engine.table import MISSING, OnError, Table
from betterthan.evidence.check import Check
from betterthan.evidence.formats.ranks import build, repeats
from betterthan.evidence.numbers import numbers
from betterthan.evidence.rankings import Rankings

_ABOUT = {"item": ("segmentid", "srcindex"), "judge": ("judgeid",)}


def slots(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the (name, rank) columns of each slot; empty when the table is not in this layout."""
    by_lower = {column.lower(): column for column in columns}
    numbers_found = sorted(
        int(match[1])
        for name in by_lower
        if (match := re.fullmatch(r"system(\d+)rank", name)) and f"system{match[1]}id" in by_lower
    )
    return [(by_lower[f"system{n}id"], by_lower[f"system{n}rank"]) for n in numbers_found]


def about_columns(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns that name the segment and the judge."""
    by_lower = {column.lower(): column for column in columns}
    found = {role: next((by_lower[name] for name in names if name in by_lower), None) for role, names in _ABOUT.items()}
    return {role: column for role, column in found.items() if column}


def from_wmt(table: Table, about: Mapping[str, str], on_error: OnError) -> Rankings:
    """Read WMT rankings; the prefix that all names share (test set and language pair) is dropped."""
    pairs = slots(table.columns)
    distinct = table.rows([*(column for pair in pairs for column in pair), *about.values()])
    check = Check(table, distinct, on_error)
    names = sorted({label for name, _ in pairs for label in distinct.columns[name].labels})
    place = {name: code for code, name in enumerate(names)}
    systems, ranks = [], []
    for name, rank in pairs:
        column = distinct.columns[name]
        lookup = np.array([*(place[label] for label in column.labels), MISSING], dtype=np.int64)
        systems.append(lookup[column.codes])
        given = numbers(distinct.columns[rank])
        check.refuse(
            "bad rank",
            given.wrong,
            "the rank {0} is not a finite number",
            "Ranks are 1 (best) to 5; −1 is not ranked.",
            [rank],
        )
        ranks.append(np.where(given.values == -1, np.nan, given.values))
    system, value = np.stack(systems, axis=1), np.stack(ranks, axis=1)
    ranked = ~np.isnan(value)
    unnamed = np.count_nonzero(ranked & (system == MISSING), axis=1) > 0
    check.refuse(
        "missing name",
        unnamed,
        "a ranked system has no name",
        "Every rank needs a system: fill it in.",
    )
    key = np.arange(len(system))[:, None] * (len(names) + 1) + system
    twice = np.count_nonzero(repeats(key.ravel(), ranked.ravel()).reshape(key.shape), axis=1) > 0
    check.refuse(
        "duplicate entry",
        twice,
        "a system is ranked twice in one ranking",
        "A system has one rank per ranking: remove one of them.",
    )
    account = check.settle()
    kept = np.flatnonzero(~check.bad)
    ranking, slot = np.nonzero(ranked[kept])
    return build(
        _without_prefix(names), ranking, system[kept][ranking, slot], value[kept][ranking, slot], np.ones(len(kept)),
        {role: distinct.columns[column].take(kept) for role, column in about.items()}, account, table.name,
    )  # fmt: skip


def _without_prefix(names: list[str]) -> tuple[str, ...]:
    split = [name.split(".") for name in names]
    shared = 0
    while len(names) > 1 and all(len(parts) > shared + 1 and parts[shared] == split[0][shared] for parts in split):
        shared += 1
    return tuple(".".join(parts[shared:]) for parts in split)
