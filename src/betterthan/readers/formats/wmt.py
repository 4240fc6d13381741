"""The layout of the WMT shared tasks: five systems per row, system1Id … system5rank, −1 for not ranked."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray
from betterthan.engine import MISSING, Coded, Table
from betterthan.evidence import Check, Kind, Rankings, Reading, text_numbers
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import build, refuse_without_data_set, repeats
from betterthan.readers.columns.roles import Columns
from betterthan.readers.format import Recognition

_ABOUT = {"item": ("segmentid", "srcindex"), "judge": ("judgeid",), "ranking": ("rankingid",)}
#: The language pair, which separates the data sets of one file.
_PAIR = ("srclang", "trglang")


class WmtFormat:
    """Up to five systems with their ranks in one row; every language pair is a data set.

    From 2014 on there are also files of pairs: rows with one rankingID are one ranking.
    """

    name: ClassVar[str] = "wmt"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "WMT's rankings: system1Id, system1rank … in one row, or pairs of one rankingID in several"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"item", "judge", "ranking", "dataset"})
    surest: ClassVar[float] = 0.9

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for the columns of at least one slot."""
        del options
        return Recognition(0.9, "columns system1Id, system1rank …") if _slots(found.columns) else None

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as a ranking; what all names of a data set begin with (test set, languages) is dropped."""
        pairs = _slots(found.columns)
        columns = Columns.of(found, options, self.uses)
        if not pairs:
            raise EvidenceError(
                f"there are no columns system1Id and system1rank; its columns are {columns.listed()}", where=found.name
            )
        about = _described(found.columns)
        about |= {role: columns.given(name) for role in _ABOUT if (name := getattr(options, role))}
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
            given = text_numbers.numbers(rows.columns[rank])
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
        check.refuse("missing name", unnamed, "a ranked system has no name", "Every rank needs a system: fill it in.")
        key = np.arange(len(system))[:, None] * (len(names) + 1) + system
        twice = np.count_nonzero(repeats(key.ravel(), ranked.ravel()).reshape(key.shape), axis=1) > 0
        check.refuse(
            "duplicate entry",
            twice,
            "a system is ranked twice in one ranking",
            "A system has one rank per ranking: remove one of them.",
        )
        part = np.zeros(len(system), dtype=np.int64) if dataset is None else dataset.codes
        whole = _whole(check, part, rows.columns[about["ranking"]]) if "ranking" in about else np.arange(len(system))
        _refuse_contradictions(check, whole, system, value)
        kept = np.flatnonzero(~check.bad)
        row, slot = np.nonzero(ranked[kept])
        _, first, of = np.unique(whole[kept], return_index=True, return_inverse=True)
        ranking, named, given_rank = _alone(of.ravel()[row], system[kept][row, slot], value[kept][row, slot], names)
        described = {role: rows.columns[column].take(kept[first]) for role, column in about.items()}
        if dataset is not None:
            described["dataset"] = dataset.take(kept[first])
        short, codes = _short_names(*named, part[kept[first]][ranking])
        return build(
            check,
            short,
            (ranking, codes, given_rank),
            np.ones(len(first)),
            about=described,
            rows=(kept, of.ravel()),
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
            "srclang": ["fra", "fra"],
            "trglang": ["eng", "eng"],
            "segmentId": [7, 8],
            "judgeId": ["ann", "bob"],
            "system1Id": ["set.fr-en.owl", "set.fr-en.yak"],
            "system1rank": [1, 1],
            "system2Id": ["set.fr-en.yak", "set.fr-en.owl"],
            "system2rank": [2, 3],
            "system3Id": ["set.fr-en.elk", "set.fr-en.elk"],
            "system3rank": [2, -1],
        }


def _whole(check: Check, part: IntArray, ranking: Coded) -> IntArray:
    """Return the ranking of every row; data sets may number theirs alike."""
    check.refuse(
        "missing ranking",
        ranking.codes == MISSING,
        "the ranking's id is missing",
        "Every row belongs to a ranking: fill it in.",
    )
    codes: IntArray = part * (len(ranking.labels) + 1) + ranking.codes
    return codes


def _refuse_contradictions(check: Check, whole: IntArray, system: IntArray, value: FloatArray) -> None:
    """Refuse rows that give a system another rank than an earlier row of the same ranking does."""
    row, slot = np.nonzero(~np.isnan(value) & ~check.bad[:, None])
    key = whole[row] * (system.max(initial=0) + 2) + system[row, slot]
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    other = np.zeros(len(whole), dtype=bool)
    other[row[value[row, slot] != value[row, slot][first[of.ravel()]]]] = True
    check.refuse(
        "contradiction",
        other,
        "a system has another rank in the same ranking",
        "A system has one rank per ranking: correct one of the rows.",
    )


def _alone(
    ranking: IntArray, system: IntArray, rank: FloatArray, names: Sequence[str]
) -> tuple[IntArray, tuple[list[str], IntArray], FloatArray]:
    """Return every entry once, and a system each where one slot names several with identical outputs."""
    known = dict.fromkeys(part for name in names for part in _parts(name, names))
    place = {name: code for code, name in enumerate(known)}
    several = [[place[part] for part in _parts(name, names)] for name in names]
    again = np.array([len(several[code]) for code in system], dtype=np.int64)
    codes = np.array([code for each in system for code in several[each]], dtype=np.int64)
    ranking, rank = np.repeat(ranking, again), np.repeat(rank, again)
    _, first = np.unique(ranking * (len(known) + 1) + codes, return_index=True)
    first.sort()
    return ranking[first], (list(known), codes[first]), rank[first]


def _parts(name: str, names: Sequence[str]) -> list[str]:
    """Return the systems that a slot names; a plus may also belong to a name."""
    parts = [part.strip() for part in name.split(",") if part.strip()]
    if len(parts) == 1 and "+" in name and all(part in names for part in name.split("+")):
        return name.split("+")
    return parts or [name]


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
    """Return the data set of every row, None where there is one language pair only and nobody requested data sets."""
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
