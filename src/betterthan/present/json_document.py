"""A result as one JSON document."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from betterthan.base import escaping

#: What a dataclass shows of itself: attributes by their names, or under another name as `(name, attribute)`.
Holds = tuple[str | tuple[str, str], ...]


def held(kind: Any) -> dict[str, str]:
    """Return the JSON fields of a dataclass: those it `holds`, else all its fields.

    Options that do not decide the result, and so are not signed, are left out.
    """
    holds: Holds = getattr(kind, "holds", None) or tuple(
        each.name for each in fields(kind) if getattr(each.metadata.get("about"), "signed", True)
    )
    return dict((each, each) if isinstance(each, str) else each for each in holds)


def plain(value: Any) -> Any:
    """Return plain JSON values: dataclasses and mappings become objects, tuples lists; numbers stay as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, attribute)) for name, attribute in held(type(value)).items()}
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def to_json(document: Mapping[str, Any]) -> str:
    """Return JSON text; numbers are plain, absent is null, and what is neither is an error."""
    return escaping.json_text(document, indent=1) + "\n"
