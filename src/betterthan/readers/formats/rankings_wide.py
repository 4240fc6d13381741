"""One ranking per row, one column of ranks per system."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.engine import Table
from betterthan.evidence import Kind, Rankings, Reading
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import build, refuse_without_data_set
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import look_for_systems, ranks_or_scores
from betterthan.readers.format import Recognition

_ROLES = ("ranking", "item", "judge", "weight", "dataset")
REMEDY = "Ranks are finite numbers, 1 the best; leave the cell of an unranked system empty."


class RankTableFormat:
    """A column per system with its rank; an empty cell is a system that was not ranked."""

    name: ClassVar[str] = "rankings-wide"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "one ranking per row: a column of ranks per system, 1 the best"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({*_ROLES, "systems"})
    surest: ClassVar[float] = 0.5

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Check the numbers, unless rankings were requested."""
        if options.kind == "rankings":
            return Recognition(0.2, "rankings were asked for")
        return ranks_or_scores(found, options)["rankings"]

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as a ranking."""
        columns = Columns.of(found, options, self.uses)
        wide = look_for_systems(found, options)
        check, values = wide.checked(found, options, "rank", REMEDY)
        named = {role: column for role in _ROLES if (column := columns.role(role, getattr(options, role)))}
        about = {role: column for role, column in named.items() if column not in wide.systems}
        reading = Reading.of(self.name, {**about, "systems": wide.systems}, found.columns)
        weight = about.pop("weight", None)
        weights = check.amounts(weight, "weight") if weight else np.ones(len(check.times))
        dataset = check.columns[about["dataset"]] if "dataset" in about else None
        refuse_without_data_set(check, dataset, about.get("dataset", ""))
        kept = np.flatnonzero(~check.bad)
        ranks = values[kept]
        ranking, system = np.nonzero(~np.isnan(ranks))
        described = {role: check.columns[column].take(kept) for role, column in about.items()}
        return build(
            check,
            wide.systems,
            (ranking, system, ranks[ranking, system]),
            weights[kept],
            about=described,
            rows=(kept, np.arange(len(kept))),
            dataset=dataset,
            divided_by=about.get("dataset", "dataset"),
            reading=reading,
        )

    def example(self, folder: Path) -> Any:
        """Return three rankings of three systems."""
        del folder
        return {"judge": ["ann", "bob", "cid"], "owl": [1, 2, 1], "yak": [2, 1, 3], "elk": [3, 3, 2]}


FORMAT = RankTableFormat()
