"""Read items from rows: texts, conversation history and position in a document."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from betterthan.base import EvidenceError
from betterthan.campaign.material.material import ConversationTurn, MaterialItem
from betterthan.campaign.material.material_columns import MaterialLayout
from betterthan.campaign.material.material_rows import MaterialRow, MaterialRows
from betterthan.campaign.material.safe_html import to_html


def read_items(rows: MaterialRows, layout: MaterialLayout, markdown: bool, *, several: bool) -> dict[str, MaterialItem]:
    """Read the items; where an item may be in several rows, all must say the same about it."""
    found: dict[str, MaterialItem] = {}
    places: dict[str, str] = {}
    known = layout.of_items
    positions: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        name = name_of(row, layout, number if layout.systems else None)
        if name in found and not several:
            raise EvidenceError(
                f"the item {name!r} stands twice; the first is in {places[name]}",
                where=row.where,
                remedy="Every item needs a name of its own.",
            )
        item = item_of(row, known, name, markdown)
        if item.document and "position" not in known:
            place = found[name].position if name in found else positions.get(item.document, 0) + 1
            positions[item.document] = max(place, positions.get(item.document, 0))
            item = replace(item, position=place)
        if name in found and found[name] != item:
            raise EvidenceError(
                f"the item {name!r} differs from {places[name]}",
                where=row.where,
                remedy="All rows of an item must have the same source, reference, context and so on.",
            )
        found.setdefault(name, item)
        places.setdefault(name, row.where)
    _refuse_places(found, places)
    return found


def _refuse_places(items: Mapping[str, MaterialItem], places: Mapping[str, str]) -> None:
    """Refuse two items at one place of a document."""
    taken: dict[tuple[str, int], str] = {}
    for name, item in items.items():
        if item.document and (first := taken.setdefault((item.document, item.position), name)) != name:
            raise EvidenceError(
                f"the items {first!r} and {name!r} have the same position {item.position} in the document "
                f"{item.document!r}",
                where=places[name],
                remedy="Number the items of a document.",
            )


def name_of(row: MaterialRow, layout: MaterialLayout, number: int | None) -> str:
    """Return an item's name: its row's number where items and outputs are in one wide file without names."""
    column = layout.of_items.get("item")
    if column is None and number is not None:
        return str(number)
    if column is None:
        raise EvidenceError(
            f"no column is known to hold the names of items; its columns are {', '.join(map(repr, row.values))}",
            where=row.where,
            remedy="Call it 'item'.",
        )
    name = (row.text(column) or "").strip()
    if not name:
        raise EvidenceError("the item has no name", where=row.where, remedy=f"Fill in {column!r}.")
    return name


def item_of(row: MaterialRow, known: Mapping[str, str], name: str, markdown: bool) -> MaterialItem:
    """Read an item from one row: `known` are the columns by role."""
    texts = {
        role: row.text(known.get(role)) or "" for role in ("source", "reference", "context", "document", "language")
    }
    return MaterialItem(
        name,
        **texts,
        turns=_turns(row, known.get("turns"), markdown),
        position=_position(row, known.get("position")),
        html={role: to_html(texts[role], markdown=markdown) for role in ("source", "reference", "context")},
    )


def _position(row: MaterialRow, column: str | None) -> int:
    text = row.text(column)
    if text is None or not text.strip():
        return 0
    if not text.strip().isascii() or not text.strip().isdigit() or len(text.strip()) > 9:
        raise EvidenceError(
            f"the position must be a whole number from 0, got {text!r}",
            where=row.where,
            remedy="Number the items of a document.",
        )
    return int(text)


def _turns(row: MaterialRow, column: str | None, markdown: bool) -> tuple[ConversationTurn, ...]:
    """Read the turns of a conversation: a list of objects with a role and a content (or text), perhaps as JSON text."""
    given = None if column is None else read_list(row.values.get(column))
    if given is None or (isinstance(given, str) and not given.strip()):
        return ()
    wrong = EvidenceError(
        f"{column!r} must be a list of turns",
        where=row.where,
        remedy='A turn is {"role": "user", "content": "Hello"}; JSON lines can hold them.',
    )
    if not isinstance(given, (list, tuple)):
        raise wrong
    turns = []
    for turn in given:
        if not isinstance(turn, Mapping):
            raise wrong
        said = turn.get("content", turn.get("text"))
        if not isinstance(turn.get("role"), str) or not isinstance(said, str):
            raise wrong
        text = row.checked(said, column)
        turns.append(ConversationTurn(row.checked(turn["role"], column), text, to_html(text, markdown=markdown)))
    return tuple(turns)


def read_list(given: Any) -> Any:
    """Return a list that a cell of a table holds as JSON text; anything else stays as it is."""
    if isinstance(given, str) and given.lstrip().startswith("["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given
