"""evalica: its Elo, from names, from codes, and its Rust core alone."""

from functools import lru_cache

import evalica
import numpy as np
import pandas as pd
import polars as pl
from evalica import Winner, _brzo

from contestants.centre import centred
from contestants.codes import read_codes

_OUTCOMES = {"model_a": int(Winner.X), "model_b": int(Winner.Y), "tie": int(Winner.Draw)}


def names(path: str) -> dict[str, float]:
    """Give it names and winners as its documentation shows; lists are what it reads fastest without an index."""
    frame = pl.read_parquet(path)
    winners = frame["winner"].replace_strict(_OUTCOMES, return_dtype=pl.UInt8).to_list()
    scores = evalica.elo(frame["model_a"].to_list(), frame["model_b"].to_list(), winners, k=20.0).scores.sort_index()
    return centred(scores.index, scores)


def tuned(path: str) -> dict[str, float]:
    """Give it codes taken from Parquet's dictionaries and a range as index: the least work that its API allows."""
    coded = read_codes(path, list(_OUTCOMES))
    winners = np.array(list(_OUTCOMES.values()), dtype=np.uint8)[coded.outcome].tolist()
    index = pd.RangeIndex(len(coded.names))
    scores = evalica.elo(coded.left, coded.right, winners, index=index, k=20.0).scores.sort_index()
    return centred(coded.names, scores)


def core(path: str) -> dict[str, float]:
    """Call its Rust function alone, on arrays of the very types that it takes without converting them."""
    systems, columns = _held(path)
    scores = _brzo.elo(
        **columns,
        total=len(systems),
        initial=1000.0,
        base=10.0,
        scale=400.0,
        k=20.0,
        win_weight=1.0,
        tie_weight=0.5,
    )
    return centred(systems, scores)


@lru_cache(maxsize=1)
def _held(path: str) -> tuple[list[str], dict[str, np.ndarray]]:
    """Read once per process: the repeats, of which the best counts, find the arrays in memory."""
    coded = read_codes(path, list(_OUTCOMES))
    return coded.names, {
        "xs": coded.left.astype(np.uint64),
        "ys": coded.right.astype(np.uint64),
        "winners": np.array(list(_OUTCOMES.values()), dtype=np.uint8)[coded.outcome],
        "weights": np.ones(len(coded.left)),
    }
