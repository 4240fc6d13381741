"""Shrinkage against numerical integration, and intervals of scores whose pairs a policy chose."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

import betterthan as bt
from betterthan.datasets import PairCounts, RowUnits
from betterthan.models import Fit
from betterthan.uncertainty import Draws, shrunk
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

SYSTEMS = 6


def _known(strength: np.ndarray, error: float, number: int = 100_000) -> tuple[Fit, Draws]:
    """Return estimates with equal, independent errors, and draws around them."""
    fit = Fit.plain(tuple(map(str, range(len(strength)))), strength)
    drawn = strength + error * np.random.default_rng(4).normal(size=(number, len(strength)))
    return fit, Draws.plain(drawn, strength, method="normal", unit="row", units=1000)


def test_the_posterior_is_that_of_numerical_integration() -> None:
    """With equal errors the posterior of a spread depends on the sum of squares alone."""
    strength, error = np.array([-0.7, -0.2, 0.0, 0.1, 0.8]), 0.4
    found = shrunk(*_known(strength, error), 0.95)
    assert found is not None
    square, size = float(strength @ strength), len(strength)
    largest = 3 * np.sqrt(max(square / (size - 1), error**2))

    def likelihood(spread: float) -> float:
        total = error**2 + spread**2
        return total ** (-(size - 1) / 2) * np.exp(-square / (2 * total))

    def mean_of(function: object) -> float:
        total, _ = integrate.quad(lambda spread: function(spread) * likelihood(spread), 0, largest)  # type: ignore[operator]
        return float(total / integrate.quad(likelihood, 0, largest)[0])

    kept = mean_of(lambda spread: spread**2 / (spread**2 + error**2))
    np.testing.assert_allclose(found.strength.mean(axis=0), kept * strength, atol=0.01)
    assert found.share == pytest.approx(1 - kept, abs=0.01)

    def below(spread: float, end: float) -> float:
        factor = spread**2 / (spread**2 + error**2)
        deviation = np.sqrt(factor * (1 - 1 / size)) * error
        return float(stats.norm.cdf(end, factor * strength[-1], deviation)) if spread else float(end > 0)

    centred = found.strength - found.strength.mean(axis=1, keepdims=True)
    for tail in (0.025, 0.5, 0.975):
        end = float(np.quantile(centred[:, -1], tail))
        assert mean_of(lambda spread, end=end: below(spread, end)) == pytest.approx(tail, abs=0.01)


def test_systems_that_differ_clearly_stay_where_they_are() -> None:
    strength = np.array([-4.0, -1.0, 1.0, 4.0])
    fit, draws = _known(strength, 0.05)
    found = shrunk(fit, draws, 0.95)
    assert found is not None
    assert found.share < 0.001
    plain = draws.strength - draws.strength.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found.strength.std(axis=0), plain.std(axis=0), rtol=0.02)


def test_two_systems_say_nothing_about_the_spread_of_systems() -> None:
    assert shrunk(*_known(np.array([-1.0, 1.0]), 0.3, 100), 0.95) is None
    fit, draws = _known(np.array([-1.0, 1.0, 3.0]), 0.3, 100)
    assert shrunk(replace(fit, open_high=np.array([False, False, True])), draws, 0.95) is None


def test_systems_without_an_estimate_stay_where_they_are() -> None:
    fit, draws = _known(np.array([-1.0, 0.0, 1.0, 9.0]), 0.3, 100)
    found = shrunk(replace(fit, open_high=np.array([False, False, False, True])), draws, 0.95)
    assert found is not None
    np.testing.assert_array_equal(found.strength[:, 3], draws.strength[:, 3])


def _collected(policy: str, number: int, seed: int) -> dict[str, np.ndarray]:
    """Let a policy choose the pairs of equal systems, twenty at a time."""
    rng = np.random.default_rng(seed)
    names = np.array([f"s{place}" for place in range(SYSTEMS)])
    first, second = np.triu_indices(SYSTEMS, 1)
    outcomes, pairs, won = np.zeros((3, len(first))), [], []
    while 20 * len(pairs) < number:
        units = RowUnits.of(np.arange(outcomes.size), np.ones(outcomes.size), outcomes.ravel(), outcomes.shape)
        counts = PairCounts(tuple(names), first, second, outcomes.copy(), units)
        known = CollectionState(counts, lambda preset: Beliefs.start(SYSTEMS, preset, number))
        chances = policy_of(policy).chances(known, np.zeros(len(first)), np.ones(len(first), dtype=bool))
        pairs.append(rng.choice(len(first), 20, p=chances / chances.sum()))
        won.append(rng.random(20) < 0.5)
        np.add.at(outcomes, (np.where(won[-1], 0, 2), pairs[-1]), 1.0)
    asked, left = np.concatenate(pairs), np.concatenate(won)
    return {"left": names[first[asked]], "right": names[second[asked]], "winner": np.where(left, "a", "b")}


def _held(policy: str, horizon: str, runs: int) -> float:
    """Return the share of intervals that hold the common strength of equal systems."""
    held = []
    for seed in range(runs):
        board = bt.rank(_collected(policy, 240, seed), resamples=200, scale="winrate", horizon=horizon).board
        held += [row.low <= 0.5 <= row.high for row in board if row.low is not None and row.high is not None]
    return float(np.mean(held))


def test_intervals_hold_where_a_policy_chose_the_pairs() -> None:
    assert _held("uncertain", "fixed", 15) < 0.85
    assert _held("uncertain", "anytime", 15) > 0.94
    assert _held("information", "anytime", 8) > 0.94


def test_a_board_names_the_bias_and_keeps_the_scores() -> None:
    votes = _collected("information", 240, 3)
    fixed, anytime = (bt.rank(votes, resamples=200, horizon=horizon).board for horizon in ("fixed", "anytime"))
    assert [row.score for row in fixed] == [row.score for row in anytime]
    assert "adaptive-choice" not in {finding.code for finding in fixed.findings}
    (named,) = [finding for finding in anytime.findings if finding.code == "adaptive-choice"]
    assert named.level == "warning"
    assert named.message.startswith("Where earlier judgments decide which pairs come next, scores are too far apart")
    for one, other in zip(fixed, anytime, strict=True):
        assert (one.low is None) == (other.low is None)
        assert one.low is None or other.low is None or other.low <= one.low
        assert one.high is None or other.high is None or other.high >= one.high


def test_recorded_chances_ask_how_pairs_were_chosen() -> None:
    votes = _collected("uniform", 40, 5) | {"chance": np.linspace(0.05, 0.5, 40)}
    evidence = bt.read(votes, propensity="chance")
    assert "unequal-chances" in {finding.code for finding in bt.rank(evidence, resamples=50).findings}
    codes = {finding.code for finding in bt.rank(evidence, resamples=50, horizon="anytime").findings}
    assert {"any-look", "unequal-chances"} & codes == {"any-look"}
