"""One system of a leaderboard that people's labels correct."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CorrectedSystem:
    """One system: its labels, and its means by the labels alone and by the judge alone, as scores were given.

    `slope` is by how much the expected label rises with the judge's score. `worth` is how many labels alone would give
    an interval as narrow as the corrected one, None where
    nothing varies.
    """

    system: str
    labels: int
    by_labels: float | None
    by_judge: float | None
    slope: float
    worth: float | None
