"""evalica: its Bradley–Terry and its bootstrap."""

import evalica
import numpy as np
import pandas as pd
import polars as pl
from evalica import Winner

from contestants.centre import centred
from contestants.codes import read_codes

_OUTCOMES = {"model_a": int(Winner.X), "model_b": int(Winner.Y), "tie": int(Winner.Draw)}


def point(path: str) -> dict[str, float]:
    """Give it names and winners as its documentation shows; lists are what it reads fastest without an index."""
    frame = pl.read_parquet(path)
    winners = frame["winner"].replace_strict(_OUTCOMES, return_dtype=pl.UInt8).to_list()
    scores = evalica.bradley_terry(frame["model_a"].to_list(), frame["model_b"].to_list(), winners).scores
    return centred(scores.index, np.log(scores))


def point_tuned(path: str) -> dict[str, float]:
    """Give it codes taken from Parquet's dictionaries and a range as index: the least work that its API allows."""
    coded = read_codes(path, list(_OUTCOMES))
    winners = np.array(list(_OUTCOMES.values()), dtype=np.uint8)[coded.outcome].tolist()
    index = pd.RangeIndex(len(coded.names))
    scores = evalica.bradley_terry(coded.left, coded.right, winners, index=index).scores.sort_index()
    return centred(coded.names, np.log(scores))


def bootstrap(path: str, resamples: int) -> dict[str, tuple[float, float]]:
    """Take percentile intervals (its default, BCa, would fit once per judgment left out); return log ends."""
    frame = pl.read_parquet(path)
    winners = frame["winner"].replace_strict(_OUTCOMES, return_dtype=pl.UInt8).to_list()
    result = evalica.bootstrap(
        evalica.bradley_terry,
        frame["model_a"].to_list(),
        frame["model_b"].to_list(),
        winners,
        n_resamples=resamples,
        bootstrap_method="percentile",
        random_state=0,
    )
    ends = zip(np.log(result.low), np.log(result.high), strict=True)
    return {name: (float(low), float(high)) for name, (low, high) in zip(result.low.index, ends, strict=True)}
