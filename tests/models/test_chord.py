"""Resamples refitted by the factorisation of the estimate, against Newton's method of each one's own."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model
from betterthan.models.likelihood.chord import chord, in_blocks
from betterthan.models.likelihood.newton import maximise
from betterthan.models.likelihood.pairs import PairLikelihood


def _thin(ties: float) -> PairCounts:
    """Eight judgments or so of each of twenty systems: resamples lie far from the estimate."""
    rng = np.random.default_rng(0)
    left = rng.integers(20, size=160)
    right = (left + rng.integers(1, 20, size=160)) % 20
    won = rng.random(160) < 1 / (1 + np.exp((right - left) / 15))
    winner = np.where(rng.random(160) < ties, "tie", np.where(won, "left", "right"))
    columns = {"left": [f"s{place:02d}" for place in left], "right": [f"s{place:02d}" for place in right]}
    return PairCounts.of(bt.read_judgments({**columns, "winner": winner.tolist()}).tally())


@pytest.mark.parametrize("name", ["bradley-terry", "davidson", "rao-kupper", "thurstone"])
def test_far_resamples_reach_their_maximum_without_a_factorisation_of_their_own(name: str) -> None:
    model, counts = build_model(name), _thin(0.3)
    assert isinstance(model, PairLikelihood)
    fit = model.fit(counts)
    problem = model.problem(counts, counts.outcomes)
    start = (fit.strength, model.fitted_width(fit))
    steps = problem.curvature(*start).solver(problem.design, repeated=True)
    drawn = model.outcomes(counts.units.resample(np.random.default_rng(1), 60))
    drawn = drawn[:, :, ~problem.degenerate(drawn) & ~problem.doubtful_widths(drawn)]
    found, last = chord(problem.design, problem.link, steps, start, drawn)
    assert drawn.shape[2] > 20
    assert np.all(last < 1e-6)
    for column in range(drawn.shape[2]):
        alone = maximise(problem.design, problem.link, drawn[:, :, column])
        assert found[:, column] == pytest.approx(alone.strength, abs=1e-6)


def test_blocks_cover_every_resample_once() -> None:
    many = np.empty((3, 100_000, 7))
    places = np.arange(7)
    assert [places[some].tolist() for some in in_blocks(many)] == [[0, 1], [2, 3], [4, 5], [6]]
    assert [places[some].tolist() for some in in_blocks(many[:, :0])] == [places.tolist()]
