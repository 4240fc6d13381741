"""Rankings: several systems ordered at once, ties and partial rankings allowed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.equal import Equal
from betterthan.engine.table import Coded
from betterthan.evidence.account import Account
from betterthan.evidence.closing import Closing
from betterthan.evidence.judgments import Judgments, judgments_from_columns

_WORDS = ("left", "right", "tie")  # sorted, as labels are
_LEFT, _RIGHT, _TIE = range(3)


@dataclass(frozen=True, repr=False, eq=False)
class Rankings(Equal, Closing):
    """Entries (ranking, system, rank), rank 1 the best; item, judge and weight belong to whole rankings.

    >>> ballots = read_rankings({"owl": [1, 2], "yak": [2, 1], "elk": [2, 3]}, layout="wide")
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

    kind = "rankings"

    def to_judgments(self) -> Judgments:
        """Compare all pairs within each ranking; the ranking stays the unit of resampling."""
        first, second = _pairs_within(self.ranking)
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
        return judgments_from_columns(columns, self.name, "rankings→pairs")

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
