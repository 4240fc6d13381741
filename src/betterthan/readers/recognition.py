"""Format recognition: every format reports its confidence, and the most confident one reads."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import Places, Table
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.format import (
    Format,
    Recognition,
    format_called,
    plugged_formats,
    table_formats,
    tool_formats,
)
from betterthan.readers.formats import surest, worth_asking
from betterthan.readers.open_tables import JOINING, OPENING, Source, opened, places_of

if TYPE_CHECKING:
    from betterthan.readers.tool_parts.tool_format import ToolFormat

#: Options that choose a format, or select the evidence.
_CHOOSING = {"kind", "format", "exclude", "since", "until", "fixed", "random", "names"}
#: A table whose columns say so clearly what it is need not be shown to the formats of other tools.
_CLEAR = 0.75
#: Files that are opened as tables first; others are first shown to the formats of other tools.
_TABLES = {".csv", ".tsv", ".tab", ".parquet", ".pq", ".feather", ".ipc"}


@dataclass(frozen=True)
class RecognisedFormat:
    """A format that recognises an input, with its confidence and what it would read."""

    recognition: Recognition
    format: Format
    found: Any


def find_format(source: Source, options: ReadOptions) -> tuple[Format, Any]:
    """Return the format of a source, and what it is read from: the open table, or the places."""
    names = places_of(source)
    places = Places(names) if names else None
    table = None
    try:
        if options.format:
            chosen = _of_kind(format_called(options.format), options)
            found: Any = places if chosen.takes == "places" else None
            if found is None:
                found = table = _opened(source, places, options)
        else:
            candidates, table = recognised(source, places, options)
            best = _most_certain(candidates, table, places, options)
            chosen, found = best.format, best.found
        _refuse_unused(chosen, options, _where(table, places))
    except BaseException as error:
        if table is not None:
            _advise(error, table, source, options)
        if table is not None and not isinstance(source, Table):
            table.close()
        if places is not None:
            places.close()
        raise
    if table is not None and found is not table and not isinstance(source, Table):
        table.close()
    return chosen, found


def _advise(error: BaseException, table: Table, source: Source, options: ReadOptions) -> None:
    """Add readings that work to a refusal of columns."""
    if isinstance(error, UnclearError):
        from betterthan.readers.hints.advice import advise  # noqa: PLC0415 (only for refusals)

        advise(error, table, places_of(source), options)


def format_of_table(table: Table, options: ReadOptions) -> Format:
    """Return the format of a table that is open, regardless of the tools that may have written it."""
    if options.format:
        chosen = _of_kind(format_called(options.format), options)
    else:
        chosen = _most_certain(_of_tables(table, options), table, None, options).format
    _refuse_unused(chosen, options, table.name)
    return chosen


def recognised(
    source: Source, places: Places | None, options: ReadOptions
) -> tuple[list[RecognisedFormat], Table | None]:
    """Return every format that takes a source for its own, and the table if one was opened to find out."""
    plugged = [each for each in plugged_formats() if each.takes == "places"]
    found = _asked(plugged, places, options) if plugged and places else []
    tables_first = places is None or all(Path(file.name).suffix.lower() in _TABLES for file in places.files)
    if places is not None and not tables_first:
        found += _of_tools(places, options)
        if found:
            return found, None
    table = None
    try:
        table = _opened(source, places, options)
        found += _of_tables(table, options)
    except EvidenceError as error:  # what is no table may still be a tool's
        tools = [] if places is None else _of_tools(places, options)
        if table is not None:
            if not tools:
                _advise(error, table, source, options)
            if not isinstance(source, Table):
                table.close()
        if not tools:
            raise
        return [*found, *tools], None
    if places is not None and tables_first and _best(found) < _CLEAR:
        found += _of_tools(places, options)
    return found, table


def explain_recognition(source: Source, options: ReadOptions) -> list[RecognisedFormat]:
    """Return every format that takes a source for its own, the most certain first."""
    names = places_of(source)
    places = Places(names) if names else None
    found, table = recognised(source, places, options)
    if table is not None and not isinstance(source, Table):
        table.close()
    return sorted(found, key=lambda each: -_certainty(each))


def tool_of(places: Places) -> "ToolFormat | None":
    """Return the tool whose files these are, None where no tool or several take them for theirs."""
    from betterthan.readers.tool_parts.tool_format import ToolFormat  # noqa: PLC0415 (tables are recognised without tools)

    found = [
        each for each in tool_formats(places) if isinstance(each, ToolFormat) and each.recognise(places, ReadOptions())
    ]
    return found[0] if len(found) == 1 else None


def _of_tools(places: Places, options: ReadOptions) -> list[RecognisedFormat]:
    """Ask the formats of other tools; summary files that they reject are refused."""
    found = _asked(tool_formats(places), places, options)
    if not found:
        from betterthan.readers.tool_parts.summary_files import refuse_summaries  # noqa: PLC0415 (only then)

        refuse_summaries(places)
    return found


def _of_kind(chosen: Format, options: ReadOptions) -> Format:
    if options.kind not in {None, chosen.kind}:
        raise EvidenceError(
            f"{spelling.option('format', chosen.name)} is a format of {chosen.kind}, not of {options.kind}",
            remedy=f"Leave out {spelling.option('kind')}.",
        )
    return chosen


def _opened(source: Source, places: Places | None, options: ReadOptions) -> Table:
    """Open a table; the files of a folder are one table where they have the same columns."""
    if places is not None and not places.only_tables:
        if not len(places):
            raise EvidenceError("the folder holds no files", where=places.title, remedy="Check the path.")
        from betterthan.readers.folder_tables import tables_and_others  # noqa: PLC0415 (few give folders)

        tables, others = tables_and_others(places)
        try:
            table = opened([str(file.path) for file in tables or places], options)
            return replace(table, other_files=tuple("/".join(file.below) for file in others)) if tables else table
        except EvidenceError as error:
            shown = ", ".join("/".join(file.below) for file in places[:5]) + (" …" if len(places) > 5 else "")
            raise EvidenceError(
                f"cannot tell which tool wrote this folder; its files are {shown}",
                where=places.title,
                remedy=f"Outputs and references are for {spelling.verb('score')}."
                if all(file.path.suffix == ".txt" for file in places)
                else f"As one table, they cannot be read either: {error}",
            ) from None
    return opened(source, options)


def _certainty(candidate: RecognisedFormat) -> float:
    return candidate.recognition.certainty


def _where(table: Table | None, places: Places | None) -> str:
    return table.name if table is not None else places.title if places is not None else ""


def _asked(formats: Sequence[Format], what: Any, options: ReadOptions) -> list[RecognisedFormat]:
    """Ask formats for their confidence, the most confident first: reading values may cost a pass over all rows."""
    found: list[RecognisedFormat] = []
    for each in sorted(formats, key=lambda each: -each.surest):
        if options.kind in {None, each.kind} and each.surest >= _best(found):
            recognition = each.recognise(what, options)
            found += [RecognisedFormat(recognition, each, what)] if recognition is not None else []
    return found


def _of_tables(table: Table, options: ReadOptions) -> list[RecognisedFormat]:
    """Ask the formats of tables; one that cannot be more confident is not imported, unless options name columns."""
    others = [each for each in plugged_formats() if each.takes == "table"]
    named = {each.name for each in fields(options) if getattr(options, each.name) != each.default}
    if named - {*OPENING, *JOINING}:
        return _asked([*(load() for load in table_formats().values()), *others], table, options)
    found: list[RecognisedFormat] = []
    formats = table_formats()
    for file in worth_asking(formats, table.columns):
        if surest(file) >= _best(found):
            found += _asked([formats[file]()], table, options)
    return found + _asked(others, table, options)


def _best(found: Sequence[RecognisedFormat]) -> float:
    return max((_certainty(each) for each in found), default=0.0)


def _most_certain(
    found: Sequence[RecognisedFormat], table: Table | None, places: Places | None, options: ReadOptions
) -> RecognisedFormat:
    best = _best(found)
    first = [each for each in found if _certainty(each) == best]
    if not first:
        raise _unknown(table, places, options)
    if len(first) == 1:
        return first[0]
    if all(isinstance(each.found, Places) for each in first):
        mixed = " and ".join(f"{each.format.name} ({each.recognition.reason})" for each in first)
        choices = " or ".join(spelling.option("format", each.format.name) for each in first)
        raise EvidenceError(
            f"these are files of several tools: {mixed}",
            where=_where(table, places),
            remedy=f"Read one at a time, or choose with {choices}.",
        )
    # The kind is what people know best.
    by = "kind" if len({each.format.kind for each in first}) == len(first) else "name"
    readings = " or ".join(f"{getattr(each.format, by)} ({each.recognition.reason})" for each in first)
    option = "format" if by == "name" else by
    named = [({option: getattr(each.format, by)}, f"as {getattr(each.format, by)}") for each in first]
    remedy = f"Say which with {spelling.option(option)}."
    raise UnclearError(f"this may be {readings}", where=_where(table, places), remedy=remedy, choices=named)


def _unknown(table: Table | None, places: Places | None, options: ReadOptions) -> EvidenceError:
    """Return the refusal of what no format takes for its own, with what was seen."""
    where = _where(table, places)
    if table is None:
        return EvidenceError("cannot tell what kind of evidence this is", where=where)
    columns = Columns(table.columns, "")
    if columns.lists_documents:
        return EvidenceError(
            "rows are documents that were retrieved for queries, which are no scores of systems yet",
            where=where,
            remedy=f"Measure each system's list: {spelling.verb('score')} reads TREC runs "
            "(query Q0 document rank score name) and relevance judgments, with "
            f"{spelling.option('metric', 'ndcg@10')}.",
        )
    if pair := _outputs_and_references(columns):
        return EvidenceError(
            f"{pair[0]!r} holds outputs and {pair[1]!r} references: these are no scores yet",
            where=where,
            remedy=f"Score them with {spelling.verb('score')}, {spelling.option('outputs', pair[0])} and "
            f"{spelling.option('reference', pair[1])}, and rank the scores.",
        )
    from betterthan.readers.columns.wide_tables import look, unclear_systems  # noqa: PLC0415 (only for refusals)

    wide = look(table, options)
    if len(wide.systems) > 1 and (wide.problem or wide.unlikely):
        what = f"columns {', '.join(map(repr, wide.systems[:5]))} hold numbers, but "
        return unclear_systems(wide, where, f"cannot tell what kind of evidence this is: {what}")
    listed = columns.listed()
    named = {
        "judgments": ("left", "right", "outcome"),
        "rankings": ("ranking", "system", "rank"),
        "scores": ("system", "item", "score"),
    }
    ways = "; ".join(f"of {kind} with {', '.join(map(spelling.option, roles))}" for kind, roles in named.items())
    return UnclearError(
        f"cannot tell what kind of evidence this is; its columns are {listed}",
        where=where,
        remedy=f"Name the columns {ways}; of tables with a column per system with {spelling.option('systems')}.",
    )


def _outputs_and_references(columns: Columns) -> tuple[str, str] | None:
    """Return a column of outputs and one of what they are compared with, None without both."""
    from betterthan.readers.outputs.output_columns import OUTPUTS, REFERENCES  # noqa: PLC0415 (only for refusals)

    outputs = columns.called(OUTPUTS)
    references = [name for name in columns.called([*REFERENCES, "answer", "label"]) if name not in outputs[:1]]
    return (outputs[0], references[0]) if outputs and references else None


def _refuse_unused(chosen: Format, options: ReadOptions, where: str) -> None:
    """Refuse an option that the format does not use: the user expects an effect."""
    given = [each.name for each in fields(options) if getattr(options, each.name) != each.default]
    used = chosen.uses | _CHOOSING | ({*OPENING, *JOINING} if chosen.takes == "table" else set())
    unused = [name for name in given if name not in used]
    if unused:
        raise EvidenceError(
            f"{spelling.option(unused[0])} has no effect on {chosen.name} ({chosen.about})",
            where=where,
            remedy=f"Leave it out, or choose another format with {spelling.option('format')}.",
        )
