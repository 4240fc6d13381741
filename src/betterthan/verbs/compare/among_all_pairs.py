"""What holds for two systems among all pairs: the decision of the leaderboard that they are on."""

from dataclasses import dataclass
from typing import Any

from betterthan.base import BetterthanError
from betterthan.datasets import DataSets
from betterthan.options import CompareOptions
from betterthan.present import chance
from betterthan.verbs.compare.compare_every_pair import compare_all

#: Leaderboards of more systems, judgments or scores take too long for what is a sentence here.
_SYSTEMS, _NUMBERS = 60, 200_000


@dataclass(frozen=True)
class AmongAllPairs:
    """The decision about two systems on a leaderboard: `p_adjusted` allows for all its pairs."""

    model: str
    tested: str  # how all pairs are compared
    systems: int
    pairs: int
    p_adjusted: float
    decision: str  # better, worse or open, of the first system

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(vars(self))

    def sentence(self, a: str, b: str) -> str:
        """Return the decision in a sentence."""
        decided = {"better": f"{a} is significantly better", "worse": f"{b} is significantly better"}
        found = decided.get(self.decision, "the two do not differ significantly")
        return (
            f"This is one planned comparison. Among all {self.pairs:,} pairs of {self.systems:,} systems, {found} "
            f"({self.tested}, p = {chance(self.p_adjusted)})."
        )


def among_all_pairs(sets: DataSets, options: CompareOptions, a: str, b: str) -> AmongAllPairs | None:
    """Return the decision about two systems among all pairs; None of two systems, or where it would take long."""
    if len(sets.sets) > 1 or options.groups is not None:
        return None
    data = sets.sets[0]
    counts = data.pairs(units=False)
    if not 2 < counts.size <= _SYSTEMS or counts.outcomes.sum() > _NUMBERS:
        return None
    try:
        found = compare_all(
            sets, unit=options.unit, tolerance=options.tolerance, level=options.level, seed=options.seed
        )
    except BetterthanError:  # such as a single unit: what was asked needs no leaderboard
        return None
    one, two = found.systems.index(a), found.systems.index(b)
    p = float(found.p_adjusted[one, two])
    ahead = "better" if found.sign[one, two] > 0 else "worse"
    pairs = counts.size * (counts.size - 1) // 2
    return AmongAllPairs(
        found.model, found.compared, counts.size, pairs, p, ahead if p <= 1 - options.level else "open"
    )
