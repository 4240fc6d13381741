"""Does Bradley–Terry describe the evidence? Pairs whose outcomes one strength per system cannot explain."""

from typing import Any

import numpy as np

from betterthan.diagnosis.case import RESAMPLES, Case
from betterthan.findings import Finding
from betterthan.findings.fit import FIT, LACK_OF_FIT
from betterthan.models.direct.counts import groups


def check(case: Case) -> list[Finding]:
    """Compare the misfit with what chance alone makes of evidence that hangs together as this does."""
    used = case.often & (case.met * case.expected * (1 - case.expected) > 1e-6)
    freedom = int(used.sum()) - (case.counts.size - groups(case.counts)[0])
    if freedom < 1 or case.counts.units.size < 20:
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
    matters = LACK_OF_FIT.thresholds["difference"]
    if p > LACK_OF_FIT.thresholds["p"] or float(off[used].max()) < matters:
        return [FIT.found(**known)]
    error = np.sqrt(varied / RESAMPLES)
    distance = np.divide(np.abs(case.residual), error, out=np.zeros(len(error)), where=error > 0)
    worst = int(np.argmax(np.where(used & (off >= matters), distance, -1.0)))
    share = (case.residual[worst] / case.met[worst]) + case.expected[worst]
    first, second = (case.counts.systems[int(side[worst])] for side in (case.counts.first, case.counts.second))
    expected = case.expected[worst]
    return [LACK_OF_FIT.found(**known, first=first, second=second, share=share, predicted=expected)]
