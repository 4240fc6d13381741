"""Predictive performance of models: against the amount of training data, and as calibration."""

from typing import Any

from betterthan.base import Progress, silent
from betterthan.present import Picture
from betterthan.verbs.plot.plot_data import one_data_set
from betterthan.verbs.select import select

#: Three of five folds train; so much of the evidence is there in every split, units being of any size.
_TRAINED, _SIZES = 0.5, 5


def learning(
    evidence: Any,
    *,
    model: str | None = None,
    unit: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    tolerance: float = 0.0,
    title: str = "",
    progress: Progress = silent,
) -> Picture:
    """Draw the accuracy of models on held-out judgments against the number trained on: half of them, and less."""
    data = one_data_set(evidence, unit=unit, tolerance=tolerance)
    judgments = data.summary().judgments
    sizes = sorted({max(2, int(_TRAINED * judgments) >> step) for step in range(_SIZES)})
    found = select(data, model, sizes=sizes, level=level, seed=seed, tolerance=tolerance, progress=progress)
    return found.plot.learning(title=title)


def calibration(
    evidence: Any,
    *,
    model: str | None = None,
    unit: str | None = None,
    seed: int = 0,
    tolerance: float = 0.0,
    title: str = "",
    progress: Progress = silent,
) -> Picture:
    """Draw how often outcomes came about against the chances that models gave them."""
    found = select(evidence, model, unit=unit, seed=seed, tolerance=tolerance, progress=progress)
    return found.plot.calibration(title=title)
