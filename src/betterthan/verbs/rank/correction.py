"""What people's labels change: corrected means next to those of the labels alone and of the judge alone."""

import numpy as np

from betterthan.datasets import GoldMatrix
from betterthan.models import GoldRegression
from betterthan.verbs.rank.corrected_intervals import errors_of
from betterthan.verbs.rank.corrected_system import CorrectedSystem


def correction_of(statistic: GoldMatrix) -> tuple[CorrectedSystem, ...]:
    """Return what labels change for every system, in the order of the statistic."""
    found = GoldRegression(statistic)
    sign = -1.0 if statistic.lower_is_better else 1.0
    errors = errors_of(statistic)
    with_judge = np.diag(errors.variances)
    spread = np.nanvar(statistic.gold, axis=0)
    return tuple(
        CorrectedSystem(
            system,
            int(statistic.labels[place]),
            sign * float(found.by_labels[place]),
            sign * float(found.by_judge[place]),
            float(found.slope[place]),
            float(spread[place] / with_judge[place]) if with_judge[place] > 0 else None,
        )
        for place, system in enumerate(statistic.systems)
    )
