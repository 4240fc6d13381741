"""What formats of other tools share: which files are theirs, and from what they hold to evidence."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.arrays import BoolArray
from betterthan.engine.memory import MemoryTable
from betterthan.engine.table import Coded, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.direction import Directions
from betterthan.evidence.evidence import Kind
from betterthan.evidence.format import AnyEvidence, Recognition
from betterthan.evidence.formats.rankings_long import FORMAT as RANKINGS
from betterthan.evidence.formats.scores_long import read_entries
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.opening import open_table
from betterthan.evidence.outcomes import parse_map
from betterthan.evidence.places import PlacedFile, Places
from betterthan.evidence.reading import Reading
from betterthan.findings import Finding
from betterthan.findings.reading import BOARDS_LEFT_OUT, FILES_IGNORED
from betterthan.options.read import ReadOptions
from betterthan.spelling import option

#: How sure a tool's format is of a file with the keys that only this tool writes.
CERTAIN = 0.95
#: What reading a value of another type, or one that is not there, raises.
_ANOTHER_LAYOUT = (AttributeError, IndexError, KeyError, TypeError, ValueError)
_SCORE_ROLES = ("dataset", "metric", "item", "system", "repeat", "group", "judge")
_JUDGMENT_ROLES = ("left", "right", "outcome", "item", "judge", "ranking", "weight", "time", "dataset")


@dataclass(frozen=True)
class Told:
    """What a tool's files hold, as columns named by role, and what to know about it.

    Scores: dataset, metric, item, system, score, perhaps repeat, group, judge. Judgments: left, right, outcome (left,
    tie, right, or a share of the left side from 0 to 1), perhaps item, judge, ranking, weight, time, dataset. Rankings:
    ranking, system, rank, perhaps item, judge, dataset. Further columns can be used to choose rows.
    """

    columns: Mapping[str, Any]
    lower: Mapping[tuple[str, str], bool] = field(default_factory=dict)  # what files say of data set and metric
    findings: tuple[Finding, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)  # the tool's own names, by role
    ignored: tuple[str, ...] = ()


class ToolFormat(ABC):
    """Files and folders of one tool; a subclass says which files are its own and what they hold."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    about: ClassVar[str]
    takes: ClassVar[Literal["places"]] = "places"
    surest: ClassVar[float] = CERTAIN

    @property
    def uses(self) -> frozenset[str]:
        """Options that choose among what the files hold."""
        shared = {"where", "on_error"}
        if self.kind == "scores":
            return frozenset({*shared, "score", "dataset", "lower_is_better", "standardise"})
        return frozenset({*shared, "dataset", *({"outcomes"} if self.kind == "judgments" else ())})

    @abstractmethod
    def claims(self, file: PlacedFile) -> bool:
        """Say whether a file certainly holds evidence in this format."""

    def belongs(self, file: PlacedFile) -> bool:
        """Say whether a file is the tool's own although it holds no evidence, such as a summary."""
        del file
        return False

    @abstractmethod
    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> Told:
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
        return Recognition(CERTAIN, f"{mine[0].name}{f' and {len(mine) - 1} more' if len(mine) > 1 else ''}")

    def read(self, found: Places, options: ReadOptions) -> AnyEvidence:
        """Read its own files, and name those that are not."""
        mine = [file for file in found if _says(self.claims, file)]
        if not mine:
            raise EvidenceError(f"there is no file of {self.name} ({self.about})", where=found.title,
                                remedy=f"Leave out {option('format')}.")  # fmt: skip
        own = {*mine}
        others = [file for file in found if file not in own and not _says(self.belongs, file)]
        if (odd := next((file for file in others if file.given), None)) is not None:
            raise EvidenceError(
                f"is not a file of {self.name}, as {mine[0].name} is", where=odd.name,
                remedy="Give files of one tool at a time.",
            )  # fmt: skip
        told = self._loaded(mine, found, options)
        if others:
            shown = ", ".join(file.name for file in others[:5]) + (" …" if len(others) > 5 else "")
            ignored = FILES_IGNORED.found(number=len(others), files=shown)
            told = replace(told, findings=(*told.findings, ignored))
        evidence = self._evidence(told, found, options)
        reading = Reading(
            self.name, told.used, told.ignored, tuple(file.name for file in others),
            findings=(*told.findings, *(evidence.reading.findings if evidence.reading else ())),
        )  # fmt: skip
        return replace(evidence, reading=reading)

    def _loaded(self, mine: Sequence[PlacedFile], found: Places, options: ReadOptions) -> Told:
        """Load files, and refuse those in which something has another place or type than the tool gives it."""
        try:
            told = self.load(mine, found, options)
            if self.kind != "scores":
                return told
            return _comparable(_chosen(told, options.score, found.title) if options.score else told)
        except _ANOTHER_LAYOUT as error:
            raise EvidenceError(
                f"not every file is laid out as {self.name} writes it ({type(error).__name__}: {_line(error)})",
                where=found.title, remedy="Check whether the files are complete, or write them again.",
            ) from None  # fmt: skip

    def _evidence(self, told: Told, found: Places, options: ReadOptions) -> AnyEvidence:
        table: Table = open_table(MemoryTable.of(told.columns, found.title), where=options.where)
        roles = {name: name for name in table.columns if name != "dataset" or options.dataset != "none"}
        if self.kind == "scores":
            known = {role: role for role in _SCORE_ROLES if role in roles}
            directions = Directions(options.lower_is_better, told.lower)
            return read_entries(table, known, ["score"], options, directions, self.name)
        if self.kind == "rankings":
            return RANKINGS.read(table, replace(options, format=None, where=None))
        named = {role: role for role in _JUDGMENT_ROLES if role in roles}
        return Judgments(table, named, (), parse_map(options.outcomes), options.on_error)


