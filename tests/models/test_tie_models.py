"""Davidson, Rao–Kupper, Newman and Thurstone against R, closed forms, and SciPy on likelihoods written out."""

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.davidson import Davidson
from tests.reference.r_estimates import TABLES, r_estimates

Row = tuple[str, str, str]
Chances = Callable[[float, float], tuple[float, float, float]]


def _davidson(gap: float, width: float) -> tuple[float, float, float]:
    a, b, nu = np.exp(gap), 1.0, np.exp(width)
    total = a + b + nu * np.sqrt(a * b)
    return a / total, nu * np.sqrt(a * b) / total, b / total


def _rao_kupper(gap: float, width: float) -> tuple[float, float, float]:
    a, b, theta = np.exp(gap), 1.0, np.exp(width)
    tie = (theta**2 - 1) * a * b / ((a + theta * b) * (theta * a + b))
    return a / (a + theta * b), tie, b / (theta * a + b)


def _thurstone(gap: float, width: float) -> tuple[float, float, float]:
    win, loss = stats.norm.cdf(gap - width), stats.norm.cdf(-gap - width)
    return win, 1 - win - loss, loss


CHANCES: dict[str, Chances] = {"davidson": _davidson, "rao-kupper": _rao_kupper, "thurstone": _thurstone}
models = pytest.mark.parametrize("model", CHANCES)


def _simulated(chances: Chances, width: float, seed: int, size: int = 5, judgments: int = 500) -> list[Row]:
    rng = np.random.default_rng(seed)
    strength = np.linspace(0.6, -0.6, size)
    rows: list[Row] = []
    for _ in range(judgments):
        a, b = rng.choice(size, 2, replace=False)
        outcome = rng.choice(["left", "tie", "right"], p=chances(strength[a] - strength[b], width))
        rows.append((f"s{a}", f"s{b}", str(outcome)))
    return rows


def _counts(rows: Any) -> PairCounts:
    return PairCounts.of(bt.read_judgments(rows).tally())


def _rows(wins: dict[tuple[str, str], int], ties: dict[tuple[str, str], int] | None = None) -> list[Row]:
    won = [(winner, loser, "left") for (winner, loser), count in wins.items() for _ in range(count)]
    return won + [(a, b, "tie") for (a, b), count in (ties or {}).items() for _ in range(count)]


def _minus_log_likelihood(rows: list[Row], chances: Chances) -> Callable[[np.ndarray], float]:
    """Return the function of all gaps to the first system and, last, the width; no row is grouped with another."""
    names = sorted({name for row in rows for name in row[:2]})
    cells = [(names.index(a), names.index(b), ["left", "tie", "right"].index(outcome)) for a, b, outcome in rows]

    def value(point: np.ndarray) -> float:
        strength = np.concatenate([[0.0], point[:-1]])
        memory: dict[tuple[int, int], tuple[float, float, float]] = {}
        total = 0.0
        for a, b, outcome in cells:
            if (a, b) not in memory:
                memory[a, b] = chances(strength[a] - strength[b], point[-1])
            total -= np.log(max(memory[a, b][outcome], 1e-300))
        return total

    return value


def _hessian(function: Callable[[np.ndarray], float], point: np.ndarray, step: float = 1e-3) -> np.ndarray:
    size = len(point)
    shift = np.eye(size) * step
    return np.array(
        [
            [
                (function(point + a + b) - function(point + a - b) - function(point - a + b) + function(point - a - b))
                / (4 * step**2)
                for b in shift
            ]
            for a in shift
        ]
    )


def _contrasts(covariance: np.ndarray) -> np.ndarray:
    """Return the covariance of the gaps to the first system and of the width."""
    size = len(covariance) - 1
    gaps = np.eye(size + 1)[1:]
    gaps[: size - 1, 0] = -1.0
    return gaps @ covariance @ gaps.T


# --- R -------------------------------------------------------------------------------------------------------------


R = [
    ("springall.llbt_davidson_ties", "springall_counts.csv", str, "S9", "g1", 2),
    ("pl.pudding", "pudding_counts.csv", lambda name: f"p{name}", "p1", "tie2", 1),
    ("dras.t1.ties", "dras_table1_counts.csv", lambda name: "ABCD"[int(name[1]) - 1], "D", "g1", 2),
]


