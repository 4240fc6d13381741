"""Small evidence that several tests share."""

from typing import Any

import numpy as np

from betterthan.worlds.simulated import Arena

ARENA = Arena(strengths=(0.9, 0.4, 0.0, -0.4, -0.9), systems=("owl", "yak", "elk", "fox", "emu"))


def arena(seed: int = 0, judgments: int = 400) -> dict[str, list[Any]]:
    """Return judgments of five systems with items, judges and weights, as columns."""
    rng = np.random.default_rng(seed)
    columns = ARENA.simulate(rng, judgments=judgments, items=40, judges=7)
    weight = rng.choice([0.5, 1.0, 2.0], size=judgments)
    return {**{name: values.tolist() for name, values in columns.items()}, "weight": weight.tolist()}


def rows(columns: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    """Return columns as rows."""
    return list(zip(*columns.values(), strict=True))
