"""Disagreement of two models about the order of the same systems."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.base import IntArray, scipy


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
    opposite, tied_once = 0, 0
    for place in range(len(ranks_a) - 1):  # system by system: all pairs at once may not fit
        one, two = (np.sign(ranks[place + 1 :] - ranks[place]) for ranks in (ranks_a, ranks_b))
        opposite += int(np.sum(one * two == -1))
        tied_once += int(np.sum((one == 0) != (two == 0)))
    pairs = len(ranks_a) * (len(ranks_a) - 1) // 2
    kendall, spearman = _correlations(ranks_a, ranks_b)
    return Disagreement(
        a=a,
        b=b,
        pairs_differ=(opposite + tied_once / 2) / max(pairs, 1),
        same_best=_top(ranks_a, 1) == _top(ranks_b, 1),
        same_top3=_top(ranks_a, 3) == _top(ranks_b, 3),
        kendall=kendall,
        spearman=spearman,
        title=title,
    )


def _top(ranks: IntArray, number: int) -> set[int]:
    return set(np.flatnonzero(ranks <= number).tolist())


def _correlations(ranks_a: IntArray, ranks_b: IntArray) -> tuple[float | None, float | None]:
    """Return Kendall's τ-b and Spearman's ρ, None where a ranking ties all."""
    if any(len(np.unique(ranks)) < 2 for ranks in (ranks_a, ranks_b)):
        return None, None
    kendall, spearman = scipy.stats.kendalltau(ranks_a, ranks_b), scipy.stats.spearmanr(ranks_a, ranks_b)
    return float(kendall.statistic), float(spearman.statistic)
