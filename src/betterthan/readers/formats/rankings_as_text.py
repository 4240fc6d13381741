"""One ranking per row as a text: 'A > B = C', or a list from the best to the worst."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import MISSING, Table
from betterthan.evidence import Check, Kind, Rankings, Reading, outcomes
from betterthan.options import ReadOptions
from betterthan.readers.columns.order_texts import ABOUT, Order, about_columns, parse_order, rankings_of
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.format import Recognition

_NAMES = frozenset(
    {
        "order",
        "orders",
        "ordering",
        "ranking",
        "rankings",
        "ranked",
        "ranks",
        "rank",
        "rank_order",
        "ranked_systems",
        "ranked_models",
        "ranked_list",
        "preference",
        "preferences",
        "preference_order",
        "ballot",
        "ballots",
        "vote",
        "votes",
        "permutation",
    }
)


class RankTextsFormat:
    """A column of whole orders; '=' or a list within the list are ties."""

    name: ClassVar[str] = "rankings-as-text"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "one ranking per row as text: 'A > B = C', or a list of systems, the best first"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({*ABOUT, "orders", "counts"})
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for one column of orders of systems that occur again."""
        if options.orders:
            return Recognition(1.0, "a column of orders was named")
        if Columns.of(found, options).role("system", options.system):
            return None  # where a column names systems, orders of them are irrelevant
        named = _columns(found, options)
        return Recognition(0.75, f"column {', '.join(named)} of whole orders") if named else None

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as a ranking."""
        columns = Columns.of(found, options)
        named = [columns.given(options.orders)] if options.orders else _columns(found, options)
        if len(named) != 1:
            what = f"columns {', '.join(named)} hold" if named else "no column holds"
            raise EvidenceError(
                f"{what} orders such as 'A > B > C'; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name the column with {spelling.option('orders')}.",
            )
        about = about_columns(columns, options, named)
        rows = found.rows([named[0], *about.values()])
        check = Check(found, rows, options.on_error)
        column = rows.columns[named[0]]
        parsed = [parse_order(label) for label in column.labels]
        orders: list[Order | None] = [None if code == MISSING else parsed[code] for code in column.codes]
        check.refuse(
            "bad order",
            np.array([order is None for order in orders], dtype=bool),
            "{0} is no order of systems",
            'An order reads \'A > B = C\' or ["A", "B"], with at least two systems and each of them once.',
            named,
        )
        return rankings_of(check, orders, about, Reading.of(self.name, {"order": named[0], **about}, found.columns))

    def example(self, folder: Path) -> Any:
        """Return three rankings, one with a tie and one partial."""
        del folder
        return {"judge": ["ann", "bob", "cid"], "order": ["owl > yak > elk", "yak > owl = elk", "elk>owl"]}


def _columns(table: Table, options: ReadOptions) -> list[str]:
    """Return the columns that are called like orders and hold nothing else."""
    left = [name for name in table.columns if normal(name) in _NAMES and name not in {options.item, options.judge}]
    return table.once(("orders", tuple(left)), lambda: [name for name in left if _holds_orders(table, name)])


def _holds_orders(table: Table, name: str) -> bool:
    try:
        column = table.distinct([name]).columns[name]
    except EvidenceError:  # nested values that are no texts
        return False
    orders = [parse_order(label) for label in column.labels]
    known = [order for order in orders if order is not None]
    if not known or len(known) < len(orders) or not any(len(order) > 1 for order in known):
        return False
    names = [name for order in known for place in order for name in place]
    # 'A>B' and 'B>A' say which of two sides is better, not which system.
    sides = len(set(names)) == 2 and all(outcomes.is_outcome(name) for name in names)
    return not sides and (len(known) == 1 or len(names) > len(set(names)))


FORMAT = RankTextsFormat()
