"""Models with ties on records where a maximum is missing, or seems to be."""

import numpy as np
import pytest
from scipy import optimize

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model
from tests.models.test_tie_models import CHANCES, _counts, _davidson, _minus_log_likelihood, _rows, _simulated, models

NOT_DETERMINED = "The data do not determine how often ties occur, so a weak prior decides."
RECORDS = {
    "only ties": (_rows({}, {("owl", "yak"): 3, ("yak", "elk"): 2}), True),
    "wins one way, and a tie": (_rows({("owl", "yak"): 3, ("yak", "elk"): 3}, {("owl", "yak"): 1}), True),
    "wins without a cycle, ties all over": (
        _rows({("owl", "yak"): 3, ("yak", "elk"): 3}, {("owl", "yak"): 1, ("yak", "elk"): 1}),
        True,
    ),
    "a cycle of wins": (
        _rows({("owl", "yak"): 3, ("yak", "elk"): 3, ("elk", "owl"): 1}, {("owl", "yak"): 1}),
        False,
    ),
    "one that never won": (
        _rows({("owl", "yak"): 3, ("yak", "owl"): 2, ("owl", "elk"): 4}, {("owl", "yak"): 1}),
        False,
    ),
}


@pytest.mark.parametrize("model", [*CHANCES, "newman"])
@pytest.mark.parametrize("record", RECORDS)
def test_whatever_the_record_strengths_are_finite_and_doubts_are_said(model: str, record: str) -> None:
    rows, undetermined = RECORDS[record]
    board = bt.rank(rows, model=model, resamples=40, unit="row").board
    assert np.all(np.isfinite(board.fit.strength))
    assert np.all(np.isfinite(board.draws.strength))
    assert board.fit.converged
    places = [board.fit.systems.index(system) for system in ("owl", "elk")]
    assert sum(board.model.probability(board.fit, *places)) == pytest.approx(1.0)
    messages = [finding.message for finding in board.findings if finding.code == "tie-width"]
    assert messages == ([NOT_DETERMINED] if undetermined else [])
    if record == "only ties":
        assert [row.rank for row in board] == [1, 1, 1]
    else:
        assert np.argsort(-board.fit.strength).tolist() == [
            board.fit.systems.index(name) for name in ("owl", "yak", "elk")
        ]


@models
def test_a_tie_across_two_steps_bounds_the_width(model: str) -> None:
    """First beats second, second beats third, first and third tie: spreading all gaps makes that tie less likely.

    So the maximum exists although no wins contradict each other, and there is nothing to doubt.
    """
    rows = _rows({("owl", "yak"): 3, ("yak", "elk"): 3}, {("owl", "elk"): 3})
    worst = _minus_log_likelihood(rows, CHANCES[model])
    found = optimize.minimize(
        worst, np.array([0.5, 0.2, 0.5]), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    )
    assert np.all(np.abs(found.x) < 20)
    fit = build_model(model).fit(_counts(rows))
    ours = np.append(fit.strength[1:] - fit.strength[0], build_model(model).fitted_width(fit))
    np.testing.assert_allclose(ours, found.x, atol=1e-3)
    assert "tie-width" not in [finding.code for finding in fit.findings]


@models
def test_a_resample_without_a_maximum_equals_fitting_it_alone(model: str) -> None:
    """Wins without a cycle, before and after: the prior of the width decides where both stand, not where a step ends."""
    rows = _rows(
        {("b", "a"): 1, ("a", "c"): 2, ("a", "d"): 2, ("b", "c"): 2, ("d", "c"): 2},
        {("a", "b"): 1, ("a", "d"): 3, ("c", "d"): 1},
    )
    counts, mechanism = _counts(rows), build_model(model)
    drawn = np.array([[0, 0, 5, 1, 0], [1, 0, 3, 0, 2], [1, 0, 0, 0, 1.0]])
    found, _ = mechanism.refitter(mechanism.fit(counts), counts)(drawn[:, :, None], np.random.default_rng(0))
    alone = mechanism.fit(PairCounts(counts.systems, counts.first, counts.second, drawn, counts.units))
    np.testing.assert_allclose(found[:, 0], alone.strength, atol=0.01)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_ties_choose_the_model(ties: str) -> None:
    rows = _simulated(_davidson, 0.3, seed=7)
    chosen, named = bt.rank(rows, ties=ties, resamples=50).board, bt.rank(rows, model=ties, resamples=50).board
    assert chosen.model.name == ties
    assert chosen.rows == named.rows
    with pytest.raises(bt.PlanError) as refusal:
        bt.rank(rows, ties=ties, model="mean")
    assert str(refusal.value) == f"ties={ties!r} is for bradley-terry, which is not among the models: mean."
