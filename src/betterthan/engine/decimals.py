"""Numbers with a decimal comma, as semicolon-delimited files of many countries have them."""

from collections.abc import Sequence
from typing import Any

from betterthan.engine.sql import literal, quote

_COMMA = r"\s*[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?\s*"
#: A number with another sign in it: then the comma may be no decimal one.
_OTHER = r"\s*[+-]?[0-9.,]*(?:[.][0-9.,]*|,[0-9.]*,[0-9.,]*)\s*"
#: Three digits behind every comma may as well be thousands.
_THOUSANDS = r"\s*[+-]?[0-9]{1,3},[0-9]{3}\s*"


def with_commas(connection: Any, scan: str, columns: Sequence[str]) -> list[str]:
    """Return the columns whose numbers have a decimal comma, all of them and without doubt."""
    asked = []
    for name in map(quote, columns):
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
    if not columns:
        return scan
    comma = literal(_COMMA)
    changed = ", ".join(
        f"CASE WHEN regexp_full_match({name}, {comma}) THEN replace({name}, ',', '.') ELSE {name} END AS {name}"
        for name in map(quote, columns)
    )
    return f"(SELECT * REPLACE ({changed}) FROM {scan})"
