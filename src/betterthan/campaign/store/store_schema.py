"""The database schema of a campaign as numbered migrations, for SQLite and PostgreSQL."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.log.events import Event, EventKind
from betterthan.campaign.material.material import ConversationTurn, Gold, Material, MaterialItem

#: How tables came to be what they are: a later version adds a step, and never changes one.
STEPS = (
    """
    CREATE TABLE events (number BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL,
                         body TEXT NOT NULL);
    CREATE TABLE notes (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key));
    CREATE TABLE items (number BIGINT PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE systems (number BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE outputs (item BIGINT NOT NULL, system BIGINT NOT NULL, body TEXT NOT NULL, shown TEXT NOT NULL,
                          PRIMARY KEY (item, system));
    CREATE TABLE checks (number BIGINT PRIMARY KEY, purpose TEXT NOT NULL, body TEXT NOT NULL);
    """,
)
VERSION = len(STEPS)
#: Puts a note instead of an older one; `{}` are three marks for values.
KEEP_NOTE = "INSERT INTO notes VALUES ({}, {}, {}) ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value"

Rows = dict[str, list[tuple[Any, ...]]]


def steps_from(version: int, place: str) -> tuple[str, ...]:
    """Return the steps that bring tables of a version up to date; refuse tables of a later betterthan."""
    if version > VERSION:
        raise CampaignError(
            f"this campaign was made by a newer betterthan (schema version {version}, this one knows {VERSION})",
            where=place,
            remedy="Upgrade betterthan.",
        )
    return STEPS[version:]


def rows_of(material: Material) -> Rows:
    """Return the material as rows of every table."""
    outputs = [
        (item, number, text, material.shown[system][item])
        for number, system in enumerate(material.systems)
        for item, text in enumerate(material.outputs[system])
        if text is not None
    ]
    checks = [("gold", each) for each in material.gold] + [("training", each) for each in material.training]
    return {
        "items": [(number, _text(asdict(item))) for number, item in enumerate(material.items)],
        "systems": list(enumerate(material.systems)),
        "outputs": outputs,
        "checks": [(number, purpose, _text(asdict(each))) for number, (purpose, each) in enumerate(checks)],
    }


def material_of(read: Mapping[str, Iterable[tuple[Any, ...]]]) -> Material:
    """Return the material from the rows of every table, in key order."""
    items = tuple(_item(json.loads(body)) for _, body in read["items"])
    systems = tuple(name for _, name in read["systems"])
    outputs: list[list[str | None]] = [[None] * len(items) for _ in systems]
    shown: list[list[str | None]] = [[None] * len(items) for _ in systems]
    for item, system, text, html in read["outputs"]:
        outputs[system][item], shown[system][item] = text, html
    checks = [(purpose, _gold(json.loads(body))) for _, purpose, body in read["checks"]]
    return Material(
        items,
        systems,
        dict(zip(systems, outputs, strict=True)),
        dict(zip(systems, shown, strict=True)),
        tuple(each for purpose, each in checks if purpose == "gold"),
        tuple(each for purpose, each in checks if purpose == "training"),
    )


def event_of(number: int, at: float, kind: EventKind, body: str) -> Event:
    """Return a line of the log from its row."""
    try:
        return Event(number, at, kind, json.loads(body))
    except (TypeError, ValueError) as error:
        raise CampaignError(f"line {number} of the log is damaged: {error}") from None


def statements(script: str) -> Iterator[str]:
    """Return the statements of a step."""
    return (text for text in map(str.strip, script.split(";")) if text)


def _item(body: dict[str, Any]) -> MaterialItem:
    return MaterialItem(**{**body, "turns": tuple(ConversationTurn(**turn) for turn in body["turns"])})


def _gold(body: dict[str, Any]) -> Gold:
    texts = {name: tuple(body[name]) for name in ("outputs", "shown", "ranks")}
    return Gold(_item(body["item"]), **texts)


def _text(body: Any) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
