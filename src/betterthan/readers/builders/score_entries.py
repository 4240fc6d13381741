"""Build score tables (items × systems) from single scores, one per data set and metric."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, spelling
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Check, Repeats, ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.readers.builders.ranking_builder import repeats
from betterthan.readers.builders.reduced_repeats import Reduction
from betterthan.readers.builders.score_parts import Computed
from betterthan.readers.builders.score_tables import directed


@dataclass(frozen=True)
class Entries:
    """Columns of single scores, by role; `metric` and `values` are two ways to separate metrics."""

    item: Coded
    system: Coded
    values: Mapping[str, FloatArray]  # a column per metric
    dataset: Coded | None = None
    metric: Coded | None = None
    repeat: Coded | None = None
    repeated_by: str = ""
    unnamed_repeats: bool = False  # is every score repeated as often, and no column distinguishes the repeats?
    judge: Coded | None = None  # among the columns that distinguish repeated scores
    group: Coded | None = None
    grouped_by: str = ""
    reduction: Reduction | None = None  # what repeated scores become instead of their mean
    computed: Computed = field(default_factory=Computed)  # direction and parts, where `score` wrote them

    def refuse(self, check: Check, roles: Mapping[str, str], remedy: str) -> None:
        """Refuse entries without a system or an item, and duplicate scores that no column distinguishes."""
        check.refuse(
            "missing name",
            self.system.codes == MISSING,
            "the system's name is missing",
            "Every score belongs to a system: fill it in.",
        )
        check.refuse(
            "missing item",
            self.item.codes == MISSING,
            "the item is missing",
            "Every score belongs to an item: fill it in.",
        )
        if self.repeat is not None:
            check.refuse(
                "missing repeat",
                self.repeat.codes == MISSING,
                f"there is no value in column {self.repeated_by!r}",
                "It distinguishes repeated scores: fill it in.",
            )
        once = self._item * (len(self.system.labels) + 1) + self.system.codes
        if self.repeat is not None:
            once = once * (len(self.repeat.labels) + 1) + self.repeat.codes
        check.refuse(
            "duplicate score",
            repeats(once, ~check.bad & (not self.unnamed_repeats)),
            "{0} has two scores on the item {1}",
            remedy,
            [roles["system"], roles["item"]],
            unclear=self.repeat is None,
        )
        if self.group is not None:
            check.refuse(
                "two groups",
                _divided(self._item, self.group.codes, check),
                "the item {0} is in the group {1} and in another",
                "An item belongs to one group: correct its rows, or name another column with "
                f"{spelling.option('group')}.",
                [roles["item"], roles["group"]],
            )

    @property
    def _parts(self) -> tuple[IntArray, list[tuple[str, str]]]:
        """The data set and metric of every entry, as codes into pairs of labels."""
        nothing = Coded(np.zeros(len(self.item.codes), dtype=np.int64), ("",))
        dataset, metric = self.dataset or nothing, self.metric or nothing
        stacked = np.stack([dataset.codes, metric.codes])
        combinations, codes = np.unique(stacked, axis=1, return_inverse=True)
        labels = [((*dataset.labels, "")[one], (*metric.labels, "")[other]) for one, other in combinations.T]
        return codes.ravel().astype(np.int64), labels

    @property
    def _repeated(self) -> bool:
        return self.repeat is not None or self.unnamed_repeats

    @property
    def _item(self) -> IntArray:
        return self._parts[0] * (len(self.item.labels) + 1) + self.item.codes

    def tables(
        self, check: Check, lower: Callable[[str, str, bool | None], bool], used: Collection[str] = ()
    ) -> tuple[list[ScoreTable], list[Finding]]:
        """Return a table per data set and metric of the good entries.

        `lower` decides for both whether lower is better, given the directions in the rows. `used` are the columns with
        a role.
        """
        codes, parts = self._parts
        tables, most = [], 0
        for code, (dataset, metric) in enumerate(parts):
            kept = np.flatnonzero(~check.bad & (codes == code))
            for column, values in self.values.items() if len(kept) else ():
                named = metric or column
                less = lower(dataset, named, self.computed.is_lower(kept))
                table, repeated = self._table(kept, values[kept], check, used, lower=less)
                if self.metric is not None and not self._repeated:
                    table = replace(table, parts=self.computed.arranged(kept, self.item.codes, self.system.codes))
                shown = metric if len(self.values) == 1 else " ".join(word for word in (metric, column) if word)
                title = " ".join(word for word in (dataset, shown) if word)
                tables.append(replace(table, title=title, dataset=dataset, metric=named))
                most = max(most, repeated)
        if self.reduction is not None:
            if most < 2:
                raise EvidenceError(
                    "no system has two scores on an item",
                    where=check.table.name,
                    remedy=f"Leave out {spelling.option('reduce', str(self.reduction))}.",
                )
            return tables, [kinds.reading.REPEATS_REDUCED.found(most=most, how=str(self.reduction))]
        if most > 1 and self.judge is not None:
            judges = len(np.unique(self.judge.codes[~check.bad]))
            return tables, [kinds.reading.JUDGES_AVERAGED.found(most=most, judges=judges)]
        if most > 1 and self.unnamed_repeats:
            return tables, [kinds.reading.UNNAMED_REPEATS.found(most=most)]
        return tables, [kinds.reading.REPEATS_AVERAGED.found(most=most, by=self.repeated_by)] if most > 1 else []

    def _table(
        self, kept: IntArray, values: FloatArray, check: Check, used: Collection[str], *, lower: bool
    ) -> tuple[ScoreTable, int]:
        """Arrange scores as items × systems; repeated ones become one, by default the mean of those that are there."""
        _, first = np.unique(self.item.codes[kept], return_index=True)
        came = np.argsort(first)
        # Sums of repeated scores must not depend on the order of rows either.
        repeat = (values, *(() if self.repeat is None else (self.repeat.codes[kept],))) if self._repeated else ()
        order = np.lexsort((*repeat, self.system.codes[kept], self.item.codes[kept]))
        kept, values = kept[order], values[order]
        items, first, row = np.unique(self.item.codes[kept], return_index=True, return_inverse=True)
        systems, column = np.unique(self.system.codes[kept], return_inverse=True)
        matrix = np.full((len(items), len(systems)), np.nan)
        scores, number = directed(values, lower), 1
        matrix[row, column] = scores
        again = None
        if self._repeated:
            cell, there = row * len(systems) + column, ~np.isnan(scores)
            counts = np.bincount(cell[there], minlength=matrix.size)
            total = np.bincount(cell[there], weights=scores[there], minlength=matrix.size)
            matrix = np.divide(total, counts, out=np.full(matrix.size, np.nan), where=counts > 0).reshape(matrix.shape)
            number = int(counts.max(initial=0))
            if self.reduction is not None:
                one = self.reduction.reduced(cell[there], scores[there], matrix.size, check.table.name, lower=lower)
                matrix = one.reshape(matrix.shape)
        if self.repeat is not None and self.reduction is None:
            judge = None if self.judge is None else self.judge.take(kept)
            again = Repeats(row, column, self.repeat.take(kept), scores, judge, kept)
        table = ScoreTable(
            "",
            tuple(self.item.labels[code] for code in items),
            tuple(self.system.labels[code] for code in systems),
            matrix,
            lower,
            came,
            repeats=again,
            source=check.source(kept, row.ravel(), used),
        )
        if self.group is not None:
            table = replace(table, groups=self.group.take(kept[first]), grouped_by=self.grouped_by)
        return table, number


def _divided(item: IntArray, group: IntArray, check: Check) -> BoolArray:
    """Mark good rows whose item is in another group in its first good row."""
    divided = np.zeros(len(item), dtype=bool)
    rows = np.flatnonzero(~check.bad)
    _, first, place = np.unique(item[rows], return_index=True, return_inverse=True)
    divided[rows] = group[rows] != group[rows][first[place]]
    return divided
