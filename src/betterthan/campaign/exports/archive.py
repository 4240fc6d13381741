"""Export a campaign to one plain-text archive, and import it again."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.log.events import Event, Note
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.store.campaign_store import Store, create_store
from betterthan.campaign.store.store_schema import material_of, rows_of
from betterthan.present import atomic_files

_FORMAT = "betterthan campaign 1"
_TABLES = ("items", "systems", "outputs", "checks")
#: The most that an archive may unpack to.
_LARGEST = 4 << 30


def write_archive(store: Store, place: Path, *, identities: bool = False) -> int:
    """Write what was judged and the whole log, and return its length; names of judges only where they are requested."""
    events = list(store.events())

    def write(being_made: Path) -> None:
        with zipfile.ZipFile(being_made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("campaign.json", json.dumps({"format": _FORMAT}))
            for name, rows in rows_of(store.material()).items():
                archive.writestr(f"{name}.jsonl", _lines(rows))
            archive.writestr("events.jsonl", _lines(_plain(event) for event in events))
            notes = [(kind, *each) for kind in ("name", "told") for each in store.notes(kind).items()]
            archive.writestr("notes.jsonl", _lines(notes if identities else []))

    atomic_files.write_whole(place, write)
    return len(events)


def read_archive(place: Path, target: str) -> Store:
    """Make a campaign from an archive."""
    try:
        with zipfile.ZipFile(place) as archive:
            if sum(each.file_size for each in archive.infolist()) > _LARGEST:
                raise CampaignError("is too large", where=str(place))
            if json.loads(archive.read("campaign.json")).get("format") != _FORMAT:
                raise CampaignError("is not an archive of a campaign", where=str(place))
            material = material_of({name: _read(archive, name) for name in _TABLES})
            events = [Event(*row) for row in _read(archive, "events")]
            notes = [Note(*map(_text, row)) for row in _read(archive, "notes")]  # type: ignore[arg-type]
    except (zipfile.BadZipFile, zlib.error, LookupError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise CampaignError(f"is not an archive of a campaign: {error}", where=str(place)) from None
    replayed_campaign(material, events)
    try:
        store = create_store(target, material, events[0])
        store.append(events[1:], notes)
    except UnicodeError as error:
        raise CampaignError(f"is not an archive of a campaign: {error}", where=str(place)) from None
    return store


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a note is text, got {value!r}")
    return value


def _plain(event: Event) -> tuple[Any, ...]:
    return event.number, event.at, event.kind, event.body


def _lines(rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read(archive: zipfile.ZipFile, name: str) -> Iterator[tuple[Any, ...]]:
    text = archive.read(f"{name}.jsonl").decode()
    return (tuple(json.loads(line)) for line in text.split("\n") if line)


def audit_lines(store: Store) -> Iterator[str]:
    """Return the log as JSON lines: who did what, and when."""
    return (json.dumps(asdict(event), ensure_ascii=False) for event in store.events())
