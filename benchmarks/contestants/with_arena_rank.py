"""arena-rank: the package behind the LMArena leaderboard, as its README shows."""

import numpy as np
import pandas as pd
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
from arena_rank.utils.data_utils import ContextualPairDataset, PairDataset

from contestants.centre import centred


def point(path: str) -> dict[str, float]:
    """Fit without intervals."""
    dataset = _dataset(path)
    model = BradleyTerry(n_competitors=len(dataset.competitors)).fit(dataset)
    return centred(dataset.competitors, np.asarray(model.params["ratings"]))


def sandwich(path: str) -> dict[str, tuple[float, float]]:
    """Fit with its default intervals, the sandwich over single judgments; return ends on the log scale."""
    dataset = _dataset(path)
    model = BradleyTerry(n_competitors=len(dataset.competitors))
    result = model.compute_ratings_and_cis(dataset)
    middle = float(np.mean(result["ratings"]))
    low, high = ((np.asarray(result[end]) - middle) / model.alpha for end in ("rating_lower", "rating_upper"))
    return dict(zip(dataset.competitors, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def style(path: str, reg: float, sandwich: bool) -> dict[str, float]:
    """Fit with five numeric covariates, as they are and unweighted; return their coefficients."""
    names = [f"z{place}" for place in range(5)]
    frame = pd.read_parquet(path)
    dataset = ContextualPairDataset.from_pandas(
        frame, feature_cols=names, reweighted=False, normalize_features=False, min_pair_count=0
    )
    model = ContextualBradleyTerry(n_competitors=len(dataset.competitors), n_features=5, reg=reg)
    if sandwich:
        model.compute_ratings_and_cis(dataset)
    else:
        model.fit(dataset)
    return dict(zip(names, np.asarray(model.params["coeffs"]).tolist(), strict=True))


def _dataset(path: str) -> PairDataset:
    return PairDataset.from_pandas(pd.read_parquet(path, columns=["model_a", "model_b", "winner"]))
