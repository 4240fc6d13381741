"""What formats of other tools share: which files are theirs, and from what they hold to evidence."""

import csv
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.engine.memory import MemoryTable
from betterthan.engine.table import Coded, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.direction import Directions
from betterthan.evidence.evidence import Kind
from betterthan.evidence.format import AnyEvidence, Format, Recognition
from betterthan.evidence.formats.rankings_long import FORMAT as RANKINGS
from betterthan.evidence.formats.scores_long import read_entries
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.opening import open_table
from betterthan.evidence.outcomes import parse_map
from betterthan.evidence.places import PlacedFile, Places
from betterthan.evidence.reading import Reading
from betterthan.findings import Finding
from betterthan.findings.reading import FILES_IGNORED
from betterthan.options.read import ReadOptions
from betterthan.spelling import option

#: How sure a tool's format is of a file with the keys that only this tool writes.
CERTAIN = 0.95
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
    ranked_as: ClassVar[Format] = RANKINGS  # the format of tables that reads columns of rankings
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
        mine = [file for file in found if self.claims(file)]
        if not mine:
            return None
        return Recognition(CERTAIN, f"{mine[0].name}{f' and {len(mine) - 1} more' if len(mine) > 1 else ''}")

    def read(self, found: Places, options: ReadOptions) -> AnyEvidence:
        """Read its own files, and name those that are not."""
        mine = [file for file in found if self.claims(file)]
        if not mine:
            raise EvidenceError(f"there is no file of {self.name} ({self.about})", where=found.title,
                                remedy=f"Leave out {option('format')}.")  # fmt: skip
        others = [file for file in found if not self.claims(file) and not self.belongs(file)]
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

    def _loaded(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> Told:
        """Load the files; what lacks a key, or holds something else than the tool writes there, is refused."""
        try:
            return self.load(files, places, options)
        except (AttributeError, LookupError, TypeError, ValueError, csv.Error) as error:
            what = f"{type(error).__name__}: {error}"
            raise EvidenceError(
                f"does not have the layout of {self.name} throughout ({what[:200]})", where=places.title,
                remedy=f"Check whether the files are whole, or written by another version of {self.name}.",
            ) from error  # fmt: skip

    def _evidence(self, told: Told, found: Places, options: ReadOptions) -> AnyEvidence:
        table: Table = MemoryTable.of(told.columns, found.title)
        if self.kind == "scores" and options.score:
            table = MemoryTable.of(_chosen(table, told.columns, options.score), found.title)
        table = open_table(table, where=options.where)
        roles = {name: name for name in table.columns if name != "dataset" or options.dataset != "none"}
        if self.kind == "scores":
            known = {role: role for role in _SCORE_ROLES if role in roles}
            directions = Directions(options.lower_is_better, told.lower)
            return read_entries(table, known, ["score"], options, directions, self.name)
        if self.kind == "rankings":
            return self.ranked_as.read(table, replace(options, format=None, where=None))
        named = {role: role for role in _JUDGMENT_ROLES if role in roles}
        return Judgments(table, named, (), parse_map(options.outcomes), options.on_error)


def _chosen(table: Table, columns: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Any]:
    """Keep the scores of some metrics."""
    if "metric" not in columns:
        raise EvidenceError("there is one metric only", where=table.name, remedy=f"Leave out {option('score')}.")
    metric = table.rows(["metric"]).columns["metric"]
    if unknown := [name for name in metrics if name not in metric.labels]:
        known = ", ".join(metric.labels[:20])
        raise EvidenceError(f"there is no metric {unknown[0]!r}", where=table.name, allowed=known)
    keep = np.isin(metric.codes, [metric.labels.index(name) for name in metrics])
    kept = {}
    for name, values in columns.items():
        kept[name] = values.take(keep) if isinstance(values, Coded) else np.asarray(values)[keep]
    return kept
