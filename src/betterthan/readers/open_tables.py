"""Open any input as a table: files, data frames of any library, columns or rows."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import Condition, OnError, Opening, Table, Where, open_files
from betterthan.engine import conditions as row_conditions
from betterthan.evidence import check_on_error
from betterthan.options import ReadOptions, declared_options
from betterthan.readers.columns.roles import Columns

if TYPE_CHECKING:
    from betterthan.readers.columns.joined_columns import Joining

#: Options that say how a table is opened, and those that name its columns.
OPENING = ("where", "encoding", "on_error", "delimiter", "decimal", "sheet", "table")
#: Options that add columns of another file.
JOINING = ("join", "on")
_COLUMNS = tuple(
    name for name, each in declared_options(ReadOptions).items() if each.about.metavar in {"COLUMN", "COLUMNS"}
)

#: A path or several, `-`, a data frame of any engine, a mapping of columns, or a list of rows.
Source = Any


def opened(source: Source, options: ReadOptions) -> Table:
    """Open whatever was given as the options say, with the columns they name: also `metadata.lang`, `source+target`."""
    joining = _joining(options)
    how = {name: getattr(options, name) for name in OPENING}
    table = open_table(source, **how) if joining is None else _joined(source, joining, how, options)
    given = [getattr(options, name) for name in _COLUMNS]
    names = [name for each in given if each for name in ([each] if isinstance(each, str) else each)]
    try:
        return with_columns(table, names)
    except BaseException:
        if not isinstance(source, Table):
            table.close()
        raise


def _joining(options: ReadOptions) -> "Joining | None":
    if options.join is None and options.on is None:
        return None
    from betterthan.readers.columns.joined_columns import Joining  # noqa: PLC0415 (most tables stand alone)

    return Joining.of(options)


def _joined(source: Source, joining: "Joining", how: Mapping[str, Any], options: ReadOptions) -> Table:
    """Open a table and add the columns of another file, which conditions may name, too."""
    table = open_table(source, **{**how, "where": None})
    try:
        return _narrowed(joining.joined(table, options), row_conditions.parse_conditions(options.where))
    finally:
        if not isinstance(source, Table):
            table.close()


def open_table(
    source: Source,
    *,
    where: Where | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
    delimiter: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    table: str | None = None,
) -> Table:
    """Open whatever was given as a table; `where` keeps the rows that meet its conditions."""
    errors: OnError = "refuse" if on_error == "refuse" else check_on_error(on_error)
    opening = Opening(encoding, errors, delimiter, decimal, sheet, table)
    found = _open(source, opening)
    try:
        return _narrowed(found, row_conditions.parse_conditions(where))
    except BaseException:
        if not isinstance(source, Table):
            found.close()
        raise


def _narrowed(table: Table, wanted: Sequence[Condition]) -> Table:
    if not wanted:
        return table
    reaching = with_columns(table, [each.column for each in wanted])
    for each in wanted:
        Columns(reaching.columns, table.name).given(each.column)
    return table.where(wanted)


def _open(source: Source, opening: Opening) -> Table:
    table: Table
    if (places := places_of(source)) is not None:
        return open_files(places, opening)
    for name in ("delimiter", "decimal", "sheet", "table"):
        if getattr(opening, name) is not None:
            raise EvidenceError(f"{spelling.option(name)} is for files", remedy="Leave it out.")
    if isinstance(source, Table):
        table = source
    elif isinstance(source, Mapping):
        table = _in_memory(source)
    elif isinstance(source, (list, tuple)):
        table = _from_rows(source)
    elif isinstance(source, np.ndarray):
        raise EvidenceError(
            "an array has no column names",
            remedy="Give a mapping such as {'left': …, 'right': …, 'winner': …}.",
        )
    elif type(source).__name__ == "DuckDBPyRelation":
        from betterthan.engine import RelationTable  # noqa: PLC0415 (seldom needed)

        table = RelationTable.of(source)
    else:
        from betterthan.engine import FrameTable  # noqa: PLC0415 (files need no Narwhals)

        table = FrameTable.of(source)
    return table


def with_columns(table: Table, names: Iterable[str]) -> Table:
    """Return a table with the columns that these names lead to: `metadata.tokens`, `source+target`.

    Names that lead nowhere are left to those who ask for them by role, and refuse them.
    """
    for name in dict.fromkeys(names):
        table = table.derived(name) or table
    return table


def places_of(source: Source) -> tuple[str, ...] | None:
    """Return the paths that were given, None where something else was."""
    if isinstance(source, (str, os.PathLike)):
        return (os.fspath(source),)
    if isinstance(source, (list, tuple)) and source and all(isinstance(each, (str, os.PathLike)) for each in source):
        return tuple(os.fspath(each) for each in source)
    return None


def _from_rows(source: Sequence[Any]) -> Table:
    if not source:
        raise EvidenceError("the list is empty", remedy="Give at least one path or row.")
    if all(isinstance(entry, Mapping) for entry in source):
        names = list(dict.fromkeys(name for entry in source for name in entry))
        return _in_memory({name: [entry.get(name) for entry in source] for name in names}, "the given rows")
    if all(isinstance(entry, Sequence) and len(entry) == 3 for entry in source):
        left, right, outcome = zip(*source, strict=True)
        return _in_memory({"left": left, "right": right, "outcome": outcome}, "the given rows")
    raise EvidenceError("a list must hold paths, mappings, or rows of (left, right, outcome).")


def _in_memory(columns: Mapping[str, Any], *name: str) -> Table:
    from betterthan.engine import MemoryTable  # noqa: PLC0415 (files need none)

    return MemoryTable.of(columns, *name)
