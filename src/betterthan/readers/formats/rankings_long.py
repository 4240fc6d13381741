"""One entry of a ranking per row: ranking, system, rank."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import UnclearError, spelling
from betterthan.engine import MISSING, Coded, Table
from betterthan.evidence import Check, Kind, Rankings, Reading, text_numbers
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import build, refuse_without_data_set, repeats
from betterthan.readers.columns.roles import Columns
from betterthan.readers.format import Recognition
from betterthan.readers.formats.rankings_wide import REMEDY

_NEEDED = ("ranking", "system", "rank")
_ROLES = (*_NEEDED, "item", "judge", "weight", "dataset")


class RankEntriesFormat:
    """A row per system and ranking."""

    name: ClassVar[str] = "rankings-long"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "one entry of a ranking per row: ranking, system, rank"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset(_ROLES)
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for the columns system, rank and ranking; who asks for rankings may have forgotten the last."""
        columns = Columns.of(found, options, self.uses)
        if options.rank:
            return Recognition(1.0, "a column of ranks was named")
        named = [columns.role(role, getattr(options, role)) for role in _NEEDED]
        if not (named[1] and named[2]) or (named[0] is None and options.kind != "rankings"):
            return None
        return Recognition(0.7, f"columns {', '.join(name for name in named if name)}")

    def read(self, found: Table, options: ReadOptions) -> Rankings:
        """Read every row as the rank of one system in one ranking."""
        columns = Columns.of(found, options, self.uses)
        roles = {role: column for role in _ROLES if (column := columns.role(role, getattr(options, role)))}
        lacking = [role for role in _NEEDED if role not in roles]
        if lacking:
            raise UnclearError(
                f"long rankings need a column for {', '.join(lacking)}; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option(lacking[0])}.",
            )
        rows = found.rows(list(roles.values()))
        check = Check(found, rows, options.on_error)
        ranking, system = rows.columns[roles["ranking"]], rows.columns[roles["system"]]
        check.refuse(
            "missing ranking",
            ranking.codes == MISSING,
            "the ranking's id is missing",
            "Every entry belongs to a ranking: fill it in.",
        )
        check.refuse(
            "missing name",
            system.codes == MISSING,
            "the system's name is missing",
            "Every entry needs a system: fill it in.",
        )
        given = text_numbers.numbers(rows.columns[roles["rank"]])
        check.refuse(
            "bad rank", given.wrong | given.missing, "the rank {0} is not a finite number", REMEDY, [roles["rank"]]
        )
        dataset = check.columns[roles["dataset"]] if "dataset" in roles else None
        refuse_without_data_set(check, dataset, roles.get("dataset", ""))
        # Data sets may number their rankings alike.
        part = dataset.codes if dataset else np.zeros(len(ranking.codes), dtype=np.int64)
        whole = part * (len(ranking.labels) + 1) + ranking.codes
        check.refuse(
            "duplicate entry",
            repeats(whole * (len(system.labels) + 1) + system.codes, ~check.bad),
            "{0} is ranked twice in the ranking {1}",
            "A system has one rank per ranking: remove one of them.",
            [roles["system"], roles["ranking"]],
        )
        weights = check.amounts(roles["weight"], "weight") if "weight" in roles else np.ones(len(check.times))
        kept = np.flatnonzero(~check.bad)
        _, first, codes = np.unique(whole[kept], return_index=True, return_inverse=True)
        appearance = np.argsort(first)  # rankings are numbered as they come, for models in which the order matters
        of = np.argsort(appearance)[codes.ravel()]
        rows_of = kept[first[appearance]]
        about: dict[str, Coded] = {
            role: rows.columns[roles[role]].take(rows_of) for role in ("item", "judge", "dataset") if role in roles
        }
        about["ranking"] = Coded(ranking.codes[rows_of], ranking.labels)
        return build(
            check,
            system.labels,
            (of, system.codes[kept], given.values[kept]),
            weights[rows_of],
            about=about,
            rows=(kept, of),
            dataset=dataset,
            divided_by=roles.get("dataset", "dataset"),
            reading=Reading.of(self.name, roles, found.columns),
        )

    def example(self, folder: Path) -> Any:
        """Return two rankings, one of them partial."""
        del folder
        return {
            "ranking": ["r1", "r1", "r1", "r2", "r2"],
            "judge": ["ann", "ann", "ann", "bob", "bob"],
            "system": ["owl", "yak", "elk", "yak", "owl"],
            "rank": [1, 2, 2, 1, 3],
        }


FORMAT = RankEntriesFormat()
