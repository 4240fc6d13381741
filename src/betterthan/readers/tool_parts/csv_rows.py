"""Rows of CSV files by heading, for formats of tools whose cells may hold any text."""

import csv
import re
from collections.abc import Mapping

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile


def csv_rows(file: PlacedFile) -> list[dict[str, str]]:
    """Return the rows of a file, refusing those with another number of cells than there are headings."""
    with file.plain.open(encoding="utf-8-sig", newline="") as stream:
        header, *lines = [line for line in csv.reader(stream) if line]
    return [dict(zip(header, checked(line, header, file.name, row), strict=True)) for row, line in enumerate(lines, 2)]


def checked(line: list[str], header: list[str], where: str, row: int) -> list[str]:
    """Return a row that is as long as the header."""
    if len(line) != len(header):
        raise EvidenceError(f"has not {len(header)} cells", where=f"{where}, row {row}")
    return line


def scores_in(row: Mapping[str, str], pattern: re.Pattern[str]) -> dict[str, float | None]:
    """Return the numbers in columns of a pattern, by what its first group finds; an empty cell is None.

    >>> scores_in({"prompt": "?", "fluency/score": "4.5", "safety/score": ""}, re.compile("(.+)/score"))
    {'fluency': 4.5, 'safety': None}
    """
    return {
        match[1]: float(text) if text else None
        for name, text in row.items()
        if (match := pattern.fullmatch(name)) is not None
    }
