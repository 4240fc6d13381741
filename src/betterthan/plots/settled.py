"""How soon pairs are settled when the next one is chosen, and when all are alike."""

from typing import Any

from betterthan.collect.replays.replay import replay
from betterthan.present.pictures.picture import Picture
from betterthan.progress import Progress, silent

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
