"""The base class of formats whose files hold one record per item: its scores by metric, perhaps its system."""

import math
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.formats.scores_by_file import short_names
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_COLUMNS = ("dataset", "system", "metric", "item", "repeat", "score")
_Run = tuple[PlacedFile, str, str]  # with system and data set
_Row = tuple[str | None, str, str, str, str, float]


@dataclass(frozen=True)
class Record:
    """The scores of one system on one item, by metric: numbers, true, false, or None where one is missing."""

    item: str
    scores: Mapping[str, Any]
    system: str = ""  # where empty, the file's name
    dataset: str = ""
    repeat: str = ""  # where empty, records of one item are counted
    unanswered: bool = False  # there is no answer, which counts as wrong


class RecordFormat(ToolFormat):
    """Files of records; a subclass says which files are its own, and yields their records.

    Files of one system that share items are runs of their own, unless `trials` says that they repeat each other.
    """

    kind: ClassVar[Kind] = "scores"
    used: ClassVar[Mapping[str, str]]  # the tool's own names, by role
    ignored: ClassVar[tuple[str, ...]] = ()
    missing: ClassVar[str] = "the score is null"
    no_answer: ClassVar[str] = "there is none"
    lower: ClassVar[Mapping[str, bool]] = {}  # whether less is better, by metric
    trials: ClassVar[bool] = False

    @abstractmethod
    def records(self, file: PlacedFile) -> Iterator[Record]:
        """Yield the records of a file."""

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every score of every record; records of an item that occur again are repeats."""
        del places, options
        called = short_names([file.name for file in files])
        every = [(file, record) for file in files for record in self.records(file)]
        found = [(file, record) for file, record in every if record.scores]
        if not found:
            raise EvidenceError("the files hold no scores", where=files[0].name, remedy="Check whether it was scored.")
        runs = [(file, record.system or called[file.name], record.dataset) for file, record in found]
        named = [(run, record.item) for run, (_, record) in zip(runs, found, strict=True)]
        systems = _systems(named, together=self.trials)
        again, rows = Counter[tuple[str, ...]](), list[_Row]()
        for (file, record), run in zip(found, runs, strict=True):
            key = (systems[run], record.dataset, record.item, record.repeat)
            again[key] += 1
            repeat = " ".join(word for word in (record.repeat, str(again[key])) if word)
            where = f"{file.name}, {record.item}"
            rows += [
                (record.dataset or None, systems[run], metric, record.item, repeat, number(value, metric, where))
                for metric, value in record.scores.items()
            ]
        grown = GrowingColumns()
        grown.add(**dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)))
        columns = grown.columns()
        lower = {(dataset or "", metric): self.lower[metric] for dataset, _, metric, *_ in rows if metric in self.lower}
        findings = []
        if missing := sum(math.isnan(score) for *_, score in rows) + len(every) - len(found):
            findings.append(kinds.reading.UNSCORED.found(number=missing, why=self.missing))
        if unanswered := sum(record.unanswered for _, record in found):
            findings.append(kinds.reading.UNANSWERED.found(number=unanswered, why=self.no_answer))
        return ToolEvidence(columns, lower, tuple(findings), self.used, self.ignored)


def _systems(found: Sequence[tuple[_Run, str]], *, together: bool) -> dict[_Run, str]:
    """Name the system of every run; runs of one system and data set are distinguished where they share an item."""
    items = defaultdict[_Run, set[str]](set)
    for run, item in found:
        items[run].add(item)
    once = list(items)
    names = [system for _, system, _ in once]
    if not together:
        of_one = defaultdict[tuple[str, str], list[set[str]]](list)
        for run in once:
            of_one[run[1:]].append(items[run])
        shared = {key for key, each in of_one.items() if sum(map(len, each)) > len(set[str]().union(*each))}
        tasks = [run[2] if run[1:] in shared else run for run in once]
        names = distinct_names(names, tasks, [file.folder for file, *_ in once], [file.name for file, *_ in once])
    return dict(zip(once, names, strict=True))
