"""Showing that two systems are equally good, instead of failing to show that they differ."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats

from betterthan.infer.paired import Differences, standard_error, studentised

_DRAWS, _RESAMPLES = 20_000, 9_999


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (TOST), and the Bayesian sign test, both with a margin within which systems are equal.

    `p` (by Student's t) and `p_bootstrap` (by studentised resamples, which skew differences or many ties ask for) are
    small where the mean difference lies within the margin; `better`, `equal` and `worse` are the posterior
    chances that an instance is most often won, within the margin, or lost (Benavoli et al. 2014).
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


def equivalence(differences: Differences, margin: float | None, rng: np.random.Generator) -> Equivalence:
    """Test against a margin; without one, a tenth of the scores' standard deviation is taken."""
    values = differences.values
    how = "as given"
    if margin is None:
        margin = 0.1 * float(np.std(np.concatenate([differences.a, differences.b])))
        how = "a tenth of the scores' standard deviation"
    error, freedom = standard_error(differences)
    mean = float(values.mean())
    if error > 0:
        p = float(max(stats.t.sf((mean + margin) / error, freedom), stats.t.cdf((mean - margin) / error, freedom)))
        noise = studentised(differences, rng, _RESAMPLES)
        above = np.sum(~(noise < (mean + margin) / error))
        below = np.sum(~(noise > (mean - margin) / error))
        p_bootstrap = float((1 + max(above, below)) / (_RESAMPLES + 1))
    else:
        p = p_bootstrap = 0.0 if abs(mean) < margin or not np.any(values) else 1.0
    counts = np.array(
        [np.sum(values > margin), np.sum(np.abs(values) <= margin), np.sum(values < -margin)], dtype=float
    )
    # The prior is one instance on which the two are equal.
    most = np.argmax(rng.dirichlet(counts + np.array([1e-9, 1.0, 1e-9]), _DRAWS), axis=1)
    better, equal, worse = (float(np.mean(most == place)) for place in range(3))
    return Equivalence(margin, how, p, p_bootstrap, better, equal, worse)
