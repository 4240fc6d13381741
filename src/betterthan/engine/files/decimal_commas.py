"""Numbers with a decimal comma in semicolon-delimited files."""

from collections.abc import Sequence
from typing import Any

from betterthan.engine.duckdb.sql import literal, quote_name

_COMMA = r"\s*[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?\s*"
#: A number with another sign in it: then the comma may be no decimal one.
_OTHER = r"\s*[+-]?[0-9.,]*(?:[.][0-9.,]*|,[0-9.]*,[0-9.,]*)\s*"
#: Three digits behind every comma may as well be thousands, but for those of 0,845.
_THOUSANDS = r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*"


def with_commas(connection: Any, scan: str, columns: Sequence[str]) -> list[str]:
    """Return the columns in which all numbers clearly have a decimal comma."""
    asked = []
    for name in map(quote_name, columns):
        asked += [
            f"count(*) FILTER (regexp_full_match({name}, {literal(_COMMA)}) AND NOT regexp_full_match({name}, "
            f"{literal(_THOUSANDS)}))",
            f"count(*) FILTER (regexp_full_match({name}, {literal(_OTHER)}))",
        ]
    counts = connection.execute(f"SELECT {', '.join(asked)} FROM {scan}").fetchall()[0]
    sure = zip(columns, counts[::2], counts[1::2], strict=True)
    return [name for name, commas, others in sure if commas and not others]


def decimals(scan: str, columns: Sequence[str]) -> str:
    """Return a scan in which the numbers of these columns have a decimal point."""
    comma = literal(_COMMA)
    changed = ", ".join(
        f"CASE WHEN regexp_full_match({name}, {comma}) THEN replace({name}, ',', '.') ELSE {name} END AS {name}"
        for name in map(quote_name, columns)
    )
    return f"(SELECT * REPLACE ({changed}) FROM {scan})"
