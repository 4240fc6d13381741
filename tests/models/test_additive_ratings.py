"""What ratings add to adjusted means, against derivatives of the additive fit by brute force."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets import RatingMatrix, ScoreMatrix, data_sets
from betterthan.models.direct.additive import AdditiveFit

SYSTEMS = ("elk", "owl", "yak")


def _ratings() -> RatingMatrix:
    """Return ratings of eight items by two or three judges, where some systems were not rated."""
    rng = np.random.default_rng(4)
    rows = [
        {"system": name, "item": f"i{item}", "judge": f"j{judge}", "score": float(rng.normal() + place + item / 3)}
        for item in range(8)
        for place, name in enumerate(SYSTEMS)
        for judge in range(2 + item % 2)
        if (item + place) % 4 and (judge + item * place) % 5
    ]
    scores = data_sets(bt.read_scores(rows, judge="judge")).only("a test").statistic(ScoreMatrix)
    assert scores is not None
    assert scores.ratings is not None
    return scores.ratings


def _derivatives(values: np.ndarray) -> np.ndarray:
    """Return how every score moves the means (items × systems × means); the fit is linear in the scores."""
    base, moves = AdditiveFit(values).mean, np.zeros((*values.shape, values.shape[1]))
    for place in np.argwhere(~np.isnan(values)):
        moved = values.copy()
        moved[tuple(place)] += 1.0
        moves[tuple(place)] = AdditiveFit(moved).mean - base
    return moves


def test_ratings_move_means_as_the_scores_of_their_items_do() -> None:
    ratings = _ratings()
    item = ratings.units.factors[0]
    total, number = ratings.by_item(ratings.total), ratings.by_item(ratings.number)
    values = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    fit = AdditiveFit(values)
    assert np.any(np.isnan(values))
    assert not np.any(fit.apart)
    # Least squares with a column for every item and system, and what the fit expects of every score.
    known = np.argwhere(~np.isnan(values))
    design = np.zeros((len(known), len(values) + len(SYSTEMS)))
    design[np.arange(len(known)), known[:, 0]] = design[np.arange(len(known)), len(values) + known[:, 1]] = 1.0
    effects = np.linalg.lstsq(design, values[tuple(known.T)], rcond=None)[0]
    hard, strength = effects[: len(values)], effects[len(values) :]
    np.testing.assert_allclose(fit.mean, strength + hard.mean(), atol=1e-9)
    residual = ratings.weighted - ratings.share * (hard[item, None] + strength)
    share = ratings.share.sum(axis=1) / np.sum(number > 0, axis=1)[item]
    moved = np.einsum("rs,rst->rt", residual, _derivatives(values)[item])
    expected = moved + (share * (hard - hard.mean())[item] / len(values))[:, None]
    found = fit.of_ratings(ratings)
    np.testing.assert_allclose(found.parts, expected, atol=1e-9)
    np.testing.assert_allclose(found.parts.sum(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(found.sizes.sum(axis=0), 1.0)
    np.testing.assert_allclose(ratings.by_item(found.parts), fit.influences.parts, atol=1e-9)
    assert found.mean == pytest.approx(fit.mean)
