"""Names of systems as they are published, with groups, colours, links and licences, from a file or a mapping."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, nearest, spelling
from betterthan.engine import MISSING, Opening, open_files
from betterthan.evidence import Check, Judgments, Rankings, Reading
from betterthan.findings import Finding, kinds
from betterthan.readers.columns.roles import NAMES, Columns, normal
from betterthan.readers.format import AnyEvidence

#: Details of a system, with other spellings.
_PARTS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "display_name", "label", "title"),
    "group": ("group", "organization", "organisation", "org", "family", "vendor"),
    "colour": ("colour", "color"),
    "link": ("link", "url", "homepage"),
    "licence": ("licence", "license"),
}
#: A system's name, and its group, colour, link and licence.
Profile = tuple[str, dict[str, str | None]]


def renamed(evidence: AnyEvidence, names: Any) -> AnyEvidence:
    """Return evidence whose systems are called as a file, or a mapping, says; others keep their names."""
    where = os.fspath(names) if isinstance(names, (str, os.PathLike)) else "names"
    profiles = _profiles(names, where)
    systems = evidence.systems
    called = {system: profiles[system][0] if system in profiles else system for system in systems}
    _need_distinct(called, where)
    reading = evidence.reading or Reading(evidence.kind, {})
    known = {called[system]: said for system, (_, said) in profiles.items() if system in called}
    findings = (*reading.findings, *_unused(tuple(profiles), systems, where))
    reading = replace(reading.publishing(known), findings=findings)
    if isinstance(evidence, Judgments):
        return replace(evidence, called=called, reading=reading)
    if isinstance(evidence, Rankings):
        return replace(evidence, systems=tuple(called[system] for system in evidence.systems), reading=reading)
    tables = tuple(replace(table, systems=tuple(called[each] for each in table.systems)) for table in evidence.tables)
    return replace(evidence, tables=tables, reading=reading)


def _need_distinct(called: Mapping[str, str], where: str) -> None:
    seen: dict[str, str] = {}
    for system, name in called.items():
        if name in seen:
            raise EvidenceError(
                f"{seen[name]!r} and {system!r} are both called {name!r}",
                where=where,
                remedy="Give every system a name of its own.",
            )
        seen[name] = system


def _unused(profiles: tuple[str, ...], systems: tuple[str, ...], where: str) -> list[Finding]:
    unknown = tuple(system for system in profiles if system not in set(systems))
    if not unknown:
        return []
    if len(unknown) == len(profiles):
        raise EvidenceError(
            f"none of its systems is in the evidence. {nearest(unknown[0], systems)}",
            where=where,
            remedy="Name the systems as the evidence does.",
        )
    return [kinds.reading.NAMES_UNUSED.found(systems=unknown, file=where)]


def _profiles(names: Any, where: str) -> dict[str, Profile]:
    """Return the name and the other details of every system."""
    if isinstance(names, Mapping):
        entries = dict(names)
    elif Path(where).suffix.lower() == ".toml":
        entries = _toml(where)
    elif Path(where).suffix.lower() == ".json":
        entries = _json(where)
    else:
        entries = _table(where)
    if not entries:
        raise EvidenceError("there are no names", where=where, remedy="Name at least one system.")
    return {str(system): _profile(str(system), said, where) for system, said in entries.items()}


def _toml(where: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 (few boards have names of their own)

    try:
        return tomllib.loads(Path(where).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(where, error) from None


def _json(where: str) -> dict[str, Any]:
    import json  # noqa: PLC0415

    try:
        found = json.loads(Path(where).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(where, error) from None
    if isinstance(found, list) and all(isinstance(each, Mapping) for each in found):
        return _by_system([dict(each) for each in found], where)
    if not isinstance(found, dict):
        raise EvidenceError(
            "this is neither an object of systems nor a list of objects",
            where=where,
            remedy='Write {"system": {"name": …}}.',
        )
    return found


def _table(where: str) -> dict[str, Any]:
    with open_files((where,), Opening("utf-8", "refuse")) as table:
        found = table.rows(list(table.columns))
        Check(table, found, "refuse").settle()
        texts = {name: column.texts().tolist() for name, column in found.columns.items()}
    rows = [{name: values[row] for name, values in texts.items()} for row in range(len(found.times))]
    return _by_system(rows, where)


def _by_system(rows: list[dict[str, Any]], where: str) -> dict[str, Any]:
    """Return rows by the system that each is about: its column is called so, or comes first."""
    if not rows:
        return {}
    columns = Columns(list(rows[0]), where)
    about = [name for name in NAMES["system"] if normal(name) not in _PARTS["name"]]
    key = next(iter(columns.called(about)), next(iter(rows[0])))
    found: dict[str, Any] = {}
    for row in rows:
        system = row.get(key)
        if system is None or system in found or system is MISSING:
            what = "a row names no system" if system is None else f"{system!r} stands twice"
            raise EvidenceError(f"{what} in {key!r}", where=where, remedy="Give every system one row.")
        found[str(system)] = {name: value for name, value in row.items() if name != key and value is not None}
    return found


def _profile(system: str, said: Any, where: str) -> Profile:
    if isinstance(said, str):
        said = {"name": said}
    if not isinstance(said, Mapping):
        raise EvidenceError(f"{system!r} has {said!r}", where=where, remedy="Give its name, or an object with a name.")
    by_name = {normal(str(key)): value for key, value in said.items()}
    known = {spelled for spellings in _PARTS.values() for spelled in spellings}
    if unknown := sorted(set(by_name) - known):
        raise EvidenceError(f"{system!r} has {unknown[0]!r}", where=where, allowed="name, group, colour, link, licence")
    parts: dict[str, str | None] = {}
    for part, spellings in _PARTS.items():
        value = next((by_name[spelled] for spelled in spellings if by_name.get(spelled) is not None), None)
        parts[part] = None if value is None else str(value).strip() or None
    if parts["colour"] is not None and not re.fullmatch(r"#[0-9a-fA-F]{6}", parts["colour"]):
        raise EvidenceError(
            f"the colour of {system!r} is {parts['colour']!r}", where=where, remedy="Write it as #00629b."
        )
    if parts["link"] is not None and not re.match(r"https?://[^\s\"'<>]+$", parts["link"]):
        raise EvidenceError(
            f"the link of {system!r} is {parts['link']!r}", where=where, remedy="Write an address with https://."
        )
    return parts.pop("name") or system, parts


def _unreadable(where: str, error: Exception) -> EvidenceError:
    return EvidenceError(
        f"the names cannot be read: {error}", where=where, remedy=f"Check the file of {spelling.option('names')}."
    )
