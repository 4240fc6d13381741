"""What people's labels change: corrected means next to those of the labels alone and of the judge alone."""

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import GoldJudgments, GoldMatrix
from betterthan.models import GoldRegression, rectified_scores
from betterthan.uncertainty import scales
from betterthan.verbs.rank.corrected_intervals import errors_of
from betterthan.verbs.rank.corrected_system import CorrectedSystem


def of_scores(statistic: GoldMatrix) -> tuple[CorrectedSystem, ...]:
    """Return what labels change for every system, in the order of the statistic."""
    found = GoldRegression.of(statistic)
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


def of_judgments(statistic: GoldJudgments, scale: scales.Scale) -> tuple[CorrectedSystem, ...]:
    """Return what people's judgments change for every system, in the order of the statistic, on the scale shown."""
    found = rectified_scores.RectifiedScores.of(statistic)
    slope, strength = found.slope, found.strength
    with_judge, alone = (
        np.diag(rectified_scores.sandwich(found, each, strength, statistic.units)) for each in (slope, 0.0)
    )
    by_labels, by_judge = (_on_scale(each, scale) for each in (found.by_labels, found.by_judge))
    return tuple(
        CorrectedSystem(
            system,
            int(statistic.labels[place]),
            None if np.isnan(by_labels[place]) else float(by_labels[place]),
            None if np.isnan(by_judge[place]) else float(by_judge[place]),
            slope,
            float(statistic.labels[place] * alone[place] / with_judge[place]) if with_judge[place] > 0 else None,
        )
        for place, system in enumerate(statistic.systems)
    )


def _on_scale(strength: FloatArray, scale: scales.Scale) -> FloatArray:
    """Return strengths on the scale that is shown; NaN where they have no bound."""
    return strength if np.any(np.isnan(strength)) else scale.apply(strength)
