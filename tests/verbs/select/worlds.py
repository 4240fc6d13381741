"""Judgments with known truth, for the tests of this folder."""

import numpy as np

Columns = dict[str, list[str]]


def votes(judgments: int, seed: int = 0, *, systems: int = 5, items: int = 40, tie: float = 0.4) -> Columns:
    """Draw judgments of systems whose logistic strengths lie evenly between −0.8 and 0.8."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(-0.8, 0.8, systems)
    left = rng.integers(systems, size=judgments)
    right = (left + rng.integers(1, systems, size=judgments)) % systems
    gap = rng.logistic(size=judgments) + strength[left] - strength[right]
    return {
        "left": [f"s{code}" for code in left],
        "right": [f"s{code}" for code in right],
        "winner": np.where(gap > tie, "a", np.where(gap < -tie, "b", "tie")).tolist(),
        "item": [f"i{code:03d}" for code in rng.integers(items, size=judgments)],
        "judge": [f"j{code}" for code in rng.integers(7, size=judgments)],
    }


def take(columns: Columns, rows: list[int]) -> Columns:
    """Keep some rows."""
    return {name: [values[row] for row in rows] for name, values in columns.items()}
