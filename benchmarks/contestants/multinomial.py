"""The multinomial bootstrap with one L-BFGS fit per resample, as arena leaderboards (FastChat) do it.

Written here from its description: judgments are counted per (pair, outcome), a resample is a multinomial draw of those
counts, and each is fitted from zero on the weighted logistic loss, in a pool of processes.
"""

import os
from functools import partial
from multiprocessing import get_context

# Two workers with two BLAS threads each would be several times slower on two cores. To be said before NumPy is loaded.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

_SHARE = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}


def intervals(path: str, resamples: int = 1000) -> dict[str, tuple[float, float]]:
    """Return the 95 % percentile intervals of centred log-strengths."""
    keys = ["model_a", "model_b", "winner"]
    counts = pd.read_parquet(path, columns=keys).value_counts(keys, sort=False).reset_index(name="times")
    names = sorted({*counts["model_a"], *counts["model_b"]})
    left, right = (np.searchsorted(names, counts[side].to_numpy(dtype=object)) for side in keys[:2])
    share = counts["winner"].map(_SHARE).to_numpy(dtype=float)
    times = counts["times"].to_numpy(dtype=float)
    total = int(times.sum())
    weights = np.random.default_rng(0).multinomial(total, times / total, size=resamples) / total
    fit = partial(_fit, left, right, share, len(names))
    # Forked workers start at once: as favourable to this contestant as the system allows.
    with get_context("fork").Pool(os.cpu_count()) as pool:
        strengths = np.array(pool.map(fit, weights, chunksize=10))
    strengths -= strengths.mean(axis=1, keepdims=True)
    low, high = np.quantile(strengths, [0.025, 0.975], axis=0)
    return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def _fit(left: np.ndarray, right: np.ndarray, share: np.ndarray, size: int, weight: np.ndarray) -> np.ndarray:
    """Minimise the weighted log-loss of one resample."""

    def loss(strength: np.ndarray) -> tuple[float, np.ndarray]:
        gap = strength[left] - strength[right]
        chance = expit(gap)
        value = -float(weight @ (share * gap + np.log(1.0 - chance)))
        slope = weight * (chance - share)
        return value, np.bincount(left, slope, size) - np.bincount(right, slope, size)

    options = {"gtol": 1e-6, "maxiter": 100}
    return minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options=options).x
