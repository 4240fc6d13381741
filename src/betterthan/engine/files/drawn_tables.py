"""Tables drawn with signs: Markdown, frames of text, and columns divided by spaces."""

import re
from collections.abc import Sequence

from betterthan.base import EvidenceError
from betterthan.engine.labels import is_numeral

#: The line between the header and the rows of Markdown, and lines of frames.
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*")
_FRAME = re.compile(r"\s*[+|][-=+|\s]*[-=][-=+|\s]*\s*")
#: Rows of columns that are divided by spaces alone, at least.
_LEAST = 3


def drawn_rows(text: str, shown: str) -> list[list[str]] | None:
    """Return the rows of a table that is drawn, None where there is none.

    >>> drawn_rows("| item | owl |\\n|---|---|\\n| 1 | 0.5 |", "x.md")
    [['item', 'owl'], ['1', '0.5']]
    """
    lines = text.lstrip("\ufeff").splitlines()
    rules = [place for place, line in enumerate(lines) if "|" in line and _RULE.fullmatch(line)]
    if any(_FRAME.fullmatch(line) and line.strip().startswith("+") for line in lines):
        return [_cells(line) for line in lines if line.strip().startswith("|")]
    if rules and rules[0] > 0:
        if len(rules) > 1:
            raise EvidenceError(
                f"holds {len(rules)} tables", where=shown, remedy="Keep one table per file, or save it as CSV."
            )
        stop = next((place for place in range(rules[0], len(lines)) if "|" not in lines[place]), len(lines))
        return [_cells(line) for line in [lines[rules[0] - 1], *lines[rules[0] + 1 : stop]]]
    return _spaced(lines)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _spaced(lines: Sequence[str]) -> list[list[str]] | None:
    """Return rows that are divided by spaces alone, where a column holds numbers below a name."""
    full = [line.strip() for line in lines if line.strip()]
    if len(full) <= _LEAST or any(sign in line for line in full[:_LEAST] for sign in ",;\t|{"):
        return None
    for sign in (r" {2,}", r" +"):
        rows = [re.split(sign, line) for line in full]
        width = len(rows[0])
        regular = width > 1 and all(len(row) == width for row in rows) and not any(map(is_numeral, rows[0]))
        if regular and any(all(is_numeral(row[place]) for row in rows[1:]) for place in range(1, width)):
            return rows
    return None
