"""Replay policies in a world that is exactly Bradley–Terry, with the strengths of WMT13: `… RANKINGS RUNS`."""

import sys
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

import betterthan as bt
from betterthan.collect.judged import counted, judged
from betterthan.collect.known import on_all_pairs
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.reduce.pairs import PairCounts
from betterthan.worlds import World

POLICIES = ("information", "uncertain", "unresolved")
LOOKS = range(5_000, 40_001, 5_000)


@dataclass(frozen=True)
class Exact(World):
    """The pairs of some evidence, judged as Bradley–Terry says, ties equally often in all of them."""

    counts: PairCounts

    def expected(self) -> PairCounts:
        """Return what a million judgments of each pair are expected to give."""
        counts = self.counts
        strength = BradleyTerry().fit(counts).strength
        won = special.expit(strength[counts.first] - strength[counts.second])
        tied = counts.outcomes[1].sum() / counts.outcomes.sum()
        return replace(counts, outcomes=1e6 * np.stack([won - tied / 2, np.full_like(won, tied), 1 - won - tied / 2]))


if __name__ == "__main__":
    world = Exact(on_all_pairs(counted(judged(sys.argv[1], "row", "a replay")[1])))
    found = bt.replay(
        world, POLICIES, runs=int(sys.argv[2]), budget=40_000, batch=100, looks=LOOKS, reach=(10_000, 25_000)
    )
    print(found.to_json())