@pytest.mark.parametrize(("entry", "file", "rename", "reference", "undecided", "scale"), R)
def test_davidson_is_r_s(entry: str, file: str, rename: Any, reference: str, undecided: str, scale: int) -> None:
    """Log-linear models have half the log-worth as their scale (`scale` 2), PlackettLuce the log-worth itself."""
    golden = r_estimates()[entry]["fit"]
    counts = _counts(TABLES / file)
    model = Davidson()
    fit = model.fit(counts)
    covariance = model.covariance(fit, counts, clustered=False)
    assert covariance.shape == (counts.size + 1, counts.size + 1)
    base, checked = counts.systems.index(reference), 0
    for name, expected in golden["coef"].items():
        if name == undecided:
            assert log(fit.parameters["nu"]) == pytest.approx(expected["est"], abs=1e-6)
            assert np.sqrt(covariance[-1, -1]) == pytest.approx(expected["se"], abs=1e-6)
        elif not expected.get("aliased_reference"):
            place = counts.systems.index(rename(name))
            variance = covariance[place, place] + covariance[base, base] - 2 * covariance[place, base]
            assert fit.strength[place] - fit.strength[base] == pytest.approx(scale * expected["est"], abs=1e-6)
            assert np.sqrt(variance) == pytest.approx(scale * expected["se"], abs=1e-6)
        checked += 1
    assert checked == counts.size + 1
    if "loglik" in golden:
        assert fit.log_likelihood == pytest.approx(golden["loglik"], abs=1e-6)


# --- closed forms and SciPy ----------------------------------------------------------------------------------------


def test_two_systems_are_fitted_exactly() -> None:
    """Three shares and two parameters: the chances are the shares."""
    rows = _rows({("owl", "yak"): 9, ("yak", "owl"): 4}, {("owl", "yak"): 7})
    gap_and_parameter = {
        "davidson": (log(9 / 4), 7 / np.sqrt(36)),
        "newman": (log(9 / 4), 7 / np.sqrt(36) / 2),
        "rao-kupper": (
            (special.logit(9 / 20) - special.logit(4 / 20)) / 2,
            np.exp(-(special.logit(9 / 20) + special.logit(4 / 20)) / 2),
        ),
        "thurstone": (
            (stats.norm.ppf(9 / 20) - stats.norm.ppf(4 / 20)) / 2,
            -(stats.norm.ppf(9 / 20) + stats.norm.ppf(4 / 20)) / 2,
        ),
    }
    for model, (gap, parameter) in gap_and_parameter.items():
        board = bt.rank(rows, model=model, ci="none").board
        assert board.fit.strength[0] - board.fit.strength[1] == pytest.approx(gap, abs=1e-8), model
        assert list(board.fit.parameters.values()) == pytest.approx([parameter], abs=1e-8), model
        assert board.probability("owl", "yak") == pytest.approx((9 / 20, 7 / 20, 4 / 20), abs=1e-8), model
        assert board.probability("yak", "owl") == pytest.approx((4 / 20, 7 / 20, 9 / 20), abs=1e-8), model
        entropy = 9 * log(9 / 20) + 7 * log(7 / 20) + 4 * log(4 / 20)
        assert board.fit.log_likelihood == pytest.approx(entropy, abs=1e-8), model


@models
def test_scipy_finds_the_same_maximum_and_standard_errors(model: str) -> None:
    rows = _simulated(CHANCES[model], 0.4, seed=1)
    counts = _counts(rows)
    fit = build_model(model).fit(counts)
    worst = _minus_log_likelihood(rows, CHANCES[model])
    found = optimize.minimize(worst, np.append(np.zeros(4), 0.5), method="BFGS", options={"gtol": 1e-5})
    ours = np.append(fit.strength[1:] - fit.strength[0], build_model(model).fitted_width(fit))
    np.testing.assert_allclose(ours, found.x, atol=1e-5)
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-7)
    assert fit.log_likelihood >= -found.fun - 1e-9
    covariance = build_model(model).covariance(fit, counts, clustered=False)
    expected = np.linalg.inv(_hessian(worst, ours))
    np.testing.assert_allclose(_contrasts(covariance), expected, rtol=1e-4, atol=1e-7)


def test_newman_is_davidson_with_half_its_parameter() -> None:
    counts = _counts(_simulated(_davidson, 0.2, seed=2, size=8, judgments=300))
    davidson, newman = (build_model(model).fit(counts) for model in ("davidson", "newman"))
    np.testing.assert_allclose(newman.strength, davidson.strength, atol=1e-8)
    assert newman.parameters["nu"] == pytest.approx(davidson.parameters["nu"] / 2, abs=1e-9)
    assert newman.log_likelihood == pytest.approx(davidson.log_likelihood, abs=1e-8)


