"""Read outputs with references from files and tables."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import exists
from pathlib import Path
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import MISSING, Coded, Table
from betterthan.evidence import Account, Check, Outputs, Reading, ReadOutputs, Refusal
from betterthan.findings import Finding, kinds
from betterthan.options import ScoreOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.open_tables import open_table, places_of
from betterthan.readers.outputs.output_columns import OutputLayout, layout_of, reference_columns
from betterthan.readers.outputs.text_lines import is_lines, read_lines, system_names
from betterthan.readers.outputs.trec_files import is_qrels, is_run, outputs_of, read_qrels, read_runs

#: Data set and item.
_Key = tuple[str, str]


@dataclass
class _Gathered:
    """The content read so far: samples by item and system, references and groups by item, in input order."""

    samples: dict[_Key, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    systems: dict[str, None] = field(default_factory=dict)
    references: dict[_Key, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[_Key, str] = field(default_factory=dict)
    read: int = 0
    refusals: list[Refusal] = field(default_factory=list)

    def add(self, key: _Key, system: str, sample: str | None) -> None:
        """Enter one output; None says that it is missing."""
        self.systems.setdefault(system)
        row = self.samples.setdefault(key, {})
        row[system] = (*row.get(system, ()), *(() if sample is None else (sample,)))


def read_outputs(source: Any, options: ScoreOptions, *, compared: bool = True) -> ReadOutputs:
    """Read outputs and references; without `compared` there need be no references."""
    gathered, places = _Gathered(), places_of(source)
    lines = [place for place in places or () if is_lines(place)]
    if lines and len(lines) < len(places or ()):
        raise EvidenceError(
            "some files are tables and others lines of text", where=lines[0], remedy="Score them one by one."
        )
    if lines:
        elsewhere = _references(options, ())[1]
        read_as = _read_lines(gathered, lines, options)
    else:
        with _opened(source, options) as table:
            columns, elsewhere = _references(options, table.columns)
            read_as = _read_tables(gathered, table, places, columns, options, whole=elsewhere is not None)
    if elsewhere is not None:
        read_as += "; " + _read_references(gathered, elsewhere, options)
    name = ", ".join(places[:3]) if places else "the given outputs"
    if compared:
        _refuse_without_reference(gathered, name, options)
    account = Account(gathered.read, tuple(gathered.refusals))
    unused = sum(key not in gathered.samples for key in gathered.references)
    reading = Reading("outputs", {}, about=read_as, findings=_unused(unused, len(gathered.references)))
    return ReadOutputs(_sets(gathered), account, name, reading)


def _unused(unused: int, references: int) -> tuple[Finding, ...]:
    return (kinds.outputs.UNUSED_REFERENCES.found(unused=unused, references=references),) if unused else ()


def _references(options: ScoreOptions, known: Sequence[str]) -> tuple[list[str], Any]:
    """Return whether references are columns of the outputs, or are in files or tables of their own."""
    given = options.reference
    if given is None:
        return [], None
    names = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        return [], given
    columns = [name for name in names if name in known]
    if columns and len(columns) < len(names):
        raise EvidenceError(
            f"{spelling.option('reference')} names columns and files: {', '.join(names)}",
            remedy="Use one or the other.",
        )
    if columns or any(exists(name) for name in names):
        return columns, None if columns else tuple(names)
    if not isinstance(given, str):  # the references themselves, in the order of items
        return [], {"reference": list(names)}
    if known:
        Columns(known, "the outputs").given(names[0])
    return [], tuple(names)


def _read_lines(gathered: _Gathered, places: Sequence[str], options: ScoreOptions) -> str:
    """Read a file per system, a line per item."""
    for name in ("item", "system", "outputs", "systems", "dataset", "group", "repeat", "where"):
        if getattr(options, name) is not None:
            raise EvidenceError(f"{spelling.option(name)} has no effect on lines of text", remedy="Leave it out.")
    texts = {
        name: read_lines(place, options.encoding) for name, place in zip(system_names(places), places, strict=True)
    }
    if any(is_run(lines) for lines in texts.values()):
        return _read_runs(gathered, dict(zip(texts, zip(places, texts.values(), strict=True), strict=True)))
    lengths = {len(lines) for lines in texts.values()}
    if len(lengths) > 1:
        said = ", ".join(f"{name} has {len(lines):,}" for name, lines in list(texts.items())[:5])
        raise EvidenceError(f"the files have different numbers of lines: {said}", remedy="Line n of each is item n.")
    for name, lines in texts.items():
        for number, line in enumerate(lines, start=1):
            absent = options.empty == "missing" and not line.strip()
            gathered.add(("", str(number)), name, None if absent else line)
        gathered.read += len(lines)
    return f"lines of text, {len(texts):,} systems named after their files"


def _read_runs(gathered: _Gathered, files: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    """Read runs of retrieval systems: an item per query, whose output are the documents that were ranked."""
    runs = read_runs(files)
    for query, system, documents in outputs_of(runs):
        gathered.add(("", query), system, documents)
        gathered.read += 1
    return f"TREC runs of {len(runs):,} systems; item: query, output: documents with their scores"


def _read_tables(
    gathered: _Gathered,
    table: Table,
    places: Sequence[str] | None,
    references: Sequence[str],
    options: ScoreOptions,
    *,
    whole: bool,
) -> str:
    """Read one table, or a table per system where none of them names systems."""
    layout = layout_of(Columns(table.columns, table.name), options, references, whole=whole)
    if layout.systems or "system" in layout.roles:
        _read_table(gathered, table, layout, options)
        return _description(layout)
    names = ["output"] if places is None else system_names(places)
    if len(names) == 1:
        _read_table(gathered, table, layout, options, names[0])
    else:
        for name, place in zip(names, places or (), strict=True):
            with _opened(place, options) as part:
                layout = layout_of(Columns(part.columns, part.name), options, references, whole=whole)
                _read_table(gathered, part, layout, options, name)
    return f"{_description(layout)}; systems are named after their files"


def _description(layout: OutputLayout) -> str:
    """Return which column was read as what."""
    parts = {"one column per system": layout.systems} if layout.systems else {}
    parts |= {"output" if role == "outputs" else role: (name,) for role, name in layout.roles.items()}
    parts |= {"reference": layout.references} if layout.references else {}
    return "; ".join(f"{role}: {', '.join(names)}" for role, names in parts.items())


def _read_table(
    gathered: _Gathered, table: Table, layout: OutputLayout, options: ScoreOptions, only: str | None = None
) -> None:
    roles = layout.roles
    cells = layout.systems or (roles["outputs"],)
    about = [roles[role] for role in ("dataset", "item", "system", "repeat", "group") if role in roles]
    rows = table.rows(list(dict.fromkeys([*about, *cells, *layout.references])))
    check = Check(table, rows, options.on_error)
    for role, what in (("item", "item"), ("system", "system's name"), ("group", "group"), ("repeat", "repeat")):
        if role in roles:
            missing = rows.columns[roles[role]].codes == MISSING
            check.refuse(f"missing {role}", missing, f"the {what} is missing", "Fill it in.")
    if "item" in roles:
        _refuse_twice(check, rows.columns, roles)
    account = check.settle()
    gathered.read += account.read
    gathered.refusals += account.refusals
    texts = {name: column.texts() for name, column in rows.columns.items()}
    for row in np.flatnonzero(~check.bad).tolist():
        key = (
            str(texts[roles["dataset"]][row] or "") if "dataset" in roles else "",
            str(texts[roles["item"]][row]) if "item" in roles else str(row + 1),
        )
        for cell in cells:
            system = cell if layout.systems else only or str(texts[roles["system"]][row])
            text = texts[cell][row]
            gathered.add(key, system, "" if text is None and options.empty == "score" else text)
        if "group" in roles:
            _agree(gathered.groups, key, str(texts[roles["group"]][row]), "groups", table.name)
        if layout.references:
            found = tuple(text for name in layout.references if (text := texts[name][row]) is not None)
            _agree(gathered.references, key, found, "references", table.name)


def _refuse_twice(check: Check, columns: Mapping[str, Coded], roles: Mapping[str, str]) -> None:
    """Refuse a second output of a system on an item, unless a column distinguishes them."""
    keys = [columns[roles[role]].codes for role in ("dataset", "item", "system", "repeat") if role in roles]
    _, first, place = np.unique(np.stack(keys), axis=1, return_index=True, return_inverse=True)
    twice = first[place.ravel()] != np.arange(len(keys[0]))
    check.refuse(
        "duplicate output",
        twice,
        "the item {0} has two outputs of one system",
        "Remove one of them."
        if "repeat" in roles
        else f"Name the column that distinguishes them with {spelling.option('repeat')}.",
        [roles["item"]],
    )


def _agree(held: dict[_Key, Any], key: _Key, found: Any, what: str, where: str) -> None:
    """Enter what rows say about an item; all of them must say the same."""
    if held.setdefault(key, found) != found:
        raise EvidenceError(
            f"the item {key[1]!r} has different {what} in different rows",
            where=where,
            remedy="All outputs on an item are compared with the same: correct the rows.",
        )


def _read_references(gathered: _Gathered, given: Any, options: ScoreOptions) -> str:
    """Read references from separate files; several rows of an item, or several files, are several references."""
    places = places_of(given)
    told = []
    for place in places or [given]:
        if isinstance(place, str) and is_lines(place):
            lines = read_lines(place, options.encoding)
            if graded := is_qrels(lines, {item for _, item in gathered.samples}):
                found = [(("", query), grades) for query, grades in read_qrels(lines, place)]
            elif len(lines) != len(gathered.samples):
                raise EvidenceError(
                    f"has {len(lines):,} lines for {len(gathered.samples):,} items",
                    where=place,
                    remedy="Line n is the reference of item n.",
                )
            else:
                found = [(("", str(number)), line) for number, line in enumerate(lines, start=1)]
            told.append(f"references: {'qrels' if graded else 'lines'} of {Path(place).name}")
        else:
            found, column = _table_of_references(place, options)
            told.append(f"references: {column}" + (f" of {Path(place).name}" if isinstance(place, str) else ""))
        for key, text in found:
            held = gathered.references.get(key, ())
            gathered.references[key] = held if text in held and places is None else (*held, text)
    return ", ".join(told)


def _table_of_references(place: Any, options: ScoreOptions) -> tuple[list[tuple[_Key, str]], str]:
    with open_table(_flat(place), encoding=options.encoding, on_error=options.on_error) as table:
        roles, column = reference_columns(Columns(table.columns, table.name), options)
        rows = table.rows([*roles.values(), column])
    texts = {name: held.texts() for name, held in rows.columns.items()}
    found = []
    for row, text in enumerate(texts[column].tolist()):
        if text is not None:
            title = str(texts[roles["dataset"]][row] or "") if "dataset" in roles else ""
            item = str(texts[roles["item"]][row]) if "item" in roles else str(row + 1)
            found.append(((title, item), str(text)))
    return found, column


def _refuse_without_reference(gathered: _Gathered, name: str, options: ScoreOptions) -> None:
    """Refuse items that have no reference, or leave them out and count them."""
    if not gathered.references:
        raise EvidenceError(
            "there are no references",
            where=name,
            remedy=f"Name their files, or a column of the outputs, with {spelling.option('reference')}.",
        )
    lacking = [key for key in gathered.samples if not gathered.references.get(key)]
    if not lacking:
        return
    if len(lacking) == len(gathered.samples) or options.on_error == "refuse":
        skip = f" To leave such items out and count them, use {spelling.option('on_error', 'skip')}."
        raise EvidenceError(
            f"the item {lacking[0][1]!r} has no reference ({len(lacking):,} of {len(gathered.samples):,} items)",
            where=name,
            remedy=f"Check that outputs and references name items alike.{skip}",
        )
    rows = sum(len(gathered.samples.pop(key)) for key in lacking)
    gathered.refusals.append(Refusal("no reference", rows))


def _sets(gathered: _Gathered) -> tuple[Outputs, ...]:
    """Arrange everything by data set."""
    systems = tuple(gathered.systems)
    sets = []
    for title in dict.fromkeys(title for title, _ in gathered.samples):
        keys = [key for key in gathered.samples if key[0] == title]
        cells = [tuple(gathered.samples[key].get(system, ()) for system in systems) for key in keys]
        there = [place for place, _ in enumerate(systems) if any(row[place] for row in cells)]
        sets.append(
            Outputs(
                title,
                tuple(item for _, item in keys),
                tuple(systems[place] for place in there),
                [tuple(row[place] for place in there) for row in cells],
                [gathered.references.get(key, ()) for key in keys],
                tuple(gathered.groups[key] for key in keys) if gathered.groups else None,
            )
        )
    if not any(each.systems for each in sets):
        raise EvidenceError("there is no output", remedy="All outputs are empty: check the column.")
    return tuple(each for each in sets if each.systems)


def _opened(source: Any, options: ScoreOptions) -> Table:
    return open_table(_flat(source), where=options.where, encoding=options.encoding, on_error=options.on_error)


def _flat(source: Any) -> Any:
    """Write lists and objects within columns as JSON, which is how they come from files."""
    if isinstance(source, Mapping):
        return {
            name: [_text(value) for value in values] if isinstance(values, (list, tuple)) else values
            for name, values in source.items()
        }
    if isinstance(source, (list, tuple)) and source and all(isinstance(row, Mapping) for row in source):
        return [{name: _text(value) for name, value in row.items()} for row in source]
    return source


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, tuple, dict)) else value