def _says(test: Callable[[PlacedFile], bool], file: PlacedFile) -> bool:
    """Ask about a file; what has another layout is none of the tool's."""
    try:
        return test(file)
    except _ANOTHER_LAYOUT:
        return False


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:100]


def _comparable(told: Told) -> Told:
    """Leave out boards of one system or one item, where others have more: systems and metrics differ in their tasks."""
    named = [_plain(told.columns[name]) for name in ("dataset", "metric") if name in told.columns]
    boards = list(zip(*named, strict=True))
    held = {role: defaultdict[tuple[Any, ...], set[Any]](set) for role in ("system", "item")}
    present = [score == score for score in told.columns["score"]]  # noqa: PLR0124 (NaN: the score is missing)
    for role, known in held.items():
        for board, value, there in zip(boards, _plain(told.columns[role]), present, strict=False):
            values = known[board]
            if there:
                values.add(value)
    single = {role: {board for board in known if len(known[board]) < 2} for role, known in held.items()}
    single["item"] -= single["system"]
    out = single["system"] | single["item"]
    if not out or len(out) == len(held["system"]):
        return told
    findings = [
        BOARDS_LEFT_OUT.found(number=len(each), boards=_titles(each), why=role) for role, each in single.items() if each
    ]
    keep = np.fromiter((board not in out for board in boards), dtype=bool, count=len(boards))
    return replace(told, columns=_kept(told.columns, keep), findings=(*told.findings, *findings))


def _titles(boards: Iterable[Sequence[Any]]) -> str:
    titles = sorted(" ".join(str(word) for word in board if word is not None) for board in boards)
    return ", ".join(titles[:5]) + (" …" if len(titles) > 5 else "")


def _plain(values: Any) -> Any:
    return values.texts() if isinstance(values, Coded) else values


def _kept(columns: Mapping[str, Any], keep: BoolArray) -> dict[str, Any]:
    return {
        name: values.take(keep) if isinstance(values, Coded) else np.asarray(values, dtype=object)[keep]
        for name, values in columns.items()
    }


def _chosen(told: Told, metrics: Sequence[str], where: str) -> Told:
    """Keep the scores of some metrics."""
    if "metric" not in told.columns:
        raise EvidenceError("there is one metric only", where=where, remedy=f"Leave out {option('score')}.")
    metric = _plain(told.columns["metric"])
    known = sorted({*metric})
    if unknown := [name for name in metrics if name not in known]:
        raise EvidenceError(f"there is no metric {unknown[0]!r}", where=where, allowed=", ".join(known[:20]))
    return replace(told, columns=_kept(told.columns, np.isin(metric.astype(str), metrics)))
