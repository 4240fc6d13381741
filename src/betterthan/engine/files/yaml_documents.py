"""YAML documents that hold a list of rows, converted to JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, MissingExtraError
from betterthan.engine.files.decompression import Temporaries

#: Larger documents take minutes to read, and are written by no person.
_LARGEST = 100_000_000


def as_json(path: Path, shown: str, temporaries: Temporaries) -> Path:
    """Write the rows of a YAML document as JSON; tags and aliases are refused."""
    try:
        import yaml  # noqa: PLC0415 (only YAML needs it)
    except ImportError:
        raise MissingExtraError("pyyaml", "yaml", f"{shown}: reading YAML") from None

    if path.stat().st_size > _LARGEST:
        raise EvidenceError("the YAML document is too large", where=shown, remedy="Write the rows as JSON lines.")
    try:
        text = path.read_bytes()
        # By aliases, a few lines may stand for gigabytes.
        if b"*" in text and any(isinstance(each, yaml.AliasEvent) for each in yaml.parse(text, yaml.SafeLoader)):
            raise yaml.YAMLError("it has aliases (*name), which stand for other parts")
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise EvidenceError(f"cannot be read as YAML: {told}", where=shown, remedy="Check that it is whole.") from None
    rows = _rows(document)
    if not rows:
        raise EvidenceError(
            "holds no list of rows", where=shown, remedy="Give a list of mappings, one for each row: - model: …"
        )
    with temporaries.new() as (target, place):
        target.write(json.dumps(rows, default=str, allow_nan=False).encode())
    return place


def _rows(document: Any) -> list[Mapping[str, Any]]:
    """Return the list of mappings that a document is, or that is its only one."""
    lists = [document] if isinstance(document, list) else []
    if isinstance(document, Mapping):
        lists = [each for each in document.values() if isinstance(each, list)]
    tables = [each for each in lists if each and all(isinstance(row, Mapping) for row in each)]
    return [{str(name): value for name, value in row.items()} for row in tables[0]] if len(tables) == 1 else []
