"""Kinds of instances on which other systems win, and instances that tell no systems apart."""

import numpy as np
from scipy import stats
from scipy.cluster import vq

from betterthan.diagnosis.case import Case
from betterthan.engine.table import FloatArray, IntArray
from betterthan.findings import Finding

_SHUFFLES, _EASY, _LEAST = 99, 0.5, 20
#: More instances than this are sampled: kinds that matter show in fewer.
_MOST = 20_000


def check(case: Case) -> list[Finding]:
    """Look for instances on which all systems are equal, and for kinds of instances with other winners."""
    if case.table is None:
        return []
    values = case.table.values[~np.any(np.isnan(case.table.values), axis=1)]
    return [*_easy(values), *_types(values, case)] if len(values) else []


def _easy(values: FloatArray) -> list[Finding]:
    same = float(np.mean(np.ptp(values, axis=1) == 0))
    if same < 0.05:
        return []
    message = f"on {100 * same:.0f} % of the instances all systems have the same score: they tell nothing apart"
    hint = "harder or finer instances would tell more"
    return [Finding("easy-instances", "warning" if same > _EASY else "info", message, hint, same)]


def _types(values: FloatArray, case: Case) -> list[Finding]:
    if len(values) < _LEAST or values.shape[1] < 3:
        return []
    rng = np.random.default_rng(case.seed)
    if len(values) > _MOST:
        values = values[rng.choice(len(values), _MOST, replace=False)]
    ranks = stats.rankdata(-values, axis=1)
    own = ranks - ranks.mean(axis=0)  # what an instance says beyond the common order
    if not np.any(own):
        return []
    share = _leading(own)
    by_chance = np.array([_leading(_shuffled(own, rng)) for _ in range(_SHUFFLES)])
    p = (1 + int(np.sum(by_chance >= share))) / (_SHUFFLES + 1)
    if p > 0.01:
        return []
    kind = _two_kinds(own, rng)
    means = [ranks[kind == which].mean(axis=0) for which in (0, 1)]
    best = [int(np.argmin(mean)) for mean in means]
    first, second = np.triu_indices(values.shape[1], 1)
    opposite = float(np.mean(np.prod([np.sign(mean[first] - mean[second]) for mean in means], axis=0) < 0))
    sizes = f"{100 * np.mean(kind == 0):.0f} % and {100 * np.mean(kind == 1):.0f} %"
    message = (
        f"there are kinds of instances that order the systems differently (p = {p:.2g} against unrelated scores): "
        f"split in two ({sizes} of the instances), {100 * opposite:.0f} % of the pairs are in opposite order"
    )
    if best[0] == best[1]:
        return [Finding("instance-types", "info", message, f"{case.name(best[0])} leads on both", opposite)]
    names = f"{case.name(best[0])} leads on one, {case.name(best[1])} on the other"
    hint = "the ranking depends on the mix of instances: find out what they are, and report them apart"
    return [Finding("instance-types", "warning", f"{message}; {names}", hint, opposite)]


def _leading(own: FloatArray) -> float:
    """Return the share of the largest direction in what instances say of their own."""
    squares = np.linalg.eigvalsh(own.T @ own)
    return float(squares[-1] / squares.sum())


def _shuffled(own: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Shuffle each system by itself, which leaves its spread and takes away what it shares with others."""
    shuffled = rng.permuted(own, axis=0)
    shuffled = shuffled - shuffled.mean(axis=1, keepdims=True)
    centred: FloatArray = shuffled - shuffled.mean(axis=0)
    return centred


def _two_kinds(own: FloatArray, rng: np.random.Generator) -> IntArray:
    """Split instances in two, starting from the two sides of the largest direction."""
    _, directions = np.linalg.eigh(own.T @ own)
    side = own @ directions[:, -1] > 0
    start = np.stack([own[side].mean(axis=0), own[~side].mean(axis=0)])
    _, kind = vq.kmeans2(own, start, minit="matrix", seed=rng)
    return np.asarray(kind, dtype=np.int64)