def test_newman_says_when_it_stopped_early() -> None:
    board = bt.rank(_simulated(_davidson, 0.2, seed=2), model="newman(limit=3)", ci="none").board
    assert "The newman model did not converge in 3 iterations, so its estimates are approximate." in [
        finding.message for finding in board.findings
    ]


@pytest.mark.parametrize("model", ["davidson", "newman", "rao-kupper"])
def test_without_ties_all_are_bradley_terry(model: str) -> None:
    rows = [row for row in _simulated(_davidson, 0.0, seed=3) if row[2] != "tie"]
    plain, fit = BradleyTerry().fit(_counts(rows)), build_model(model).fit(_counts(rows))
    np.testing.assert_allclose(fit.strength, plain.strength, atol=1e-8)
    assert fit.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-8)
    assert dict(fit.parameters) == {}
    assert bt.rank(rows, model=model, ci="none").board.probability("s0", "s1")[1] == 0.0


@pytest.mark.parametrize("ties", ["half", "drop", "threshold"])
def test_thurstone_without_a_threshold_is_a_probit(ties: str) -> None:
    """Two systems have the closed form Φ⁻¹ of the share; more are asked of SciPy."""
    rows = _simulated(_thurstone, 0.2, seed=4)
    rows = rows if ties != "threshold" else [row for row in rows if row[2] != "tie"]
    weights = {"left": (1.0, 0.0), "right": (0.0, 1.0), "tie": (0.5, 0.5) if ties == "half" else (0.0, 0.0)}
    names = sorted({name for row in rows for name in row[:2]})

    def worst(point: np.ndarray) -> float:
        strength = dict(zip(names, np.append(0.0, point), strict=True))
        return -sum(
            weights[o][0] * stats.norm._logcdf(strength[a] - strength[b])
            + weights[o][1] * stats.norm._logcdf(strength[b] - strength[a])
            for a, b, o in rows
        )

    fit = build_model(f"thurstone(ties={ties})").fit(_counts(rows))
    found = optimize.minimize(worst, np.zeros(4), method="BFGS", options={"gtol": 1e-4})
    np.testing.assert_allclose(fit.strength[1:] - fit.strength[0], found.x, atol=1e-5)
    pair = build_model("thurstone").fit(_counts(_rows({("owl", "yak"): 7, ("yak", "owl"): 3})))
    assert pair.strength[0] - pair.strength[1] == pytest.approx(stats.norm.ppf(0.7), abs=1e-9)


# --- intervals -----------------------------------------------------------------------------------------------------


@models
def test_where_the_model_holds_the_sandwich_is_the_inverse_information(model: str) -> None:
    counts = _counts(_simulated(CHANCES[model], 0.5, seed=5, size=4, judgments=6000))
    fit = build_model(model).fit(counts)
    plain, sandwich = (
        _contrasts(build_model(model).covariance(fit, counts, clustered=clustered)) for clustered in (False, True)
    )
    np.testing.assert_allclose(np.diag(sandwich) / np.diag(plain), 1.0, atol=0.06)


@models
@pytest.mark.parametrize("width", [0.5, 0.01])
def test_refitting_a_resample_equals_fitting_it_alone(model: str, width: float) -> None:
    """With a width of .01 ties are so rare that some resamples have none, and no width to estimate."""
    chances = CHANCES[model]
    if width == 0.01:
        rows = [row for row in _simulated(_rao_kupper, 0.0, seed=6, judgments=400) if row[2] != "tie"]
        rows.append(("s1", "s3", "tie"))
    else:
        rows = _simulated(chances, width, seed=6, judgments=400)
    counts = _counts(rows)
    mechanism = build_model(model)
    outcomes = counts.units.resample(np.random.default_rng(0), 12)
    assert np.any(outcomes[1].sum(axis=0) == 0) == (width == 0.01)
    refitted, degenerate = mechanism.refitter(mechanism.fit(counts), counts)(outcomes, np.random.default_rng(1))
    assert degenerate == 0
    for column in range(12):
        alone = PairCounts(counts.systems, counts.first, counts.second, outcomes[:, :, column], counts.units)
        np.testing.assert_allclose(refitted[:, column], mechanism.fit(alone).strength, atol=2e-6)
