"""Hopkins and May's sampler against the same sampler written as a loop over judgments, and its expectation."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.hopkins_may import HopkinsMay

Row = tuple[str, str, str]
NAMES = ("elk", "fox", "owl", "yak")


def _rows(judgments: int = 150, seed: int = 1) -> list[Row]:
    rng = np.random.default_rng(seed)
    strength = dict(zip(NAMES, (0.8, -0.5, 0.3, -0.6), strict=True))
    rows: list[Row] = []
    for _ in range(judgments):
        left, right = (str(name) for name in rng.choice(NAMES, 2, replace=False))
        seen = strength[left] - strength[right] + rng.normal()
        rows.append((left, right, "left" if seen > 0.3 else "right" if seen < -0.3 else "tie"))
    return rows


def _counts(rows: Any) -> PairCounts:
    return PairCounts.of(bt.read_judgments(rows).tally())


def _naive(
    rows: list[Row], seed: int, burn_in: int, sweeps: int, spread: float, noise: float, radius: float
) -> np.ndarray:
    """Sample as the paper says, one judgment after the other; return the mean abilities, centred."""
    rng = np.random.default_rng(seed)
    mean, kept = dict.fromkeys(NAMES, 0.0), []
    for sweep in range(burn_in + sweeps):
        drawn: dict[str, list[float]] = {name: [] for name in NAMES}
        quality = rng.normal(0.0, spread, 2 * len(rows))
        seen = iter((quality + noise * rng.normal(size=len(quality))).tolist())
        for left, right, outcome in rows:
            first, second = (right, left) if outcome == "right" else (left, right)
            q1, q2 = mean[first] + next(seen), mean[second] + next(seen)
            gap = q1 - q2
            if outcome != "tie" and gap < radius:  # the winner is not far enough ahead
                q1, q2 = q1 + (radius - gap) / 2, q2 - (radius - gap) / 2
            elif outcome == "tie" and gap > radius:
                q1, q2 = q1 - (gap - radius) / 2, q2 + (gap - radius) / 2
            elif outcome == "tie" and gap < -radius:
                q1, q2 = q1 + (-radius - gap) / 2, q2 - (-radius - gap) / 2
            drawn[first].append(q1)
            drawn[second].append(q2)
        mean = {name: sum(values) / len(values) for name, values in drawn.items()}
        if sweep >= burn_in:
            kept.append([mean[name] for name in NAMES])
    ability = np.mean(kept, axis=0)
    return ability - ability.mean()


@pytest.mark.parametrize(("spread", "noise_seen", "radius"), [(0.5, 1.0, 0.5), (0.5, 0.0, 0.5), (0.3, 0.4, 0.8)])
def test_it_is_the_loop_of_the_paper(spread: float, noise_seen: float, radius: float) -> None:
    rows, chains = _rows(), 8
    naive = np.array([_naive(rows, seed, 100, 300, spread, noise_seen, radius) for seed in range(chains)])
    counts = _counts(rows)
    ours = np.array(
        [
            HopkinsMay(spread=spread, noise=noise_seen, radius=radius, burn_in=100, sweeps=300, seed=seed)
            .fit(counts)
            .strength
            for seed in range(100, 100 + chains)
        ]
    )
    noise = np.sqrt((naive.var(axis=0, ddof=1) + ours.var(axis=0, ddof=1)) / chains)
    np.testing.assert_array_less(np.abs(ours.mean(axis=0) - naive.mean(axis=0)), 5 * noise)
    assert np.all(5 * noise < 0.06 * np.hypot(spread, noise_seen)), "noise must not hide a difference"
    assert np.ptp(ours.mean(axis=0)) > 0.3


def _pull(gap: float, outcome: int, spread: float = 0.5, noise: float = 1.0, radius: float = 0.5) -> float:
    """Return how far the first system is moved up on average, by numerical integration."""
    scale = np.sqrt(2 * spread**2 + 2 * noise**2)

    def moved(seen: float) -> float:
        if outcome == 0:
            move = max(radius - seen, 0.0)
        elif outcome == 2:
            move = -max(radius + seen, 0.0)
        else:
            move = min(max(seen, -radius), radius) - seen
        return move / 2 * stats.norm.pdf(seen, gap, scale)

    kinks = [-radius, radius]
    edges = np.unique(np.clip([gap - 10 * scale, *kinks, gap + 10 * scale], gap - 10 * scale, gap + 10 * scale))
    return sum(integrate.quad(moved, low, high, epsabs=1e-12)[0] for low, high in pairwise(edges))


def test_the_first_sweep_moves_as_far_as_judgments_need_on_average() -> None:
    """Where it ends up says nothing about the size of the moves: from equal abilities one sweep is known exactly."""
    counts = _counts(_rows())
    first = np.array([HopkinsMay(burn_in=0, sweeps=2, seed=seed).fit(counts).trace[0] for seed in range(400)])
    pulls = [_pull(0.0, outcome) for outcome in range(3)]
    moved = counts.incidence @ (pulls @ counts.outcomes) / counts.per_system().sum(axis=0)
    noise = first.std(axis=0, ddof=1) / np.sqrt(len(first))
    np.testing.assert_array_less(np.abs(first.mean(axis=0) - (moved - moved.mean())), 4.5 * noise)
    assert np.all(4.5 * noise < 0.1 * np.abs(moved - moved.mean()))


def test_the_expected_sweep_stands_still_where_nothing_moves_on_average() -> None:
    counts = _counts(_rows())
    model = HopkinsMay(burn_in=2000, sweeps=2)
    found, degenerate = model.refitter(model.fit(counts), counts)(counts.outcomes[:, :, None], np.random.default_rng(0))
    ability = found[:, 0]
    moved = np.zeros(4)
    for pair, (a, b) in enumerate(zip(counts.first, counts.second, strict=True)):
        pull = sum(counts.outcomes[outcome, pair] * _pull(ability[a] - ability[b], outcome) for outcome in range(3))
        moved[a] += pull
        moved[b] -= pull
    per_judgment = moved / counts.per_system().sum(axis=0)
    np.testing.assert_allclose(per_judgment, 0.0, atol=2e-6)
    assert degenerate == 0


def test_the_expected_sweep_stands_where_the_sampler_is_on_average() -> None:
    counts = _counts(_rows(600))
    model = HopkinsMay(burn_in=300, sweeps=3000)
    fit = model.fit(counts)
    expected, _ = model.refitter(fit, counts)(counts.outcomes[:, :, None], np.random.default_rng(0))
    others = np.array([HopkinsMay(burn_in=300, sweeps=3000, seed=seed).fit(counts).strength for seed in (1, 2, 3)])
    noise = np.std([fit.strength, *others], axis=0, ddof=1).mean()
    np.testing.assert_allclose(expected[:, 0], np.mean([fit.strength, *others], axis=0), atol=max(4 * noise, 0.004))
    assert noise < 0.01


def test_resamples_by_default_get_as_far_as_many_sweeps() -> None:
    """The default stops after 200 expected sweeps: they must have arrived."""
    counts = _counts(_rows())
    outcomes = counts.units.resample(np.random.default_rng(0), 20)
    draws = [
        model.refitter(HopkinsMay().fit(counts), counts)(outcomes, np.random.default_rng(0))[0]
        for model in (HopkinsMay(), HopkinsMay(burn_in=5000))
    ]
    np.testing.assert_allclose(draws[0], draws[1], atol=1e-3)


def test_the_trace_is_all_sweeps_and_the_ability_their_mean_after_burn_in() -> None:
    fit = HopkinsMay(burn_in=30, sweeps=70).fit(_counts(_rows()))
    assert fit.trace.shape == (100, 4)
    np.testing.assert_allclose(fit.strength, fit.trace[30:].mean(axis=0), atol=1e-14)
    np.testing.assert_allclose(fit.trace.mean(axis=1), 0.0, atol=1e-12)
    assert not np.allclose(fit.strength, fit.trace.mean(axis=0), atol=1e-6), "what burns in does not count"


def test_one_seed_gives_the_same_bits_and_another_one_others() -> None:
    rows = _rows()
    one, two, other = (bt.rank(rows, model="hopkins-may", ci="none", seed=seed).board.fit for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.trace, two.trace)
    assert not np.array_equal(one.trace, other.trace)
    assert np.max(np.abs(one.strength - other.strength)) < 0.2


@pytest.mark.parametrize("judgments", [150, 2000])
def test_reruns_differ_by_the_noise_that_is_reported(judgments: int) -> None:
    """Sweeps hang together: the noise of their mean is more than their spread over the root of their number."""
    board = bt.rank(_rows(judgments), model="hopkins-may", ci="runs").board
    assert len(np.unique(board.draws.strength[:, 0])) == 100
    noise = float(board.draws.strength.std(axis=0, ddof=1).mean())
    np.testing.assert_allclose(board.fit.strength, board.draws.strength.mean(axis=0), atol=5 * noise)
    assert board.fit.parameters["sampling_noise"] == pytest.approx(noise, rel=0.4)


def test_a_record_that_moves_abilities_for_ever_is_doubted() -> None:
    """Who never loses is moved up in every sweep: the ability measures the number of sweeps, nothing else."""
    rows = [("owl", "yak", "left")] * 10
    few, many = (bt.rank(rows, model=f"hopkins-may(sweeps={sweeps})").board for sweeps in (100, 2000))
    assert many["owl"].score > 2 * few["owl"].score
    for board in (few, many):
        assert any(finding.level == "warning" for finding in board.findings)


def test_chances_cut_the_difference_of_two_qualities_in_three() -> None:
    board = bt.rank(_rows(), model="hopkins-may", ci="none").board
    strength = dict(zip(board.fit.systems, board.fit.strength, strict=True))
    for a in NAMES:
        for b in NAMES:
            if a != b:
                seen = stats.norm(strength[a] - strength[b], np.sqrt(2 * 0.5**2 + 2 * 1.0**2))
                chances = board.probability(a, b)
                assert chances == pytest.approx((seen.sf(0.5), seen.cdf(0.5) - seen.cdf(-0.5), seen.cdf(-0.5)))
                assert sum(chances) == pytest.approx(1.0)


@pytest.mark.parametrize(("noise", "tied"), [(1.0, 0.25), (0.0, 0.52)])
def test_equals_tie_as_often_as_two_noisy_looks_do(noise: float, tied: float) -> None:
    """Count what judges see of two equal systems: the noise of looking halves the ties."""
    evidence = [("owl", "yak", outcome) for outcome in ("left", "right")] * 20
    model = f"hopkins-may(noise={noise:g})"
    chances = bt.rank(evidence, model=model, ci="none").board.probability("owl", "yak")
    strength = bt.rank(evidence, model=model, ci="none").board.fit.strength
    rng = np.random.default_rng(0)
    looks = rng.normal(0.0, 0.5, (2, 400_000)) + noise * rng.normal(size=(2, 400_000))
    gap = strength[0] - strength[1] + looks[0] - looks[1]
    counted = (np.mean(gap > 0.5), np.mean(np.abs(gap) <= 0.5), np.mean(gap < -0.5))
    assert chances == pytest.approx(counted, abs=0.003)
    assert chances[1] == pytest.approx(tied, abs=0.006)


def test_weights_pull_in_proportion() -> None:
    """When all judgments weigh a quarter nothing changes but the sampler's noise."""
    rows = _rows()
    left, right, outcome = zip(*rows, strict=True)
    light = {"left": left, "right": right, "outcome": outcome, "weight": [0.25] * len(rows)}
    model = HopkinsMay(burn_in=1000)
    draws = [
        model.refitter(model.fit(counts), counts)(counts.outcomes[:, :, None], np.random.default_rng(0))[0]
        for counts in (_counts(rows), _counts(light))
    ]
    np.testing.assert_allclose(draws[0], draws[1], atol=1e-4)
    sampled = [HopkinsMay(sweeps=2000).fit(_counts(evidence)).strength for evidence in (rows, light)]
    np.testing.assert_allclose(sampled[0], sampled[1], atol=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("spread=0", "hopkins-may: spread must be a number of at least 1e-06 and at most 1e+09, got 0"),
        ("noise=-1", "hopkins-may: noise must be a number of at least 0 and at most 1e+09, got -1"),
        ("radius=-1", "hopkins-may: radius must be a number of at least 1e-06 and at most 1e+09, got -1"),
        ("sweeps=1", "hopkins-may: sweeps must be a whole number of at least 2 and at most 1e+06, got 1"),
    ],
)
def test_options_that_cannot_be(options: str, message: str) -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(_rows(), model=f"hopkins-may({options})")
    assert str(refusal.value) == message
