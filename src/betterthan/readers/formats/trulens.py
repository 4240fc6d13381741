"""Records of TruLens: a row per app, version and input, a column per feedback function."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import Table
from betterthan.evidence import Kind, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.score_columns import scored_columns
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_long import read_entries

_KEYS = frozenset({"app_name", "app_version", "record_id", "input"})
_SYSTEM = "app_name+app_version"


class TruLensFormat:
    """What get_records_and_feedback returns; every version of an app is a system."""

    name: ClassVar[str] = "trulens"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "TruLens' records: app_name, app_version, record_id, input, a column per feedback function"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"item", "score", "group", "lower_is_better"})
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for its columns; those named otherwise are for other formats."""
        if not set(found.columns) >= _KEYS or options.system or options.systems:
            return None
        return Recognition(1.0, "columns app_name, app_version and record_id")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every feedback function as a metric, and records of the same input as repeats."""
        columns = Columns.of(found, options)
        table = found.derived(_SYSTEM)
        if table is None or not set(found.columns) >= _KEYS:
            raise EvidenceError(
                f"there are no columns {', '.join(sorted(_KEYS))}; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Leave out {spelling.option('format')}.",
            )
        item = columns.given(options.item) if options.item else "input"
        feedback = [name for name in found.columns if f"{name}_calls" in found.columns]
        # Costs and times are next to the feedback of versions that write no calls.
        metrics = (
            feedback
            if feedback and not options.score
            else scored_columns(table, columns, options, [*_KEYS, _SYSTEM, item])
        )
        if not metrics:
            raise EvidenceError(
                f"there is no column of feedback; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('score')}.",
            )
        roles = {"item": item, "system": _SYSTEM}
        roles |= {"group": columns.given(options.group)} if options.group else {}
        rows = table.rows([item, _SYSTEM]).columns
        codes = np.stack([rows[item].codes, rows[_SYSTEM].codes])
        if np.unique(codes, axis=1).shape[1] < codes.shape[1]:
            roles["repeat"] = "record_id"
        return read_entries(table, roles, metrics, options, Directions(options.lower_is_better), self.name)

    def example(self, folder: Path) -> Any:
        """Return the records of two versions of an app on two inputs."""
        del folder
        return {
            "app_name": ["bot"] * 4,
            "app_version": ["v1", "v1", "v2", "v2"],
            "record_id": ["r1", "r2", "r3", "r4"],
            "input": ["question 1", "question 2"] * 2,
            "output": ["a", "b", "c", "d"],
            "latency": [1, 2, 1, 2],
            "Groundedness": [0.5, 0.75, 1.0, 0.5],
            "Groundedness_calls": ["[]"] * 4,
        }


FORMAT = TruLensFormat()
