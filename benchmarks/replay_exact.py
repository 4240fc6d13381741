"""Replay policies in a world that is exactly Bradley–Terry, with the strengths of WMT13: `… RANKINGS RUNS`."""

import sys
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.verbs.collect import collection_state
from betterthan.verbs.collect.judged_evidence import counted, judged_data_set
from betterthan.worlds.simulated import World

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
    world = Exact(collection_state.on_all_pairs(counted(judged_data_set(sys.argv[1], "row", "a replay")[1])))
    found = bt.replay(
        world, POLICIES, runs=int(sys.argv[2]), budget=40_000, batch=100, looks=LOOKS, reach=(10_000, 25_000)
    )
    print(found.to_json())
