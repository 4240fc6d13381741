"""Systems of which little is known among many of which much is known: against one-dimensional searches and refits."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models import links
from betterthan.models.base import build_model
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.likelihood import pair_refitting
from betterthan.models.likelihood.rare import Rare
from betterthan.verbs.rank.leaderboard import Leaderboard

RARE = ("s00", "s39")


def _arena(rare: int, *, weight: float = 1.0, ties: float = 0.0) -> dict[str, list[Any]]:
    """Forty systems that met six hundred times each or so, but for the best and the worst of them."""
    rng = np.random.default_rng(2)
    strength = np.linspace(1.0, -1.0, 40)
    left, right = rng.integers(1, 39, size=(2, 12_000))
    left, right = left[left != right], right[left != right]
    left = np.concatenate([left, np.repeat([0, 39], rare)])
    right = np.concatenate([right, rng.integers(1, 39, size=2 * rare)])
    won = rng.random(len(left)) < 1 / (1 + np.exp(strength[right] - strength[left]))
    winner = np.where(rng.random(len(left)) < ties, "tie", np.where(won, "left", "right"))
    return {
        "left": [f"s{place:02d}" for place in left],
        "right": [f"s{place:02d}" for place in right],
        "winner": winner.tolist(),
        "weight": [weight] * len(left),
    }


def _one_step(board: Leaderboard) -> bool:
    return any(finding.code == "one-step" for finding in board.findings)


@pytest.mark.parametrize("link", [links.Logistic(), links.DavidsonLink(), links.RaoKupperLink(), links.Probit()])
def test_it_stands_where_its_own_judgments_are_likeliest(link: links.Link) -> None:
    rng = np.random.default_rng(0)
    others = rng.normal(0, 2, (6, 20))
    outcomes = rng.poisson(0.7, (3, 6, 20)).astype(float)
    outcomes[:, 0] += 1.0  # neither only wins nor only losses
    if link.width is None:
        outcomes[1] = 0.0
    strength = np.vstack([np.full(20, 9.0), others])
    rare = Rare(0, np.arange(1, 7), outcomes[:, :, 0])
    assert not np.any(rare.place(link, outcomes, strength, 0.5, rng))
    assert np.array_equal(strength[1:], others)
    for column in range(20):
        one = link.prepare(outcomes[:, :, column])
        best = optimize.minimize_scalar(
            lambda place, one=one, column=column: -link.value(one, place - others[:, column], 0.5),
            bounds=(-10, 10),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert strength[0, column] == pytest.approx(best.x, abs=1e-5)


@pytest.mark.parametrize("side", [0, 2])
def test_a_draw_of_wins_alone_is_placed_by_their_chance(side: int) -> None:
    """The chance of winning, or losing, them all is uniform over the draws."""
    outcomes = np.zeros((3, 2, 800))
    outcomes[side] = [[2.0], [1.0]]
    strength = np.zeros((3, 800))
    strength[1] = 1.5
    rare = Rare(0, np.array([1, 2]), outcomes[:, :, 0])
    assert np.all(rare.place(links.Logistic(), outcomes, strength, 0.0, np.random.default_rng(1)))
    gap = (strength[0] - strength[1:]) * (1 if side == 0 else -1)
    chance = np.prod((1 / (1 + np.exp(-gap))) ** np.array([[2], [1]]), axis=0)
    assert stats.kstest(chance, "uniform").pvalue > 0.01


def test_a_draw_without_any_of_its_judgments_leaves_it_where_it_is() -> None:
    strength = np.array([[0.3], [0.0]])
    assert not Rare(0, np.array([1]), np.ones((3, 1))).place(
        links.Logistic(), np.zeros((3, 1, 1)), strength, 0.0, np.random.default_rng(0)
    )
    assert strength[0, 0] == 0.3


def test_judgments_are_seen_from_its_side_and_drawn_as_often_on_average() -> None:
    counts = PairCounts(
        ("a", "b", "c"),
        np.array([0, 0, 1]),
        np.array([1, 2, 2]),
        np.array([[5.0, 1, 2], [3, 0, 1], [4, 1, 7]]),
        None,  # type: ignore[arg-type]
    )
    rare = Rare.of(counts, 1)
    assert rare.others.tolist() == [2, 0]
    assert rare.outcomes.tolist() == [[2, 4], [1, 3], [7, 5]]
    drawn = rare.redrawn(np.random.default_rng(0), 20_000)
    assert drawn.mean(axis=2) == pytest.approx(rare.outcomes, rel=0.03)
    assert drawn.var(axis=2) == pytest.approx(rare.outcomes, rel=0.05)


@pytest.mark.parametrize("model", ["bradley-terry", "davidson"])
def test_its_interval_is_that_of_refits(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one step alone the longer side of it would be a sixth too short."""
    evidence = _arena(60, ties=0.1 if model == "davidson" else 0.0)
    refits = bt.rank(evidence, model=model, unit="row", resamples=2000).board
    monkeypatch.setattr(pair_refitting, "_MANY_JUDGMENTS", 1000)
    steps = bt.rank(evidence, model=model, unit="row", resamples=2000).board
    assert (_one_step(refits), _one_step(steps)) == (False, True)
    for system in RARE:
        for side in ("low", "high"):
            reach = [abs(getattr(board[system], side) - board[system].score) for board in (refits, steps)]
            assert reach[1] == pytest.approx(reach[0], rel=0.1)


def test_who_is_refitted_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_refitting, "_MANY_JUDGMENTS", 1000)
    model: Any = build_model("bradley-terry")

    def quick(evidence: dict[str, list[Any]]) -> bool:
        counts = data_sets(evidence, unit="row").only("this test").pairs()  # type: ignore[attr-defined]
        return bool(model.refitter(BradleyTerry().fit(counts), counts).nearly_linear)

    assert quick(_arena(60))
    assert not quick(_arena(60, weight=0.5))  # how often a judgment of a weight was drawn is not known any more
    assert not quick(_arena(15))  # of whom next to nothing is known
    monkeypatch.setattr(pair_refitting, "_RARE", 0.04)
    assert not quick(_arena(60))


def test_light_judgments_are_not_taken_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_refitting, "_MANY_JUDGMENTS", 1000)
    plain, light = (
        bt.rank(_arena(2000, weight=weight), unit="row", resamples=1000, scale="log").board for weight in (1.0, 0.01)
    )
    assert (_one_step(plain), _one_step(light)) == (True, True)
    wide = [np.mean([row.high - row.low for row in board]) for board in (plain, light)]
    assert wide[1] == pytest.approx(wide[0], rel=0.05)
