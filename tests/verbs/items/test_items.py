"""Item response models: beside a direct likelihood, conditional likelihood, girth, Bradley–Terry, and planted items."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

import betterthan as bt
from betterthan.verbs.items.item_response import fit_items
from tests.cli.conftest import Answer

ABILITY = np.array([1.0, 0.6, 0.2, -0.2, -0.6, -1.0])


def _world(seed: int, items: int = 400, variety: float = 0.0, ability: Any = ABILITY) -> tuple[Any, Any, Any]:
    """Rights and wrongs, with the difficulties and discriminations behind them."""
    rng = np.random.default_rng(seed)
    difficulty, slope = rng.normal(0, 1.3, items), rng.normal(1, variety, items) if variety else np.ones(items)
    chance = special.expit(slope[:, None] * (ability - difficulty[:, None]))
    return (rng.random(chance.shape) < chance).astype(float), difficulty, slope


def _scores(right: Any) -> dict[str, list[float]]:
    return {f"s{place}": column.tolist() for place, column in enumerate(right.T)}


def _direct(right: Any, two: bool) -> tuple[Any, float]:
    """Maximise the marginal likelihood item by item with Gauss–Hermite nodes, with the prior of the variety."""
    x, weight = np.polynomial.hermite_e.hermegauss(40)
    weight = weight / weight.sum()

    def loss(given: Any) -> float:
        *ability, spread, variety = given if two else (*given, 0.0)
        total = 0.0
        for row in right:
            likelihood = 0.0
            for a, wa in zip(x if two else [0.0], weight if two else [1.0], strict=True):
                p = special.expit((1 + np.exp(variety) * a * two) * (np.array(ability) - np.exp(spread) * x[:, None]))
                likelihood += wa * float(weight @ np.prod(np.where(np.isnan(row), 1, np.where(row == 1, p, 1 - p)), 1))
            total -= np.log(likelihood)
        return total - variety * two

    start = [*special.logit(np.nanmean(right, axis=0)), 0.0, *([-1.0] if two else [])]
    found = optimize.minimize(loss, start, method="BFGS", options={"gtol": 1e-4})
    return found.x, -found.fun - (found.x[-1] if two else 0.0)


@pytest.mark.parametrize("two", [False, True])
def test_the_fit_is_that_of_the_direct_likelihood(two: bool) -> None:
    right, _, _ = _world(5, 40 if two else 120, 0.5 if two else 0.0, ABILITY[[0, 2, 5]])
    right[3, 0] = right[7, 1] = np.nan
    x, log_likelihood = _direct(right, two)
    found = fit_items(right, two=two)
    assert found.converged
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=5e-3)
    assert found.ability == pytest.approx(x[:3] - x[:3].mean(), abs=5e-3)
    assert found.spread == pytest.approx(np.exp(x[3]), rel=1e-2)


def test_rasch_is_that_of_girth() -> None:
    """girth 0.8: onepl_mml of the transposed table; its quadrature is coarser than ours."""
    right, _, _ = _world(5)
    girth = np.array([1.06263634, 0.69141732, 0.43772612, -0.2449533, -0.72013606, -0.92568849])
    found = fit_items(right, two=False)
    assert found.ability == pytest.approx(girth - girth.mean(), abs=0.01)
    assert found.spread == pytest.approx(1.37034887, abs=0.002)


def test_rasch_agrees_with_conditional_likelihood_and_bradley_terry() -> None:
    """Given how many systems solve an item, its difficulty cancels; of two systems it leaves Bradley–Terry."""
    right, _, _ = _world(8, 3000)

    def loss(given: Any) -> float:
        ability = np.append(given, -np.sum(given))
        total = -float((right @ ability).sum())
        for solved in range(1, 6):
            items = int((right.sum(axis=1) == solved).sum())
            sums = [ability[list(chosen)].sum() for chosen in combinations(range(6), solved)]
            total += items * float(special.logsumexp(sums))
        return total

    found = optimize.minimize(loss, np.zeros(5))
    conditional = np.append(found.x, -found.x.sum())
    ours = fit_items(right, two=False)
    assert ours.ability == pytest.approx(conditional, abs=0.02)
    board = bt.rank(_scores(right), model="bradley-terry(ties=drop)", ci="none", scale="log").board
    log_worth = np.array([board[f"s{place}"].score for place in range(6)])
    error = np.sqrt(np.diag(ours.covariance)).max()
    assert log_worth - log_worth.mean() == pytest.approx(conditional, abs=1.5 * error)


@pytest.mark.parametrize("two", [False, True])
def test_intervals_of_abilities_hold_the_truth(two: bool) -> None:
    held = []
    for seed in range(40 if two else 100):
        right, _, _ = _world(seed + 100, 150, 0.4 if two else 0.0, ABILITY[[0, 2, 3, 5]])
        found = fit_items(right, two=two)
        truth = ABILITY[[0, 2, 3, 5]] - ABILITY[[0, 2, 3, 5]].mean()
        error = np.sqrt(np.diag(found.covariance))
        held += (np.abs(found.ability - truth) < 1.96 * error).tolist()
    assert stats.binomtest(sum(held), len(held), 0.95).pvalue > 0.001
    assert np.mean(held) > 0.92


def test_items_have_intervals_that_hold_difficulty_and_discrimination() -> None:
    right, difficulty, slope = _world(3, 1500, 0.4, np.linspace(-1.5, 1.5, 12))
    found = fit_items(right, two=True)
    assert found.discrimination is not None
    for known, truth in ((found.difficulty, difficulty), (found.discrimination, slope)):
        assert np.mean((known.low <= truth) & (truth <= known.high)) == pytest.approx(0.955, abs=0.02)
    assert np.corrcoef(found.difficulty.mean, difficulty)[0, 1] > 0.8
    assert found.variety == pytest.approx(0.4, abs=0.15)


def test_items_with_a_wrong_key_are_named() -> None:
    right, _, _ = _world(4, 300, 0.2, np.linspace(-3, 3, 30))
    right[[7, 99]] = 1 - (np.linspace(-3, 3, 30) > np.array([[0.0], [0.3]]))
    found = bt.items(_scores(right))
    (finding,) = (each for each in found.findings if each.code == "reversed-items")
    assert finding.value == 2
    assert {"'008'", "'100'"} <= set(str(finding).replace(".", "").replace(":", "").replace(",", "").split())
    assert all(each.discrimination.high < 0 for each in found.items if each.item in {"008", "100"})
    plain = bt.items(_scores(_world(4, 300, 0.2, np.linspace(-3, 3, 30))[0]))
    assert not [each for each in plain.findings if each.code == "reversed-items"]


def test_what_carries_the_ranking() -> None:
    """Items that everybody solves say little; those that half of the systems solve say most."""
    right = np.vstack(
        [
            np.ones((50, 4)),
            np.tile([1.0, 1, 0, 0], (20, 1)),
            np.tile([1.0, 0, 1, 0], (10, 1)),
            np.tile([0.0, 1, 0, 1], (5, 1)),
            np.zeros((15, 4)),
        ]
    )
    found = bt.items(_scores(right), model="rasch")
    shares = np.array([each.information for each in found.items])
    assert shares.sum() == pytest.approx(1)
    assert shares[50:85].min() > 1.2 * shares[:50].max()
    assert found.half < 60
    assert found.items[0].difficulty.known < found.items[60].difficulty.known < found.items[99].difficulty.known


def test_the_result_says_all_of_it() -> None:
    right, _, _ = _world(6, 80)
    found = bt.items(_scores(right))
    assert [each.model for each in found.models] == ["rasch", "2pl"]
    for each in found.models:
        assert each.aic == pytest.approx(2 * each.parameters - 2 * each.log_likelihood)
    assert found.abilities[0].system == "s0"
    text = found.to_text(80)
    assert f"Half of the information about the ranking is in {found.half} of 80 items." in text
    assert max(map(len, text.splitlines()[:-1])) <= 80
    assert len(found.to_pandas()) == 80
    assert json.loads(found.to_json())["items"][0]["difficulty"]["low"] < found.items[0].difficulty.known
    rasch = bt.items(_scores(right), model="rasch")
    assert rasch.items[0].discrimination is None
    assert "discrimination" not in rasch.columns()


@pytest.mark.parametrize("lower", [False, True])
def test_any_scores_have_a_threshold(lower: bool) -> None:
    right, _, _ = _world(7, 60)
    graded = np.where(right == 1, 0.8, 0.3)
    scores = _scores(1 - graded if lower else graded)
    evidence = bt.read_scores(scores, lower_is_better=lower)
    with pytest.raises(bt.PlanError, match=r"right \(1\) or wrong \(0\), and there are others"):
        bt.items(evidence)
    found = bt.items(evidence, threshold=0.5, model="rasch")
    assert [each.ability for each in found.abilities] == [
        each.ability for each in bt.items(_scores(right), model="rasch").abilities
    ]


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"a": [1, 1, 1], "b": [1, 0, 1]}, "'a' is right on every item, so its ability has no end. Leave it out"),
        ({"a": [0, 0, 0], "b": [1, 0, 1]}, "'a' is right on no item"),
        ([("owl", "yak", "a"), ("yak", "owl", "a")], "this evidence is judgments"),
    ],
)
def test_what_is_refused(evidence: Any, message: str) -> None:
    given = bt.read_scores(evidence) if isinstance(evidence, dict) else evidence
    with pytest.raises(bt.BetterthanError, match=message):
        bt.items(given)


def test_on_the_command_line(tmp_path: Path, run: Callable[..., Answer]) -> None:
    right, _, _ = _world(9, 50)
    file = tmp_path / "answers.csv"
    rows = [",".join(["item", *(f"s{place}" for place in range(6))])]
    rows += [",".join([f"q{number}", *(str(int(value)) for value in row)]) for number, row in enumerate(right)]
    file.write_text("\n".join(rows))
    shown = run("items", file)
    assert shown.code == 0, shown.err
    assert "Items that say most about the ranking" in shown.out
    assert run("items", file, "-o", tmp_path / "items.csv", "--model", "rasch").code == 0
    assert (tmp_path / "items.csv").read_text().startswith("item,right,difficulty,difficulty_low,difficulty_high,info")
