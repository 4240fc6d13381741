"""The base class of formats that are tables with columns which only one tool writes."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from betterthan.base import EvidenceError, spelling
from betterthan.engine import FILE, FileTable, Table
from betterthan.evidence import Kind, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_by_file import short_names
from betterthan.readers.formats.scores_long import read_entries


class ColumnFormat:
    """A row per score or per item, with columns that only this tool writes; a subclass declares them."""

    name: ClassVar[str]
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str]
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"group", "lower_is_better", "standardise"})
    surest: ClassVar[float] = 1.0
    keys: ClassVar[frozenset[str]]  # columns by which it is recognised
    roles: ClassVar[Mapping[str, str]]  # columns by role; those that the table lacks are left out
    metrics: ClassVar[Sequence[str]]  # columns of scores
    lower: ClassVar[Mapping[str, bool]] = {}  # whether less is better, by metric
    by_file: ClassVar[bool] = False  # every file is a system

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for its columns; those named otherwise are for other formats."""
        named = options.system or options.systems or options.item or options.score or options.metric
        if named or not self._fits(found):
            return None
        return Recognition(self.surest, f"columns {', '.join(sorted(self.keys))}")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every column of scores as a metric."""
        columns = Columns.of(found, options)
        if not self._fits(found):
            raise EvidenceError(
                f"there are no {'files with ' if self.by_file else ''}columns {', '.join(sorted(self.keys))}; "
                f"its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Leave out {spelling.option('format')}.",
            )
        roles = {role: name for role, name in self.roles.items() if name in found.columns}
        roles |= {"group": columns.given(options.group)} if options.group else {}
        called = None
        if self.by_file and isinstance(found, FileTable):
            called = short_names([file.name for file in found.opened.files])
            roles["system"] = FILE
        directions = Directions(options.lower_is_better, self.directions(found))
        return read_entries(found, roles, self.metrics, options, directions, self.name, called)

    def _fits(self, found: Table) -> bool:
        return self.keys <= set(found.columns) and (not self.by_file or isinstance(found, FileTable))

    def directions(self, found: Table) -> Mapping[tuple[str, str], bool]:
        """Return for which data sets and metrics less is better, where the tool says so."""
        del found
        return {("", metric): less for metric, less in self.lower.items()}
