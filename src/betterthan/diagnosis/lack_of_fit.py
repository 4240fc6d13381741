"""Does Bradley–Terry describe the evidence? Pairs whose outcomes one strength per system cannot explain."""

import numpy as np

from betterthan.diagnosis.case import RESAMPLES, Case
from betterthan.findings import Finding, counted
from betterthan.models.direct.counts import groups

#: Pairs that are off by less, in share of wins, do not matter.
_MATTERS = 0.03


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
    pairs = counted(int(used.sum()), "pair")
    message = f"misfit of bradley-terry over {pairs} {misfit:.4g}, by chance {usual:.4g} (p = {p:.2g})"
    off = np.abs(case.residual) / np.maximum(case.met, 1e-300)
    if p > 0.05 or float(off[used].max()) < _MATTERS:
        return [Finding("fit", "info", message, value=p)]
    error = np.sqrt(varied / RESAMPLES)
    distance = np.divide(np.abs(case.residual), error, out=np.zeros(len(error)), where=error > 0)
    worst = int(np.argmax(np.where(used & (off >= _MATTERS), distance, -1.0)))
    share = (case.residual[worst] / case.met[worst]) + case.expected[worst]
    first, second = case.counts.first[worst], case.counts.second[worst]
    example = (
        f"most of all {case.name(int(first))} wins {100 * share:.0f} % against {case.name(int(second))}, where "
        f"{100 * case.expected[worst]:.0f} % is expected"
    )
    hint = "one number per system is a summary here: look at the pairs themselves (compare --all)"
    return [Finding("lack-of-fit", "warning", f"{message}; {example}", hint, p)]
