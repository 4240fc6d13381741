"""Sign-flip tests: under equality the sign of every unit's difference is random.

The test counts how many assignments of signs make the sum as large as the observed one. The interval inverts it: it
contains the mean differences that are not rejected after subtraction. Its ends are quantiles of the means of all
subsets of units (Hartigan 1969).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, scipy

#: Up to this many units that differ, all assignments of signs are tried; beyond, as many random ones; with very many
#: units sums of flipped signs are normally distributed.
EXACT, FLIPS, NORMAL = 20, 9_999, 10_000
#: Random signs held at once.
_BATCH = 5_000_000
#: Columns that are flipped at once.
_COLUMNS = 200


@dataclass(frozen=True)
class Flipped:
    """The tail probability of a sum among those with flipped signs.

    `mid_p` counts assignments that give the same sum half. It is None where signs are random, or where sums hardly
    ever coincide, so that there is nothing to be gained.
    """

    p: float
    mid_p: float | None
    how: str


def flip(units: FloatArray, rng: np.random.Generator) -> Flipped:
    """Return the share of sign flips with a sum as large as the observed one, and the method of counting."""
    differing = units[units != 0]
    if len(differing) == 0:
        return Flipped(1.0, None, "no unit differs")
    near = 1e-9 * float(np.abs(units).sum())
    reach = abs(float(units.sum()))
    if len(units) > NORMAL:
        p = 2 * float(scipy.special.ndtr(-reach / np.sqrt(np.sum(units**2))))
        return Flipped(p, None, "normal approximation")
    if len(differing) > EXACT:
        larger = sum(int(np.sum(np.abs(signs @ units) >= reach - near)) for signs in _random_signs(len(units), rng))
        return Flipped((1 + larger) / (FLIPS + 1), None, f"{FLIPS:,} random flips")
    sums = np.abs(2 * _subsets(differing) - differing.sum())
    p = float(np.mean(sums >= reach - near))
    discrete = len(np.unique(np.round(sums / near))) < len(sums) / 2
    return Flipped(p, float(p + np.mean(sums > reach + near)) / 2 if discrete else None, "exact")


def flip_each(units: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return p of `flip` for every column (units × columns); columns that need random signs share them."""
    many = (np.sum(units != 0, axis=0) > EXACT) & (len(units) <= NORMAL)
    p = np.empty(units.shape[1])
    p[~many] = [flip(column, rng).p for column in units.T[~many]]
    some = units[:, many]
    reach = np.abs(some.sum(axis=0)) - 1e-9 * np.abs(some).sum(axis=0)
    larger = np.zeros(some.shape[1])
    for signs in _random_signs(len(some), rng) if np.any(many) else ():
        for start in range(0, len(reach), _COLUMNS):
            part = slice(start, start + _COLUMNS)
            larger[part] += np.sum(np.abs(signs @ some[:, part]) >= reach[part], axis=0)
    p[many] = (1 + larger) / (FLIPS + 1)
    return p


def flip_interval(
    sums: FloatArray, sizes: FloatArray, level: float, rng: np.random.Generator, *, mid: bool
) -> tuple[float, float]:
    """Return the mean differences that flipping does not refuse, infinite where units are too few for an end.

    `sums` and `sizes` are those of units. With `mid`, equal means count half, as mid-p does. Random signs are those of
    `flip` if the generator is in the same state, so that the two agree.
    """
    if len(sums) > NORMAL:
        mean = float(sums.sum() / sizes.sum())
        error = np.sqrt(np.sum((sums - mean * sizes) ** 2)) / sizes.sum()
        reach = float(scipy.special.ndtri((1 + level) / 2) * error)
        return mean - reach, mean + reach
    if len(sums) <= EXACT:
        total, number = _subsets(sums)[1:], _subsets(sizes)[1:]  # the first one is empty
        assignments = 2 ** len(sums)
    else:
        drawn = np.concatenate([signs @ np.stack([sums, sizes], axis=1) for signs in _random_signs(len(sums), rng)])
        # Every subset and its complement, since the test has two sides.
        total, number = (np.concatenate([drawn, -drawn]) + np.array([sums.sum(), sizes.sum()])).T
        total, number = total[number > 0], number[number > 0]
        assignments = 2 * (FLIPS + 1)
    means = np.sort(total / number)
    tail = (1 - level) / 2
    if mid:
        return _mid_end(means, tail, assignments), -_mid_end(-means[::-1], tail, assignments)
    rank = int(tail * assignments + 1e-9)
    return (float(means[rank - 1]), float(means[-rank])) if rank else (-np.inf, np.inf)


def _mid_end(means: FloatArray, tail: float, assignments: int) -> float:
    """Return the lower end: where the mid-distribution of subset means, interpolated, reaches the tail."""
    # The empty subset has any mean, and so counts half everywhere.
    if tail < 0.5 / assignments:
        return -np.inf
    digits = 1e-10 * max(float(np.abs(means).max()), 1e-300)
    values, times = np.unique(np.round(means / digits), return_counts=True)
    below = np.cumsum(times) - times
    return float(np.interp(tail, (below + times / 2 + 0.5) / assignments, values * digits))


def _subsets(units: FloatArray) -> FloatArray:
    """Return the sums of all subsets, the empty one first."""
    sums = np.zeros(1)
    for unit in units:
        sums = np.concatenate([sums, sums + unit])
    return sums


def _random_signs(number: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Draw signs in batches (flips × units)."""
    batch = max(1, min(FLIPS, _BATCH // number))
    for start in range(0, FLIPS, batch):
        flips = min(batch, FLIPS - start)
        # The upper bit of random bytes: the draws of `rng.integers(2, dtype=np.int8)` in a third of the time.
        drawn = np.frombuffer(rng.bytes(flips * number), dtype=np.int8).reshape(flips, number) < 0
        signs = drawn.astype(np.float64)
        signs *= 2.0
        signs -= 1.0
        yield signs
