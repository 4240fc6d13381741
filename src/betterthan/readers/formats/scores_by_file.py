"""One file per system: items with one or several metrics, the same items in every file."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import FILE, MISSING, FileTable, Table
from betterthan.evidence import Kind, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.metric_names import is_metric
from betterthan.readers.columns.plausible_scores import plausible
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.score_columns import scored_columns
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_long import read_entries
from betterthan.readers.open_tables import opened

#: Roles of columns that a file may have besides items and scores.
_OPTIONAL = ("dataset", "group", "repeat", "judge")


class ScoreFilesFormat:
    """Several files without a column of systems, in which the same items occur: every file is a system."""

    name: ClassVar[str] = "scores-by-file"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one file per system: a row per item, one or several columns of scores"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset(
        {"item", "score", "dataset", "group", "repeat", "reduce", "judge", "lower_is_better", "missing_codes"}
    )
    surest: ClassVar[float] = 0.65

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for items that occur in several files."""
        if not isinstance(found, FileTable) or len(found.opened.files) < 2 or options.systems or options.system:
            return None
        columns = Columns.of(found, options, self.uses)
        item = _item(columns, options)
        if item is None or columns.role("system") or columns.sides():
            return None
        if not scored_columns(found, columns, options, _others(options, item)) or not shared_items(found, item):
            return None
        return Recognition(0.65, f"the same values of {item} in several files")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every file as a system, called like the file."""
        return self.read_called(found, options)

    def read_called(self, found: Table, options: ReadOptions, called: Mapping[str, str] | None = None) -> Scores:
        """Read every file as a run of the system that `called` says, by default of one called like the file."""
        columns = Columns.of(found, options, self.uses)
        item = _item(columns, options)
        if item is None or not isinstance(found, FileTable):
            raise UnclearError(
                f"needs several files, each with a column of items; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('item')}.",
            )
        metrics = scored_columns(found, columns, options, _others(options, item))
        if not metrics:
            raise UnclearError(
                f"there is no column of scores; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('score')}.",
            )
        if not options.score and len(metrics) > 1 and not any(map(is_metric, metrics)):
            raise EvidenceError(
                f"the same values of {item} are in several files: their columns {', '.join(map(repr, metrics))} may be "
                "metrics of one system per file, or systems by one metric per file",
                where=found.name,
                remedy=f"If columns are metrics, name them: {spelling.option('score', metrics)}. "
                f"If they are systems: {spelling.option('systems', metrics)}.",
            )
        roles = {"item": item, "system": FILE}
        roles |= {role: columns.given(name) for role in _OPTIONAL if (name := getattr(options, role))}
        directions = Directions(options.lower_is_better)
        called = called or short_names([file.name for file in found.opened.files])
        return plausible(read_entries(found, roles, metrics, options, directions, self.name, called), options)

    def example(self, folder: Path) -> Any:
        """Write a file for each of two systems."""
        for system, scores in (("owl", (0.5, 1.0)), ("yak", (0.25, 0.75))):
            lines = [f"{number},{score}" for number, score in enumerate(scores)]
            (folder / f"{system}.csv").write_text("\n".join(["item,score", *lines]))
        return [str(folder / "owl.csv"), str(folder / "yak.csv")]


def _item(columns: Columns, options: ReadOptions) -> str | None:
    """Return the column of items; an id that several files share is one of items."""
    return columns.role("item", options.item) or next(iter(columns.called(["id"])), None)


def shared_items(table: Table, item: str) -> bool:
    """Return whether some item is in several files."""
    rows = table.once(("items by file", item), lambda: table.rows([item, FILE]))
    code, file = rows.columns[item].codes, rows.columns[FILE].codes
    pairs = np.unique(np.stack([code, file]), axis=1)[0]
    return bool(np.any(np.bincount(pairs[pairs != MISSING]) > 1))


def _others(options: ReadOptions, item: str) -> list[str]:
    return [name for name in (item, *(getattr(options, role) for role in _OPTIONAL)) if name]


def files_of_metrics(first: str, second: str) -> bool:
    """Return whether two files have metrics of the same items, and no score column."""
    options = ReadOptions()
    try:
        with opened([first, second], options) as table:
            columns = Columns.of(table, options)
            return columns.role("score") is None and FORMAT.recognise(table, options) is not None
    except EvidenceError:
        return False


def short_names(files: Sequence[str]) -> dict[str, str]:
    """Call systems like their files, with folders where files are called alike.

    >>> short_names(["runs/owl/scores.csv", "runs/yak/scores.csv"])
    {'runs/owl/scores.csv': 'owl', 'runs/yak/scores.csv': 'yak'}
    >>> short_names(["runs/owl.csv", "runs/yak.jsonl.gz"])
    {'runs/owl.csv': 'owl', 'runs/yak.jsonl.gz': 'yak'}
    """
    stems = [os.path.basename(name).split(".")[0] for name in files]
    folders = [os.path.basename(os.path.dirname(name)) for name in files]
    for names in (stems, folders, [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]):
        if len(set(names)) == len(files) and all(names):
            return dict(zip(files, names, strict=True))
    return {name: name for name in files}


FORMAT = ScoreFilesFormat()
