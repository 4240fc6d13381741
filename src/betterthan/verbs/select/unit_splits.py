"""Splits by unit: no unit is in more than one part."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError


@dataclass(frozen=True)
class Split:
    """Units for training, in the order in which smaller parts are taken, for tuning, and for testing."""

    train: IntArray
    dev: IntArray
    test: IntArray


def by_folds(units: int, folds: int, repeats: int, seed: int) -> list[Split]:
    """Shuffle the units in every repeat, test on every fold, tune on the next one, and train on the rest."""
    splits = []
    for rng in _generators(seed, repeats):
        parts = np.array_split(rng.permutation(units), folds)
        for place in range(folds):
            following = (place + 1) % folds
            rest = np.concatenate([part for other, part in enumerate(parts) if other not in {place, following}])
            splits.append(Split(rng.permutation(rest), parts[following], parts[place]))
    return splits


def by_amounts(judgments: FloatArray, dev: int, test: int, repeats: int, seed: int) -> list[Split]:
    """Draw whole units until there are enough judgments to test on, then to tune on; the rest is for training."""
    splits = []
    for rng in _generators(seed, repeats):
        order = rng.permutation(len(judgments))
        amount = np.cumsum(judgments[order])
        first = int(np.searchsorted(amount, test)) + 1
        tested = amount[min(first, len(amount)) - 1]
        second = int(np.searchsorted(amount, tested + dev)) + 1
        if second >= len(order):
            raise PlanError(
                f"{test:,} judgments to test on and {dev:,} to tune on leave nothing to train on: there are "
                f"{judgments.sum():,.0f} judgments in {len(order):,} units, which stay whole. Ask for fewer."
            )
        bounds = [0, first, second, len(order)]
        tests, devs, trains = (order[begin:end] for begin, end in pairwise(bounds))
        splits.append(Split(trains, devs, tests))
    return splits


def _generators(seed: int, repeats: int) -> list[np.random.Generator]:
    return [np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(repeats)]
