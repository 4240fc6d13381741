"""How soon pairs are decided by a policy, compared with uniform sampling."""

from typing import Any

from betterthan.base import Progress, silent
from betterthan.present import Picture
from betterthan.verbs.collect import replay

_RUNS = 20


def settled(
    evidence: Any,
    *,
    unit: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    title: str = "",
    progress: Progress = silent,
) -> Picture:
    """Draw the share of pairs settled against the judgments collected, in twenty replays of each policy."""
    found = replay(evidence, runs=_RUNS, unit=unit, level=level, seed=seed, progress=progress)
    return found.plot.settled(title=title)
