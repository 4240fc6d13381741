"""One item per row, one column of scores per system."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError, IntArray, spelling
from betterthan.engine import MISSING, Table
from betterthan.evidence import Check, Kind, Reading, Scores, ScoreTable
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import repeats
from betterthan.readers.builders.score_tables import SCORE_REMEDY, checked, directed, grouped
from betterthan.readers.columns.direction import Directions, as_asked, refuse_file_of_errors, shared_metric
from betterthan.readers.columns.plausible_scores import plausible
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import index_column, likely_item, look_for_systems, ranks_or_scores
from betterthan.readers.format import Recognition


class ScoreTableFormat:
    """A column per system with its score on every item."""

    name: ClassVar[str] = "scores-wide"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one item per row: a column of scores per system"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"item", "systems", "group", "lower_is_better", "missing_codes"})
    surest: ClassVar[float] = 0.5

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Check the numbers, unless scores were requested."""
        if options.kind == "scores":
            return Recognition(0.2, "scores were asked for")
        return ranks_or_scores(found, options)["scores"]

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every row as an item."""
        asked = as_asked(options.lower_is_better)
        if not isinstance(asked, bool | None):
            raise EvidenceError(
                "a wide table has one metric",
                where=found.name,
                remedy=f"Use {spelling.option('lower_is_better', True)}.",
            )
        columns = Columns.of(found, options, self.uses)
        wide = look_for_systems(found, options)
        directions, metric = Directions(asked), shared_metric(wide.systems)
        if asked is None and not metric:
            refuse_file_of_errors(found)
        directions.settle([metric], found.name)
        lower = directions.lower("", metric)
        by_name = replace(wide, systems=tuple(sorted(wide.systems)))
        check, values = by_name.checked(found, options, "score", SCORE_REMEDY)
        named = columns.role("item", options.item) or likely_item(found, columns, options) or index_column(found)
        labels = _items(check, named if named not in wide.systems else None)
        together = grouped(check, options.group) if options.group else None
        account = check.settle()
        used = {*wide.systems, *check.columns}
        kept: IntArray | slice = np.flatnonzero(~check.bad) if np.any(check.bad) else slice(None)
        table = ScoreTable(
            "",
            tuple(labels[kept]),
            by_name.systems,
            directed(values[kept], lower),
            lower,
            groups=together.take(kept) if together else None,
            grouped_by=options.group or "",
            metric=metric,
            source=check.source(good := np.flatnonzero(~check.bad), np.arange(len(good)), used),
        ).in_canonical_order(named=bool(named and named not in wide.systems))
        roles = {"item": named or "", "group": options.group or "", "systems": wide.systems}
        reading = Reading.of(self.name, roles, found.columns, directions.check([table], found.name))
        return plausible(checked(Scores((table,), account, found.name, reading)), options)

    def example(self, folder: Path) -> Any:
        """Return the scores of two systems on three items, one of them missing."""
        del folder
        return {"item": ["i1", "i2", "i3"], "owl": [0.5, 0.7, 0.1], "yak": [0.4, 0.9, None]}


def _items(check: Check, name: str | None) -> NDArray[Any]:
    """Return the name of every item; they are numbered where nothing names them."""
    size = len(check.times)
    if name is None:
        width = len(str(size))
        return np.array([f"{number + 1:0{width}d}" for number in range(size)], dtype=object)
    column = check.columns[name]
    check.refuse("missing item", column.codes == MISSING, "the item is missing", "Every row is an item: fill it in.")
    check.refuse(
        "duplicate item",
        repeats(column.codes, ~check.bad),
        "the item {0} occurs twice",
        "A wide table has one row per item: remove one of them.",
        [name],
    )
    return column.texts()


FORMAT = ScoreTableFormat()
