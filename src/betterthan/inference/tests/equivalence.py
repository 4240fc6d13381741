"""Equivalence tests: whether two systems are equally good."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.base import scipy
from betterthan.inference.intervals.studentised import Studentised, studentise
from betterthan.inference.tests.mcnemar import bonett_price
from betterthan.inference.tests.paired_tests import Differences, effective_items

_DRAWS = 20_000


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (TOST) and the Bayesian sign test, with an equivalence margin.

    `p` (by Student's t) and `p_bootstrap` (by studentised resamples, for skewed differences or many ties) are small if
    the mean difference is within the margin. `better`, `equal` and `worse` are posterior probabilities that an item is
    most often won, within the margin, or lost (Benavoli et al. 2014).
    """

    margin: float
    how: str
    p: float
    p_bootstrap: float
    better: float
    equal: float
    worse: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def equivalence(
    differences: Differences, margin: float | None, rng: np.random.Generator, resampled: Studentised | None = None
) -> Equivalence:
    """Test against a margin; without one, a tenth of the scores' standard deviation is taken.

    `resampled` is the bootstrap of the mean difference, where there is one already.
    """
    how = "as given"
    if margin is None:
        margin = 0.1 * float(np.std(np.concatenate([differences.a, differences.b])))
        how = "a tenth of the scores' standard deviation"
    resampled = resampled or studentise(differences, rng)
    if not resampled.known:
        p = p_bootstrap = max(_without_variation(differences, margin), float(np.finfo(float).tiny))
    else:
        p = max(resampled.student_tail(gap) for gap in (-(resampled.mean + margin), resampled.mean - margin))
        if differences.binary and not differences.grouped:
            p = max(p, _of_answers(differences, margin))
        p_bootstrap = max(resampled.tail(-margin, above=False), resampled.tail(margin, above=True))
    return Equivalence(margin, how, p, p_bootstrap, *_most_often(differences, margin, rng))


def _without_variation(differences: Differences, margin: float) -> float:
    """Return p where all differences are the same: how likely that is if the mean lies at the margin.

    The share of items with another difference must then be large enough to bring the mean there.
    """
    usual, most, units = float(differences.values[0]), differences.range, len(differences.sums)
    if not differences.constant or abs(usual) >= margin or most == 0:
        return 1.0
    # If no other difference within the range of the scores can bring the mean there, even one more unit would not.
    gaps = [(margin - side) / (most - side) if most > side else 1.0 for side in (usual, -usual)]
    return max(0.0, 1 - min(gaps)) ** units


def _of_answers(differences: Differences, margin: float) -> float:
    """Return p of right and wrong answers, which Student's t takes for more certain than they are."""
    values, step = differences.values, differences.range
    centre, error = bonett_price(float(np.sum(values > 0)), float(np.sum(values < 0)), len(values))
    gaps = (-(centre + margin / step) / error, (centre - margin / step) / error)
    return max(float(scipy.special.ndtr(gap)) for gap in gaps)


def _most_often(differences: Differences, margin: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the posterior chances of the Bayesian sign test; items in groups count as the items they are worth."""
    values = differences.values
    signs = np.where(np.abs(values) <= margin, 0.0, np.sign(values))
    counts = np.array([np.sum(signs > 0), np.sum(signs == 0), np.sum(signs < 0)], dtype=float)
    worth = effective_items(differences, signs) / len(values) if differences.grouped else 1.0
    # The prior is one item on which the two are equal.
    won, tied, lost = rng.dirichlet(worth * counts + np.array([1e-9, 1.0, 1e-9]), _DRAWS).T
    better, equal = (won >= tied) & (won >= lost), (tied > won) & (tied >= lost)
    return float(np.mean(better)), float(np.mean(equal)), float(np.mean(~better & ~equal))
