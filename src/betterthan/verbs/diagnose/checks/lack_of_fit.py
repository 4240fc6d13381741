"""Goodness of fit of Bradley–Terry: pairs whose outcomes one strength per system cannot explain."""

from typing import Any

import numpy as np

from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose.examined_data import RESAMPLES, ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 120


def check(case: ExaminedData) -> list[Finding]:
    """Compare the misfit with that of chance alone, with the same units of dependence."""
    limits = kinds.fitting.LACK_OF_FIT.thresholds
    used = (case.met >= limits["judgments_of_a_pair"]) & (case.met * case.expected * (1 - case.expected) > 1e-6)
    freedom = int(used.sum()) - (case.counts.size - case.counts.groups[0])
    if freedom < 1 or case.counts.units.size < limits["units"]:
        return []
    spread = case.met * case.expected * (1 - case.expected)
    misfit = float(np.sum(case.residual[used] ** 2 / spread[used]))
    by_chance, varied = [], np.zeros(len(spread))
    for noise in case.noise():
        by_chance.append(np.sum(noise[used] ** 2 / spread[used, None], axis=0))
        varied += np.sum(noise**2, axis=1)
    p = (1 + int(np.sum(np.concatenate(by_chance) >= misfit))) / (RESAMPLES + 1)
    usual = float(np.mean(np.concatenate(by_chance)))
    known: dict[str, Any] = {"pairs": int(used.sum()), "misfit": misfit, "expected": usual, "p": p}
    off = np.abs(case.residual) / np.maximum(case.met, 1e-300)
    # Pairs that are off by little, in share of wins, do not matter.
    matters = limits["difference"]
    if p > limits["p"] or float(off[used].max()) < matters:
        return [kinds.fitting.FIT.found(**known)]
    error = np.sqrt(varied / RESAMPLES)
    distance = np.divide(np.abs(case.residual), error, out=np.zeros(len(error)), where=error > 0)
    worst = int(np.argmax(np.where(used & (off >= matters), distance, -1.0)))
    share = (case.residual[worst] / case.met[worst]) + case.expected[worst]
    first, second = (case.counts.systems[int(side[worst])] for side in (case.counts.first, case.counts.second))
    expected = case.expected[worst]
    return [kinds.fitting.LACK_OF_FIT.found(**known, first=first, second=second, share=share, predicted=expected)]
