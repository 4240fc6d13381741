"""evalica: its Bradley–Terry and its bootstrap."""

from typing import Any

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


def bootstrap(path: str, resamples: int) -> None:
    """Resample names and winners as its documentation shows."""
    frame = pl.read_parquet(path)
    winners = frame["winner"].replace_strict(_OUTCOMES, return_dtype=pl.UInt8).to_list()
    _resample(frame["model_a"].to_list(), frame["model_b"].to_list(), winners, None, resamples)


def bootstrap_tuned(path: str, resamples: int) -> None:
    """Resample codes with an index of integers, which it looks up fastest here."""
    coded = read_codes(path, list(_OUTCOMES))
    winners = np.array(list(_OUTCOMES.values()), dtype=np.uint8)[coded.outcome].tolist()
    _resample(coded.left, coded.right, winners, pd.Index(np.arange(len(coded.names))), resamples)


def _resample(left: Any, right: Any, winners: list[int], index: pd.Index | None, resamples: int) -> None:
    """Take percentile intervals: BCa, its default, would fit once more for every judgment left out.

    They are not returned: the few resamples that can be run say nothing about an interval.
    """
    evalica.bootstrap(
        evalica.bradley_terry,
        left,
        right,
        winners,
        index=index,
        n_resamples=resamples,
        bootstrap_method="percentile",
        random_state=0,
    )
