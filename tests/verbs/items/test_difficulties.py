"""Difficulties are on the scale of abilities, whose mean is 0."""

import numpy as np
import pytest

from betterthan.verbs.items.item_response import fit_items


@pytest.mark.parametrize("easier", [-1.5, 0.0, 1.5])
def test_easy_items_have_negative_difficulties(easier: float) -> None:
    rng = np.random.default_rng(0)
    difficulty = rng.normal(-easier, 1.0, (400, 1))
    right = rng.random((400, 3)) < 1 / (1 + np.exp(difficulty - np.array([0.5, 0.0, -0.5])))
    found = fit_items(right.astype(float), two=False)
    assert found.ability.sum() == pytest.approx(0, abs=1e-9)
    assert found.difficulty.mean.mean() == pytest.approx(-easier, abs=0.25)
