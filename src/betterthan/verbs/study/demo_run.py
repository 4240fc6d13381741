"""The demonstration: rank the bundled evidence, then compare with the known truth."""

import json
from dataclasses import dataclass

import numpy as np

from betterthan import demo as bundled
from betterthan.base import Progress, silent
from betterthan.readers import read
from betterthan.verbs.rank import Leaderboard, Leaderboards, rank


@dataclass(frozen=True)
class Demo:
    """The ranking of the demonstration, its Bradley–Terry board, and its agreement with the truth."""

    name: str
    result: Leaderboards
    board: Leaderboard
    pairs_right: int
    pairs: int
    separated_right: int
    separated: int
    covered: int

    def __str__(self) -> str:
        return (
            f"The truth is known here: {self.pairs_right} of {self.pairs} pairs are in the right order, and\n"
            f"{self.separated_right} of the {self.separated} pairs in different clusters. "
            f"{self.covered} of {len(self.board)} intervals contain the true score."
        )


def run_demo(name: str, progress: Progress = silent) -> Demo:
    """Rank the bundled `arena` (judgments) or `scores` on the log scale and compare with the truth."""
    result = rank(read(bundled.path(f"{name}.csv.gz")), scale="log", progress=progress)
    board = result["bradley-terry"]
    truth: dict[str, float] = json.loads(bundled.path("truth.json").read_text(encoding="utf-8"))[name]
    true = np.array([truth[row.system] for row in board])
    first, second = np.triu_indices(len(true), 1)
    right = true[first] > true[second]
    cluster = np.array([row.cluster for row in board])
    apart = cluster[first] != cluster[second]
    low, high = np.array([row.interval for row in board], dtype=float).T
    return Demo(
        name,
        result,
        board,
        int(right.sum()),
        len(right),
        int(right[apart].sum()),
        int(apart.sum()),
        int(np.sum((low <= true) & (true <= high))),
    )
