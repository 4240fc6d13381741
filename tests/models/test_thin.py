"""Thin evidence and many systems: quicker ways lead where the slow ones lead, and say that they were taken."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.orders import Orders
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models import plackett_luce
from betterthan.models.base import build_model
from betterthan.models.likelihood import choices, newton, pair_refitting, sparse
from betterthan.uncertainty import resampling as resample
from betterthan.verbs.rank.leaderboard import Leaderboard

MANY = 600


def _judged(systems: int, number: int, seed: int = 0, ties: float = 0.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.8, systems)
    left = rng.integers(systems, size=number)
    right = (left + rng.integers(1, systems, size=number)) % systems
    won = rng.random(number) < 1 / (1 + np.exp(strength[right] - strength[left]))
    winner = np.where(rng.random(number) < ties, "tie", np.where(won, "left", "right"))
    return {
        "left": [f"s{place:03d}" for place in left],
        "right": [f"s{place:03d}" for place in right],
        "winner": winner.tolist(),
        "item": (np.arange(number) % (number // 3)).tolist(),
    }


def _ranked(rankings: int, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 1, 6) + rng.gumbel(size=(rankings, 6))
    return {
        "ranking": np.repeat(np.arange(rankings), 6).tolist(),
        "system": list("abcdef") * rankings,
        "rank": (20 - np.round(quality)).astype(int).ravel().tolist(),
        "judge": np.repeat(np.arange(rankings) % 40, 6).tolist(),
    }


def _counts(evidence: Any, unit: str = "row") -> PairCounts:
    return data_sets(evidence, unit=unit).only("this test").pairs()  # type: ignore[attr-defined, no-any-return]


def _codes(board: Leaderboard) -> set[str]:
    return {finding.code for finding in board.findings}


def _width(board: Leaderboard) -> float:
    return float(np.mean([row.high - row.low for row in board if row.high is not None and row.low is not None]))


@pytest.fixture(scope="module")
def thin() -> dict[str, Any]:
    """Ten judgments of each of many systems."""
    return _judged(MANY, 5 * MANY)


@pytest.mark.parametrize("model", ["bradley-terry", "davidson", "thurstone"])
def test_a_resample_of_thin_evidence_is_refitted_as_newtons_method_does(model: str) -> None:
    counts, chosen = _counts(_judged(MANY, 5 * MANY, ties=0.2)), build_model(model)
    assert sparse.refits_alone(counts)
    fit = chosen.fit(counts)
    like: Any = chosen
    start = (fit.strength, like.fitted_width(fit))
    drawn = counts.units.resample(np.random.default_rng(1), 1)[:, :, 0]
    part = like.problem(counts, drawn)
    near = sparse.maximise_near(
        sparse.Pairs(*part.inner_pairs, part.components.label), part.link, part.inner_outcomes, start
    )
    assert near is not None
    exact = newton.maximise(part.design, part.link, part.inner_outcomes, start, prior=part.prior)
    assert exact.converged
    np.testing.assert_allclose(
        newton.centred(near, part.components.label), exact.strength, atol=2e-5, err_msg="draws move by 0.5 and more"
    )


def test_draws_of_thin_evidence_are_those_of_the_shared_factorisation(
    thin: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = bt.rank(thin, unit="row", resamples=30).board
    monkeypatch.setattr(pair_refitting, "refits_alone", lambda counts: False)
    slow = bt.rank(thin, unit="row", resamples=30).board
    assert [row.low is None for row in quick] == [row.low is None for row in slow]
    assert any(row.low is None for row in quick)  # those who never won
    assert any(row.high is None for row in quick)
    assert _width(quick) == pytest.approx(_width(slow), rel=0.02)
    degenerate = {code: finding.value for finding in quick.findings if (code := finding.code)}
    assert degenerate["degenerate-resamples"] == 30


def test_few_systems_and_rich_evidence_share_a_factorisation() -> None:
    assert not sparse.refits_alone(_counts(_judged(40, 300)))
    assert not sparse.refits_alone(_counts(_judged(MANY, 60 * MANY)))


def test_resamples_are_fewer_where_each_takes_long(thin: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "_PAIRS_IN_ALL", 5 * MANY * 30)
    board = bt.rank(thin, unit="row", model="bradley-terry").board
    assert board.settings.resamples == 200
    assert next(finding.message for finding in board.findings if finding.code == "fewer-resamples") == (
        "Confidence intervals rest on 200 bootstrap samples instead of 1,000, because refitting 600 systems takes long."
    )
    asked = bt.rank(thin, unit="row", resamples=210).board
    assert asked.settings.resamples == 210
    assert "fewer-resamples" not in _codes(asked)


@pytest.mark.parametrize("unit", ["row", "item"])
@pytest.mark.parametrize("model", ["bradley-terry", "davidson"])
def test_one_step_gives_intervals_as_wide_as_refits(unit: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = _judged(12, 6000, ties=0.1)
    refits = bt.rank(evidence, model=model, unit=unit).board
    assert "one-step" not in _codes(refits)
    monkeypatch.setattr(pair_refitting, "_MANY_PAIRS", 10)
    steps = bt.rank(evidence, model=model, unit=unit).board
    assert "one-step" in _codes(steps)
    assert _width(steps) == pytest.approx(_width(refits), rel=0.03)
    assert steps.settings.buckets == (4096 if unit == "row" else None)
    assert bt.rank(evidence, model=model, unit=unit, buckets=0).board.columns() == refits.columns()


def test_one_step_is_not_for_systems_of_which_little_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_refitting, "_MANY_PAIRS", 10)
    assert "one-step" not in _codes(bt.rank(_judged(12, 400), unit="row", resamples=50).board)


def test_one_step_of_scores_gives_intervals_as_wide_as_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scores = {f"s{place}": (rng.normal(size=120) + place / 5).tolist() for place in range(8)}
    evidence = bt.read_scores(scores)
    refits = bt.rank(evidence, model="bradley-terry").board
    monkeypatch.setattr(pair_refitting, "_MANY_PAIRS", 10)
    steps = bt.rank(evidence, model="bradley-terry").board
    assert ("one-step" in _codes(steps), "one-step" in _codes(refits)) == (True, False)
    assert _width(steps) == pytest.approx(_width(refits), rel=0.03)
    assert steps.settings.buckets is None
    assert bt.rank(evidence, model="bradley-terry", buckets=0).board.columns() == refits.columns()
    few = bt.read_scores({name: values[:90] for name, values in scores.items()})
    assert "one-step" not in _codes(bt.rank(few, model="bradley-terry", resamples=20).board)


@pytest.mark.parametrize("unit", ["ranking", "judge"])
def test_one_step_of_rankings_gives_intervals_as_wide_as_refits(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = _ranked(400)
    refits = bt.rank(evidence, model="plackett-luce", unit=unit).board
    monkeypatch.setattr(plackett_luce, "_MANY_NUMBERS", 10)
    steps = bt.rank(evidence, model="plackett-luce", unit=unit).board
    assert ("one-step" in _codes(steps), "one-step" in _codes(refits)) == (True, False)
    assert _width(steps) == pytest.approx(_width(refits), rel=0.02)


def test_a_sample_of_sets_leads_to_the_same_worths(monkeypatch: pytest.MonkeyPatch) -> None:
    data: Any = data_sets(_ranked(300)).only("this test")
    orders, model = data.statistic(Orders), build_model("plackett-luce")
    exact = model.fit(orders)
    monkeypatch.setattr(choices, "_SAMPLED", 3)
    monkeypatch.setattr(choices, "_OF_EACH", 1)
    sampled = model.fit(orders)
    assert sampled.iterations > exact.iterations
    np.testing.assert_allclose(sampled.strength, exact.strength, atol=1e-8)
    assert sampled.converged


def test_a_chain_is_factored_where_conjugate_gradients_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"s{place:02d}", f"s{place + 1:02d}", won) for place in range(60) for won in "aab"]
    counts, model = _counts(rows), build_model("bradley-terry")
    dense = model.fit(counts)
    monkeypatch.setattr(newton, "DENSE_LIMIT", 10)
    monkeypatch.setattr(newton, "_ROUNDS", 3)
    monkeypatch.setattr(newton, "_FULL", 0.5)
    np.testing.assert_allclose(model.fit(counts).strength, dense.strength, atol=1e-9)
