"""Draws by items and judges, and by few units: as wide and as smooth as their errors say."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.uncertainty.draws import Draws


def _rated(items: int, judges: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    hard, taste = rng.normal(size=items), rng.normal(size=(judges, 2))
    return [
        {"system": name, "item": f"i{item}", "judge": f"j{judge}",
         "score": float(hard[item] + taste[judge, place] + rng.normal())}
        for place, name in enumerate(("owl", "yak")) for item in range(items) for judge in range(judges)
    ]  # fmt: skip


def _draws(evidence: Any, resamples: int) -> tuple[Draws, np.ndarray]:
    """Return draws, and their deviations from the estimate without Student's tails."""
    board = bt.rank(evidence, model="mean", resamples=resamples).board
    assert board.draws is not None
    return board.draws, (board.draws.strength - board.fit.strength) / board.draws.stretch[:, None]


@pytest.mark.parametrize(("items", "judges"), [(30, 4), (5, 12)])
def test_what_two_units_have_in_common_counts_once(items: int, judges: int) -> None:
    draws, away = _draws(bt.read_scores(_rated(items, judges), judge="judge"), 3000)
    variance, _ = draws.errors.singles.widest(0.95)
    np.testing.assert_allclose(np.mean(away**2, axis=0), variance, rtol=0.12)
    assert [each.effective for each in draws.numbers] == pytest.approx([items, judges])
    assert draws.units == min(items, judges)


@pytest.mark.parametrize("items", [3, 6, 19])
def test_draws_of_few_items_take_any_value(items: int) -> None:
    """Three items can be drawn in ten ways, which have no tails."""
    scores = {"owl": [float(n * n % 7) for n in range(items)], "yak": [float(n * n % 5) for n in range(items)]}
    _, away = _draws(bt.read_scores(scores), 500)
    assert len(np.unique(np.round(away[:, 0], 9))) == 500
