"""The layout of the WMT shared tasks: five systems per row, system1Id … system5rank, −1 for not ranked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.arrays import IntArray
from betterthan.engine.table import MISSING, Coded, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.building import build, refuse_without_data_set, repeats
from betterthan.evidence.check import Check
from betterthan.evidence.evidence import Kind
from betterthan.evidence.format import Recognition
from betterthan.evidence.numbers import numbers
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.reading import Reading
from betterthan.evidence.roles import Columns
from betterthan.options.read import ReadOptions

_ABOUT = {"item": ("segmentid", "srcindex"), "judge": ("judgeid",)}
#: The language pair: what tells the data sets of one file apart.
_PAIR = ("srclang", "trglang")


@dataclass(frozen=True)
class WmtFormat:
    """Up to five systems with their ranks in one row; every language pair is a data set."""

    name: ClassVar[str] = "wmt"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "WMT's rankings of five systems per row: system1Id, system1rank … system5rank"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"item", "judge", "dataset"})
    surest: ClassVar[float] = 0.9

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for the columns of at least one slot."""
        del options
        return Recognition(0.9, "columns system1Id, system1rank …") if _slots(found.columns) else None

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as a ranking; what all names of a data set begin with (test set, languages) is dropped."""
        pairs = _slots(found.columns)
        columns = Columns.of(found, options)
        if not pairs:
            raise EvidenceError(
                f"there are no columns system1Id and system1rank; its columns are {columns.listed()}", where=found.name
            )
        about = _described(found.columns)
        about |= {role: columns.given(name) for role in ("item", "judge") if (name := getattr(options, role))}
        telling = [columns.given(options.dataset)] if options.dataset else _language_pair(found.columns)
        rows = found.rows([*(column for pair in pairs for column in pair), *about.values(), *telling])
        check = Check(found, rows, options.on_error)
        dataset = _data_sets([rows.columns[column] for column in telling], named=bool(options.dataset))
        refuse_without_data_set(check, dataset, " and ".join(telling))
        names = sorted({label for name, _ in pairs for label in rows.columns[name].labels})
        place = {name: code for code, name in enumerate(names)}
        systems, ranks = [], []
        for name, rank in pairs:
            column = rows.columns[name]
            lookup = np.array([*(place[label] for label in column.labels), MISSING], dtype=np.int64)
            systems.append(lookup[column.codes])
            given = numbers(rows.columns[rank])
            check.refuse(
                "bad rank", given.wrong, "the rank {0} is not a finite number",
                "Ranks are 1 (best) to 5; −1 is not ranked.", [rank],
            )  # fmt: skip
            ranks.append(np.where(given.values == -1, np.nan, given.values))
        system, value = np.stack(systems, axis=1), np.stack(ranks, axis=1)
        ranked = ~np.isnan(value)
        unnamed = np.count_nonzero(ranked & (system == MISSING), axis=1) > 0
        check.refuse("missing name", unnamed, "a ranked system has no name", "Every rank needs a system: fill it in.")
        key = np.arange(len(system))[:, None] * (len(names) + 1) + system
        twice = np.count_nonzero(repeats(key.ravel(), ranked.ravel()).reshape(key.shape), axis=1) > 0
        check.refuse(
            "duplicate entry", twice, "a system is ranked twice in one ranking",
            "A system has one rank per ranking: remove one of them.",
        )  # fmt: skip
        kept = np.flatnonzero(~check.bad)
        ranking, slot = np.nonzero(ranked[kept])
        described = {role: rows.columns[column].take(kept) for role, column in about.items()}
        named = system[kept][ranking, slot]
        part = np.zeros(len(system), dtype=np.int64)
        if dataset is not None:
            described["dataset"], part = dataset.take(kept), dataset.codes
        short, codes = _short_names(names, named, part[kept][ranking])
        return build(
            check,
            short,
            (ranking, codes, value[kept][ranking, slot]),
            np.ones(len(kept)),
            about=described,
            dataset=dataset,
            divided_by=telling[0] if telling else "dataset",
            reading=Reading.of(
                self.name,
                {"systems and ranks": [column for pair in pairs for column in pair], **about, "dataset": telling},
                found.columns,
            ),
        )

    def example(self, folder: Path) -> Any:
        """Return two rankings of three systems."""
        del folder
        return {
            "srclang": ["fra", "fra"], "trglang": ["eng", "eng"], "segmentId": [7, 8], "judgeId": ["ann", "bob"],
            "system1Id": ["set.fr-en.owl", "set.fr-en.yak"], "system1rank": [1, 1],
            "system2Id": ["set.fr-en.yak", "set.fr-en.owl"], "system2rank": [2, 3],
            "system3Id": ["set.fr-en.elk", "set.fr-en.elk"], "system3rank": [2, -1],
        }  # fmt: skip


def _slots(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the (name, rank) columns of each slot; empty when the table is not in this layout."""
    by_lower = {column.lower(): column for column in columns}
    numbers_found = sorted(
        int(match[1])
        for name in by_lower
        if (match := re.fullmatch(r"system(\d+)rank", name)) and f"system{match[1]}id" in by_lower
    )
    return [(by_lower[f"system{n}id"], by_lower[f"system{n}rank"]) for n in numbers_found]


def _described(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns that name the segment and the judge."""
    by_lower = {column.lower(): column for column in columns}
    found = {role: next((by_lower[name] for name in names if name in by_lower), None) for role, names in _ABOUT.items()}
    return {role: column for role, column in found.items() if column}


def _language_pair(columns: Sequence[str]) -> list[str]:
    by_lower = {column.lower(): column for column in columns}
    return [by_lower[name] for name in _PAIR if name in by_lower]


def _data_sets(columns: Sequence[Coded], *, named: bool) -> Coded | None:
    """Return the data set of every row, None where there is one language pair only and nobody asked for data sets."""
    if not columns:
        return None
    if named:
        return columns[0]
    texts = zip(*(column.texts() for column in columns), strict=True)
    pairs = Coded.of(["-".join(text for text in pair if text) for pair in texts])
    return pairs if len(pairs.labels) > 1 else None


def _short_names(names: Sequence[str], system: IntArray, dataset: IntArray) -> tuple[list[str], IntArray]:
    """Drop in every data set what all its names begin with; return all short names and the code of every entry."""
    short: list[str] = []
    codes = np.empty(len(system), dtype=np.int64)
    for part in np.unique(dataset):
        rows = dataset == part
        used, place = np.unique(system[rows], return_inverse=True)
        codes[rows] = len(short) + place
        short += _without_prefix([names[code] for code in used])
    return short, codes


def _without_prefix(names: Sequence[str]) -> list[str]:
    split = [name.split(".") for name in names]
    shared = 0
    while len(names) > 1 and all(len(parts) > shared + 1 and parts[shared] == split[0][shared] for parts in split):
        shared += 1
    return [".".join(parts[shared:]) for parts in split]


FORMAT = WmtFormat()
