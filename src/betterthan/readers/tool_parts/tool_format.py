"""The base class of formats of other tools: which files are theirs, and how to read them."""

import csv
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import BoolArray, EvidenceError, IntArray, spelling
from betterthan.engine import Coded, MemoryTable, PlacedFile, Places, Table
from betterthan.evidence import Judgments, Kind, Reading, outcomes
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.format import AnyEvidence, Format, Recognition
from betterthan.readers.formats.rankings_long import FORMAT as RANKINGS
from betterthan.readers.formats.scores_long import read_entries
from betterthan.readers.open_tables import open_table

#: How sure a tool's format is of a file with the keys that only this tool writes.
CERTAIN = 0.95
#: Exceptions raised by reading a missing value or one of another type.
_ANOTHER_LAYOUT = (AttributeError, LookupError, TypeError, ValueError, csv.Error)
#: A board needs two of each.
_COMPARED = ("system", "item")
_SCORE_ROLES = ("dataset", "metric", "item", "system", "repeat", "group", "judge")
_JUDGMENT_ROLES = ("left", "right", "outcome", "item", "judge", "ranking", "weight", "time", "dataset")


@dataclass(frozen=True)
class ToolEvidence:
    """The content of a tool's files, as columns named by role, with findings.

    Scores: data set, metric, item, system, score, perhaps repeat, group, judge. Judgments: left, right, outcome (left,
    tie, right, or a share of the left side from 0 to 1), perhaps item, judge, ranking, weight, time, data set.
    Rankings: ranking, system, rank, perhaps item, judge, data set. Further columns can be used to choose rows.
    """

    columns: Mapping[str, Any]
    lower: Mapping[tuple[str, str], bool] = field(default_factory=dict)  # what files say about data set and metric
    findings: tuple[Finding, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)  # the tool's own names, by role
    ignored: tuple[str, ...] = ()


class ToolFormat(ABC):
    """Files and folders of one tool; a subclass says which files it reads and how."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    about: ClassVar[str]
    takes: ClassVar[Literal["places"]] = "places"
    ranked_as: ClassVar[Format] = RANKINGS  # the format of tables that reads columns of rankings
    surest: ClassVar[float] = CERTAIN
    watched: ClassVar[bool] = False  # results are read while judgments come in

    @property
    def uses(self) -> frozenset[str]:
        """Options that choose among what the files hold."""
        shared = {"where", "on_error"}
        if self.kind == "scores":
            return frozenset({*shared, "score", "dataset", "lower_is_better", "reduce", "standardise"})
        return frozenset({*shared, "dataset", *({"outcomes"} if self.kind == "judgments" else ())})

    @abstractmethod
    def claims(self, file: PlacedFile) -> bool:
        """Return whether a file certainly holds evidence in this format."""

    def belongs(self, file: PlacedFile) -> bool:
        """Return whether a file is the tool's own although it holds no evidence, such as a summary."""
        del file
        return False

    @abstractmethod
    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the files that it claims; those that belong to it are among the places."""

    @abstractmethod
    def example(self, folder: Path) -> Any:
        """Write something small to read into a folder, and return its path."""

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Look for files that are certainly its own."""
        del options
        mine = [file for file in found if _says(self.claims, file)]
        if not mine:
            return None
        return Recognition(self.surest, f"{mine[0].name}{f' and {len(mine) - 1} more' if len(mine) > 1 else ''}")

    def read(self, found: Places, options: ReadOptions) -> AnyEvidence:
        """Read its own files, and name those that are not."""
        mine = [file for file in found if _says(self.claims, file)]
        if not mine:
            raise EvidenceError(
                f"there is no file of {self.name} ({self.about})",
                where=found.title,
                remedy=f"Leave out {spelling.option('format')}.",
            )
        own = {*mine}
        others = [file for file in found if file not in own and not _says(self.belongs, file)]
        if (odd := next((file for file in others if file.given), None)) is not None:
            raise EvidenceError(
                f"is not a file of {self.name}, as {mine[0].name} is",
                where=odd.name,
                remedy="Give files of one tool at a time.",
            )
        told = self._loaded(mine, found, options)
        if others:
            shown = ", ".join(file.name for file in others[:5]) + (" …" if len(others) > 5 else "")
            ignored = kinds.reading.FILES_IGNORED.found(number=len(others), files=shown)
            told = replace(told, findings=(*told.findings, ignored))
        evidence = self._evidence(told, found, options)
        reading = Reading(
            self.name,
            told.used,
            told.ignored,
            tuple(file.name for file in others),
            findings=(*told.findings, *(evidence.reading.findings if evidence.reading else ())),
            watched=self.watched,
        )
        return replace(evidence, reading=reading)

    def _loaded(self, mine: Sequence[PlacedFile], found: Places, options: ReadOptions) -> ToolEvidence:
        """Load files, and refuse those in which something has another place or type than the tool gives it."""
        try:
            told = self.load(mine, found, options)
            if self.kind != "scores":
                return told
            return _comparable(_chosen(told, options.score, found.title) if options.score else told)
        except _ANOTHER_LAYOUT as error:
            raise EvidenceError(
                f"not every file is laid out as {self.name} writes it ({type(error).__name__}: {_line(error)})",
                where=found.title,
                remedy="Check whether the files are complete, or write them again.",
            ) from None

    def _evidence(self, told: ToolEvidence, found: Places, options: ReadOptions) -> AnyEvidence:
        table: Table = open_table(MemoryTable.of(told.columns, found.title), where=options.where)
        roles = {name: name for name in table.columns if name != "dataset" or options.dataset != "none"}
        if self.kind == "scores":
            known = {role: role for role in _SCORE_ROLES if role in roles}
            directions = Directions(options.lower_is_better, told.lower)
            return read_entries(table, known, ["score"], options, directions, self.name)
        if self.kind == "rankings":
            return self.ranked_as.read(table, replace(options, format=None, where=None))
        named = {role: role for role in _JUDGMENT_ROLES if role in roles}
        return Judgments(table, named, (), outcomes.parse_map(options.outcomes), options.on_error)


