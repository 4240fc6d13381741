"""Small published tables, and what R estimates from them; tables/README.md names the sources."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

TABLES = Path(__file__).parent / "tables"


@cache
def r_estimates() -> Mapping[str, Any]:
    """Return R's estimates of every table, by the name of the fit."""
    found: dict[str, Any] = {}
    for path in sorted(TABLES.glob("r-*.json")):
        entries = json.loads(path.read_text("utf-8"))
        assert not found.keys() & entries.keys()
        found |= entries
    return found
