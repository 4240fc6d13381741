"""How far two models order the same systems differently."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Disagreement:
    """Two models compared on the systems that both can place.

    `pairs_differ` is the share of pairs that they order differently; a pair that only one of them ties counts half.
    `kendall` (tau-b) and `spearman` correlate the ranks; they are None where a model ties all systems.
    """

    a: str
    b: str
    pairs_differ: float
    same_best: bool
    same_top3: bool
    kendall: float | None
    spearman: float | None
    title: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def disagree(a: str, ranks_a: IntArray, b: str, ranks_b: IntArray, title: str | None = None) -> Disagreement:
    """Compare two rankings of the same systems (1 is best; equal ranks are ties)."""
    opposite, tied_once, both, only = 0, 0, 0, [0, 0]
    for place in range(len(ranks_a) - 1):
        one, two = (np.sign(ranks[place + 1 :] - ranks[place]) for ranks in (ranks_a, ranks_b))
        opposite += int(np.sum(one * two == -1))
        both += int(np.sum(one * two))
        tied_once += int(np.sum((one == 0) != (two == 0)))
        only = [only[0] + int(np.sum(one != 0)), only[1] + int(np.sum(two != 0))]
    pairs = len(ranks_a) * (len(ranks_a) - 1) // 2
    return Disagreement(
        a=a,
        b=b,
        pairs_differ=(opposite + tied_once / 2) / max(pairs, 1),
        same_best=_top(ranks_a, 1) == _top(ranks_b, 1),
        same_top3=_top(ranks_a, 3) == _top(ranks_b, 3),
        kendall=both / float(np.sqrt(only[0]) * np.sqrt(only[1])) if all(only) else None,
        spearman=_correlation(_midranks(ranks_a), _midranks(ranks_b)),
        title=title,
    )


def _top(ranks: IntArray, number: int) -> set[int]:
    return set(np.flatnonzero(ranks <= number).tolist())


def _midranks(ranks: IntArray) -> FloatArray:
    _, group, size = np.unique(ranks, return_inverse=True, return_counts=True)
    middle: FloatArray = (np.cumsum(size) - (size - 1) / 2)[group.ravel()]
    return middle


def _correlation(one: FloatArray, two: FloatArray) -> float | None:
    one, two = one - one.mean(), two - two.mean()
    size = float(np.sqrt(one @ one) * np.sqrt(two @ two))
    return float(one @ two) / size if size > 0 else None