def _says(test: Callable[[PlacedFile], bool], file: PlacedFile) -> bool:
    """Ask about a file; other layouts are not the tool's."""
    try:
        return test(file)
    except _ANOTHER_LAYOUT:
        return False


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:100]


def _comparable(told: ToolEvidence) -> ToolEvidence:
    """Leave out boards of one system or one item, where others have more: systems and metrics differ in their tasks."""
    named = [_coded(told.columns[name]) for name in ("dataset", "metric") if name in told.columns]
    if not named:
        return told
    key = np.zeros(len(named[0].codes), dtype=np.int64)
    for column in named:
        key = key * (len(column.labels) + 1) + column.codes + 1
    _, first, board = np.unique(key, return_index=True, return_inverse=True)
    there = ~np.isnan(np.asarray(told.columns["score"], dtype=np.float64))
    few = {role: _distinct(board[there], _coded(told.columns[role]).codes[there], len(first)) < 2 for role in _COMPARED}
    few["item"] &= ~few["system"]
    out = few["system"] | few["item"]
    if not np.any(out) or np.all(out):
        return told
    titles = [" ".join(word for column in named if (word := column.texts()[row]) is not None) for row in first]
    findings = [
        kinds.reading.BOARDS_LEFT_OUT.found(number=int(np.sum(which)), boards=_listed(titles, which), why=role)
        for role, which in few.items()
        if np.any(which)
    ]
    return replace(told, columns=_kept(told.columns, ~out[board]), findings=(*told.findings, *findings))


def _distinct(board: IntArray, codes: IntArray, boards: int) -> IntArray:
    """Count the distinct values on every board."""
    pairs = np.unique(np.stack([board, codes]), axis=1)[0]
    return np.bincount(pairs, minlength=boards)


def _listed(titles: Sequence[str], which: BoolArray) -> str:
    chosen = sorted(title for title, wanted in zip(titles, which, strict=True) if wanted)
    return ", ".join(chosen[:5]) + (" …" if len(chosen) > 5 else "")


def _coded(values: Any) -> Coded:
    return values if isinstance(values, Coded) else Coded.of(values)


def _kept(columns: Mapping[str, Any], keep: BoolArray) -> dict[str, Any]:
    return {
        name: values.take(keep) if isinstance(values, Coded) else np.asarray(values)[keep]
        for name, values in columns.items()
    }


def _chosen(told: ToolEvidence, metrics: Sequence[str], where: str) -> ToolEvidence:
    """Keep the scores of some metrics."""
    if "metric" not in told.columns:
        raise EvidenceError("there is one metric only", where=where, remedy=f"Leave out {spelling.option('score')}.")
    metric = _coded(told.columns["metric"])
    if unknown := [name for name in metrics if name not in metric.labels]:
        raise EvidenceError(f"there is no metric {unknown[0]!r}", where=where, allowed=", ".join(metric.labels[:20]))
    keep = np.isin(metric.codes, [metric.labels.index(name) for name in metrics])
    return replace(told, columns=_kept(told.columns, keep))
