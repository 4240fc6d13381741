"""Comparisons that were requested and are not answered yet, as written by `next`."""

from dataclasses import dataclass
from typing import Any

from betterthan.base import EvidenceError, spelling
from betterthan.readers import Columns, open_table


@dataclass(frozen=True)
class PendingComparison:
    """One comparison: its systems, and its item and judge, if any."""

    systems: tuple[str, ...]
    item: str | None = None
    judge: str | None = None


def read_outstanding(source: Any) -> list[PendingComparison]:
    """Read a table with columns left and right, or system_1, system_2 …, and perhaps item and judge."""
    table = open_table(source)
    columns = Columns(table.columns, table.name)
    many = [name for name in table.columns if name.startswith("system_") and name.removeprefix("system_").isdigit()]
    sides = tuple(many) if len(many) > 2 else columns.sides(None, None)
    if sides is None:
        raise EvidenceError(
            f"no columns for the systems to compare; the columns are {columns.listed()}",
            where=table.name,
            remedy=f"Name them left and right, or system_1, system_2 …, as {spelling.verb('next')} does.",
        )
    roles = {role: name for role in ("item", "judge") if (name := columns.role(role)) and name not in sides}
    rows = table.rows([*sides, *roles.values()]).columns
    texts = {name: rows[name].texts().tolist() for name in (*sides, *roles.values())}
    asked = []
    for place in range(len(texts[sides[0]])):
        names = tuple(texts[side][place] for side in sides if texts[side][place] is not None)
        if len(names) < 2 or len(set(names)) < len(names):
            raise EvidenceError(f"{table.name}: row {place + 1} must name at least two different systems, got {names}.")
        asked.append(
            PendingComparison(
                names, *(texts[roles[role]][place] if role in roles else None for role in ("item", "judge"))
            )
        )
    return asked
