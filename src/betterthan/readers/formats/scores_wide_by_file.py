"""One file per metric or data set, each with a row per item and a column per system."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import FILE, FileTable, MemoryTable, Table
from betterthan.evidence import Kind, Reading, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.known_names import mostly_systems
from betterthan.readers.columns.metric_names import is_metric
from betterthan.readers.columns.plausible_scores import plausible
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import look
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_by_file import shared_items, short_names
from betterthan.readers.formats.scores_long import read_entries

_ROLES = {role: role for role in ("item", "system", "metric")}


class MetricFilesFormat:
    """Several files with the same items in rows and the same systems in columns: every file is a metric."""

    name: ClassVar[str] = "scores-wide-by-file"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one file per metric: a row per item and a column of scores per system"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"item", "systems", "lower_is_better", "missing_codes"})
    surest: ClassVar[float] = 0.7

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for the same items in several files with columns of known systems, or with names of metrics."""
        if not isinstance(found, FileTable) or len(found.opened.files) < 2 or options.score or options.system:
            return None
        columns = Columns.of(found, options, self.uses)
        item = columns.role("item", options.item)
        if item is None or columns.role("system") or columns.role("score") or columns.sides():
            return None
        systems = look(found, options).systems
        files = short_names([file.name for file in found.opened.files]).values()
        named = options.systems or mostly_systems(systems) or all(map(is_metric, files))
        if len(systems) < 2 or not named or (not options.systems and any(map(is_metric, systems))):
            return None
        return Recognition(0.7, "a column per system in every file") if shared_items(found, item) else None

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every file as a metric, called like the file."""
        columns = Columns.of(found, options, self.uses)
        item = columns.role("item", options.item)
        if item is None or not isinstance(found, FileTable):
            raise EvidenceError(
                f"needs several files, each with a column of items; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('item')}.",
            )
        systems = look(found, options).systems
        rows = found.rows([item, FILE], systems)
        called = short_names([file.name for file in found.opened.files])
        items, files = rows.columns[item].texts(), [called[name] for name in rows.columns[FILE].texts()]
        long = MemoryTable.of(
            {
                "item": np.tile(items, len(systems)),
                "system": np.repeat(np.array(systems, dtype=object), len(items)),
                "metric": files * len(systems),
                "score": np.concatenate([rows.numbers[name] for name in systems]),
            },
            found.name,
        )
        scores = read_entries(long, _ROLES, ["score"], options, Directions(options.lower_is_better), self.name)
        told = {"item": item, "systems": systems, "metric": "the file's name"}
        findings = scores.reading.findings if scores.reading else ()
        return plausible(replace(scores, reading=Reading.of(self.name, told, found.columns, findings)), options)

    def example(self, folder: Path) -> Any:
        """Write a file for each of two metrics."""
        for metric, rows in (("bleu", ("i1,30.5,20", "i2,12,10")), ("chrf", ("i1,60,50.5", "i2,40,45"))):
            (folder / f"{metric}.csv").write_text("\n".join(["item,owl,yak", *rows]))
        return [str(folder / "bleu.csv"), str(folder / "chrf.csv")]


FORMAT = MetricFilesFormat()
