"""A result as one JSON document."""

import json
from collections.abc import Mapping
from typing import Any


def to_json(document: Mapping[str, Any]) -> str:
    """Return JSON text; numbers are plain, absent is null, and what is neither is an error."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
