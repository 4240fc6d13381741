"""choix: counts by hand, then its solver for dense comparison matrices (ILSR, the fastest of its exact ones)."""

import choix
import numpy as np
import pandas as pd
import polars as pl

from contestants.centre import centred
from contestants.codes import read_codes

_OUTCOMES = ["model_a", "tie", "model_b"]
_SHARE = np.array([1.0, 0.5, 0.0])


def point_pandas(path: str) -> dict[str, float]:
    """Factorise each column with pandas (faster than both together), count with bincount."""
    frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
    left, left_names = pd.factorize(frame["model_a"])
    right, right_names = pd.factorize(frame["model_b"])
    winner, outcomes = pd.factorize(frame["winner"])
    names = left_names.union(right_names)
    pair = names.get_indexer(left_names)[left] * len(names) + names.get_indexer(right_names)[right]
    share = _SHARE[[_OUTCOMES.index(outcome) for outcome in outcomes]][winner]
    return _solve(list(names), pair, share, None)


def point_documented(path: str) -> dict[str, float]:
    """Give it what its documentation asks for, a list of (winner, loser); a tie is one win for each side."""
    frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
    names = sorted({*frame["model_a"].unique(), *frame["model_b"].unique()})
    code = {name: place for place, name in enumerate(names)}
    left, right = (frame[side].map(code).tolist() for side in ("model_a", "model_b"))
    won = []
    for one, two, outcome in zip(left, right, frame["winner"].tolist(), strict=True):
        # Wins count twice, so that a tie can be half a win for each side.
        if outcome == "model_a":
            won += [(one, two), (one, two)]
        elif outcome == "model_b":
            won += [(two, one), (two, one)]
        else:
            won += [(one, two), (two, one)]
    return centred(names, choix.ilsr_pairwise(len(names), won))


def point_group_by(path: str) -> dict[str, float]:
    """Count with pandas' group-by of the three columns, as most would write it; then the dense solver."""
    frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
    counts = frame.groupby(["model_a", "model_b", "winner"], sort=False).size().reset_index(name="times")
    names = sorted({*counts["model_a"], *counts["model_b"]})
    left, right = (np.searchsorted(names, counts[side].to_numpy(dtype=object)) for side in ("model_a", "model_b"))
    share = np.array([_SHARE[_OUTCOMES.index(outcome)] for outcome in counts["winner"]])
    return _solve(names, left * len(names) + right, share, counts["times"].to_numpy())


def point_codes(path: str) -> dict[str, float]:
    """Take codes from Parquet's dictionaries, count with bincount."""
    coded = read_codes(path, _OUTCOMES)
    return _solve(coded.names, coded.left * len(coded.names) + coded.right, _SHARE[coded.outcome], None)


def point_polars(path: str) -> dict[str, float]:
    """Count distinct judgments with a streaming Polars group-by."""
    keys = ["model_a", "model_b", "winner"]
    counts = pl.scan_parquet(path).group_by(keys).len().collect(engine="streaming")
    names = sorted({*counts["model_a"], *counts["model_b"]})
    left, right = (np.searchsorted(names, counts[side].to_list()) for side in ("model_a", "model_b"))
    share = np.array([_SHARE[_OUTCOMES.index(outcome)] for outcome in counts["winner"]])
    return _solve(names, left * len(names) + right, share, counts["len"].to_numpy())


def _solve(names: list[str], pair: np.ndarray, share: np.ndarray, times: np.ndarray | None) -> dict[str, float]:
    """Fit from each row's pair, the left side's share of the win, and how often the row occurs."""
    size = len(names)
    shape = (size, size)
    met = np.bincount(pair, times, size * size).reshape(shape)
    won = np.bincount(pair, share if times is None else share * times, size * size).reshape(shape)
    return centred(names, choix.ilsr_pairwise_dense(won + (met - won).T))
