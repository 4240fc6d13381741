"""Rankings: several systems ordered at once, ties and partial rankings allowed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from betterthan.base import ArrayEquality, EvidenceError, FloatArray, IntArray
from betterthan.engine import Coded, Table
from betterthan.evidence.judgments import Judgments, judgments_from_columns
from betterthan.evidence.protocol import Closing
from betterthan.evidence.reading_report import Reading
from betterthan.evidence.rows.account import Account, Refusal
from betterthan.evidence.rows.size_limits import bounded_comparisons, bounded_names, need_two

if TYPE_CHECKING:
    from betterthan.evidence.rows.source_rows import SourceRows

_WORDS = ("left", "right", "tie")  # sorted, as labels are
_LEFT, _RIGHT, _TIE = range(3)


@dataclass(frozen=True, repr=False, eq=False)
class Rankings(ArrayEquality, Closing):
    """Entries (ranking, system, rank), rank 1 the best; item, judge and weight belong to whole rankings.

    >>> ballots = read_rankings({"owl": [1, 2], "yak": [2, 1], "elk": [2, 3]})
    >>> print(ballots)
    2 rankings · 3 systems · 0 refused
    """

    systems: tuple[str, ...]
    ranking: IntArray
    system: IntArray
    rank: FloatArray
    weight: FloatArray
    about: Mapping[str, Coded]
    account: Account
    name: str
    conversion: str = ""
    accounts: Mapping[str, Account] = field(default_factory=dict)  # of every data set, where `about` separates them
    divided_by: str = "dataset"  # the column that does
    reading: Reading | None = field(default=None, compare=False)
    fixed: tuple[str, ...] = ()  # units that are taken as given, not as a sample of others
    source: "SourceRows | None" = field(default=None, compare=False)  # the rows, for further columns
    covariates: Mapping[str, Coded] = field(default_factory=dict, compare=False)  # further columns, as read

    kind = "rankings"

    def __post_init__(self) -> None:
        bounded_names(self.systems, self.name)
        sizes = np.bincount(self.ranking)
        bounded_comparisons(int(np.sum(sizes * (sizes - 1) // 2)), self.name, size=16)  # two whole numbers each
        if np.max(sizes, initial=0) < 2:
            raise EvidenceError(
                "no ranking holds two systems, so nothing is compared",
                where=self.name,
                remedy="Check which column says which ranking a row belongs to.",
            )

    @property
    def table(self) -> Table | None:
        """The table that further columns are read from."""
        return None if self.source is None else self.source.table

    def close(self) -> None:
        """Close open files."""
        if self.table is not None:
            self.table.close()

    def described(self, names: Iterable[str]) -> "Rankings":
        """Return the same rankings with further columns of the table they were read from.

        Names without a column are left to those who need them.

        Parameters
        ----------
        names : iterable of str
            Names of columns.

        Returns
        -------
        Rankings
            The rankings with these columns.
        """
        found = {}
        for name in names:
            if self.source is None or name in {*self.about, *self.covariates} or not self.source.has(name):
                continue
            column = self.source.each(name, len(self.weight))
            if column is None:
                raise EvidenceError(
                    f"the column {name!r} differs within a ranking, so it describes no ranking",
                    where=self.name,
                    remedy="Use a column that is the same for all systems of a ranking.",
                )
            found[name] = column
        return replace(self, covariates={**self.covariates, **found})

    def with_unranked_last(self) -> "Rankings":
        """Return the same rankings with the systems that they lack below all others, at the rank infinity.

        Systems at infinity are not compared with each other.
        """
        there = np.zeros((len(self.weight), len(self.systems)), dtype=bool)
        there[self.ranking, self.system] = True
        ranking, system = np.nonzero(~there)
        return replace(
            self,
            ranking=np.concatenate([self.ranking, ranking]),
            system=np.concatenate([self.system, system]),
            rank=np.concatenate([self.rank, np.full(len(ranking), np.inf)]),
        )

    def data_sets(self) -> list[tuple[str, "Rankings"]]:
        """Return the rankings of every data set with its title; each has its own systems."""
        if "dataset" not in self.about:
            return [("", self)]
        column = self.about["dataset"]
        used = [(code, label) for code, label in enumerate(column.labels) if np.any(column.codes == code)]
        return [(label, self._part(np.flatnonzero(column.codes == code), label)) for code, label in used]

    @property
    def left_out(self) -> Account | None:
        """How many rows were read, kept and refused, before they were split by data set."""
        if "dataset" not in self.about:
            return None
        refusals = tuple(
            Refusal(refusal.reason, lost)
            for refusal in self.account.refusals
            if (lost := refusal.rows - sum(part.rows_refused(refusal.reason) for part in self.accounts.values()))
        )
        return Account(self.account.read, refusals)

    def _part(self, kept: IntArray, label: str) -> "Rankings":
        """Return some rankings, with the systems that occur in them."""
        place = np.full(len(self.weight), -1)
        place[kept] = np.arange(len(kept))
        entries = np.flatnonzero(place[self.ranking] >= 0)
        codes, system = np.unique(self.system[entries], return_inverse=True)
        where = f"{self.name} ({label})"
        need_two([self.systems[code] for code in codes], where)
        about = {role: column.take(kept) for role, column in self.about.items() if role != "dataset"}
        return Rankings(
            tuple(self.systems[code] for code in codes),
            place[self.ranking[entries]],
            system,
            self.rank[entries],
            self.weight[kept],
            about,
            self.accounts.get(label, Account(len(kept))),
            where,
            self.conversion,
            source=None if self.source is None else self.source.kept(place),
        )

    def to_judgments(self) -> Judgments:
        """Compare all pairs within each ranking; the ranking stays the unit of resampling."""
        first, second = _pairs_within(self.ranking)
        compared = np.isfinite(self.rank[first]) | np.isfinite(self.rank[second])
        first, second = first[compared], second[compared]
        gap = self.rank[first] - self.rank[second]
        outcome = np.where(gap < 0, _LEFT, np.where(gap > 0, _RIGHT, _TIE))
        of = self.ranking[first]
        columns = {
            "left": Coded(self.system[first], self.systems),
            "right": Coded(self.system[second], self.systems),
            "outcome": Coded(outcome, _WORDS),
            **{role: column.take(of) for role, column in self.about.items()},
        }
        if np.any(self.weight != 1.0):
            columns["weight"] = Coded.of(self.weight[of])
        more = {name: column.take(of) for name, column in self.covariates.items()}
        return judgments_from_columns(columns, self.name, "rankings->pairs", more)

    def __repr__(self) -> str:
        return f"<Rankings: {self}>"

    def __str__(self) -> str:
        parts = [f"{len(self.weight):,} rankings", f"{len(self.systems):,} systems"]
        parts += [f"{len(column.labels):,} {role}s" for role, column in self.about.items() if role != "ranking"]
        return " · ".join([*parts, f"{self.account.refused:,} refused"])


def _pairs_within(ranking: IntArray) -> tuple[IntArray, IntArray]:
    """Return positions of all pairs of entries that share a ranking, rankings of equal size at once."""
    order = np.argsort(ranking, kind="stable")
    starts = np.flatnonzero(np.diff(ranking[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    firsts, seconds = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        upper, lower = np.triu_indices(size, 1)
        begin = starts[sizes == size][:, None]
        firsts.append(order[begin + upper].ravel())
        seconds.append(order[begin + lower].ravel())
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    in_order = np.argsort(ranking[first], kind="stable")
    return first[in_order], second[in_order]
