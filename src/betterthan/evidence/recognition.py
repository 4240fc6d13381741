"""Which format something has: every format is asked, and the one that is most certain reads it."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from betterthan.engine.table import Table
from betterthan.errors import EvidenceError
from betterthan.evidence.format import Format, Recognition, all_formats, format_called
from betterthan.evidence.opening import Source, open_table, places_of
from betterthan.evidence.roles import Columns
from betterthan.options.read import ReadOptions
from betterthan.spelling import option

#: Options that choose a format, and those that open a table: the latter are the table's own.
_CHOOSING = {"kind", "format"}
_OPENING = {"where", "encoding", "on_error"}
_Candidate = tuple[Recognition, Format, Any]


def find_format(source: Source, options: ReadOptions) -> tuple[Format, Any]:
    """Return the format of a source, and what it is read from: the open table, or the places."""
    asked = [format_called(options.format)] if options.format else list(all_formats().values())
    candidates = [each for each in asked if options.kind in {None, each.kind}]
    if not candidates:
        raise EvidenceError(
            f"{option('format', asked[0].name)} is a format of {asked[0].kind}, not of {options.kind}",
            remedy=f"Leave out {option('kind')}.",
        )
    places = places_of(source)
    found: list[_Candidate] = []
    if places:
        found = _asked([each for each in candidates if each.takes == "places"], places, options)
    table = None
    if any(each.takes == "table" for each in candidates):
        table = _opened(source, options, needed=not found)
    where = table.name if table is not None else ", ".join(places or ())
    try:
        if table is not None:
            found += _asked([each for each in candidates if each.takes == "table"], table, options)
        if options.format:
            chosen = (candidates[0], table if candidates[0].takes == "table" else places)
        else:
            chosen = _most_certain(found, table, where)
        _refuse_unused(chosen[0], options, where)
    except BaseException:
        if table is not None and not isinstance(source, Table):
            table.close()
        raise
    return chosen


def _opened(source: Source, options: ReadOptions, *, needed: bool) -> Table | None:
    """Open a table; what a format of places has recognised need not be one."""
    try:
        return open_table(source, where=options.where, encoding=options.encoding, on_error=options.on_error)
    except EvidenceError:
        if needed:
            raise
        return None


def _asked(candidates: Sequence[Format], what: Any, options: ReadOptions) -> list[_Candidate]:
    """Ask formats for their certainty, the surest first: looking at values may cost a pass over all rows."""
    found: list[_Candidate] = []
    for each in [] if options.format else sorted(candidates, key=lambda each: -each.surest):
        best = max((recognition.certainty for recognition, _, _ in found), default=0.0)
        if each.surest >= best and (recognition := each.recognise(what, options)) is not None:
            found.append((recognition, each, what))
    return found


def _most_certain(found: Sequence[_Candidate], table: Table | None, where: str) -> tuple[Format, Any]:
    best = max((recognition.certainty for recognition, _, _ in found), default=0.0)
    first = [each for each in found if each[0].certainty == best]
    if not first:
        listed = f"; its columns are {Columns(table.columns, '').listed()}" if table is not None else ""
        raise EvidenceError(
            f"cannot tell what kind of evidence this is{listed}", where=where,
            remedy=f"Name the columns: {option('left', 'A')}, {option('right', 'B')} and {option('outcome', 'WINNER')} "
            f"for judgments; {option('system', 'S')}, {option('item', 'I')} and {option('score', 'X')} for scores; or "
            f"{option('systems', ['A', 'B'])} for one column per system.",
        )  # fmt: skip
    if len(first) > 1:
        # The kind is what people know best.
        by = "kind" if len({each.kind for _, each, _ in first}) == len(first) else "name"
        readings = " or ".join(f"{getattr(each, by)} ({recognition.reason})" for recognition, each, _ in first)
        choices = " or ".join(option("format" if by == "name" else by, getattr(each, by)) for _, each, _ in first)
        raise EvidenceError(f"this may be {readings}", where=where, remedy=f"Say which: {choices}.")
    return first[0][1:]


def _refuse_unused(chosen: Format, options: ReadOptions, where: str) -> None:
    """Refuse an option that the format has no use for: whoever gave it expects an effect."""
    given = [each.name for each in fields(options) if getattr(options, each.name) != each.default]
    used = chosen.uses | _CHOOSING | (_OPENING if chosen.takes == "table" else set())
    unused = [name for name in given if name not in used]
    if unused:
        raise EvidenceError(
            f"{option(unused[0])} has no effect on {chosen.name} ({chosen.about})", where=where,
            remedy=f"Leave it out, or choose another format with {option('format')}.",
        )  # fmt: skip
