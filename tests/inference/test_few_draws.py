"""Few units make draws wide, and few draws cannot show what never happens."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.uncertainty.decisions import decide
from tests.draws import plain_draws


def test_draws_of_few_items_vary_as_students_t() -> None:
    """Of n items, draws vary by s²/n, times that of t with n − 1 degrees of freedom: (n − 1) / (n − 3)."""
    scores = {"owl": [1.0, 2.0, 4.0, 3.0, 7.0, 5.0, 2.0], "yak": [2.0, 1.0, 3.0, 6.0, 2.0, 2.0, 1.0]}
    draws = bt.rank(scores, model="mean", resamples=20_000, seed=0).board.draws
    assert draws is not None
    items = 7
    for name, drawn in zip(sorted(scores), draws.strength.T, strict=True):
        expected = np.var(scores[name], ddof=1) / items * (items - 1) / (items - 3)
        assert np.var(drawn) == pytest.approx(expected, rel=0.08)


@pytest.mark.parametrize(("number", "high"), [(20, 2), (38, 2), (39, 1), (1000, 1)])
def test_no_draw_against_it_is_not_never(number: int, high: int) -> None:
    """Systems that never lost are compared by shares of draws: 1 of n + 1 might have been against them."""
    strength = np.tile([3.0, 0.0], (number, 1)) + np.linspace(0, 1, number)[:, None]
    draws = plain_draws(strength, [3.0, 0.0], units=100)
    found = decide(np.array([3.0, 0.0]), draws, 0.95, np.array([False, True])).ranges
    assert (found.low.tolist(), found.high.tolist()) == ([1, 3 - high], [high, 2])
