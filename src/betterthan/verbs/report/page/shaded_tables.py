"""Tables with shaded cells: breakdowns, and ranks on several data sets."""

from math import floor, log10
from typing import Any

from betterthan.present import Table
from betterthan.verbs.report.breakdown import Breakdown


def breakdown_table(found: Breakdown) -> dict[str, Any]:
    """Return a breakdown for the template: texts, numbers to sort by, and shades from 0 to 1."""
    known = [value for row in found.values for value in row if value is not None] or [0.0]
    low, span = min(known), (max(known) - min(known)) or 1.0
    share = found.what.startswith("Win rate")
    digits = max(0, 2 - floor(log10(span)))  # three digits of what the values differ in
    noun = "judgments" if share else "scores"

    def shown(value: float) -> str:
        return f"{100 * value:.0f} %" if share else f"{value:.{digits}f}".replace("-", "−")

    rest = (
        f"; the {len(found.parts)} of {found.number} with most {noun} are shown"
        if found.number > len(found.parts)
        else ""
    )
    return {
        "by": found.by,
        "caption": f"{found.what} by {found.by}{rest}",
        "head": [(name, f"{size:,} {noun}") for name, size in zip(found.parts, found.sizes, strict=True)],
        "rows": [
            (system, [None if one is None else (shown(one), one, round((one - low) / span, 2)) for one in row])
            for system, row in zip(found.systems, found.values, strict=True)
        ],
    }


def overview_table(table: Table) -> dict[str, Any]:
    """Return ranks on several data sets for the template: the better the rank, the darker."""
    ranks = [[_rank(cell) for cell in row[1:-1]] for row in table.rows]
    most = max((rank for row in ranks for rank in row if rank), default=1)
    shade = [[None if rank is None else round((most - rank) / max(most - 1, 1), 2) for rank in row] for row in ranks]
    return {
        "head": [column.title for column in table.columns],
        "rows": [
            (row[0], list(zip(row[1:-1], shades, strict=True)), row[-1])
            for row, shades in zip(table.rows, shade, strict=True)
        ],
    }


def _rank(text: str) -> int | None:
    return int(text.split(maxsplit=1)[0]) if text else None
