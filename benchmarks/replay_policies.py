"""Replay every policy on WMT13 and print what it took as JSON: `python replay_policies.py RANKINGS RUNS`."""

import sys

import betterthan as bt

POLICIES = (
    "wmt",
    "trueskill-quality",
    "uncertain",
    "information",
    "information(goal=order)",
    "information(goal=strengths)",
    "uniform(balance=yes)",
    "unresolved(favour=none)",
    "unresolved",
)
LOOKS = [*range(2_500, 40_001, 2_500), 50_000, 60_000, 70_000]

if __name__ == "__main__":
    found = bt.replay(
        sys.argv[1], POLICIES, runs=int(sys.argv[2]), budget=70_000, looks=LOOKS, reach=(10_000, 25_000), batch=100
    )
    print(found.to_json())
