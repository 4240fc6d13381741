"""Simulate looking at every judgment: wrong decisions, coverage and delays, printed as JSON."""

import json
from typing import Any

import numpy as np
from scipy import stats

from betterthan.base import parallel
from betterthan.inference import sample_size, sequential
from betterthan.inference.tests.multiplicity import adjusted

ALPHA, MARGIN = 0.05, 0.1
RUNS, LOOKS = 2_000, 2_000
FAMILIES, SYSTEMS, ASKED = 600, 6, 1_500


def outcomes(rng: np.random.Generator, chances: tuple[float, float, float], runs: int) -> Any:
    """Draw one judgment per run: 0 the first won, 1 tie, 2 the second won."""
    return rng.choice(3, size=runs, p=chances)


def one_pair(chances: tuple[float, float, float], seed: int) -> dict[str, float]:
    """Look at one pair in many runs: how often it was ever separated, called equivalent, or outside its interval."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((3, RUNS))
    truth = chances[0] + chances[1] / 2
    ever = {name: np.zeros(RUNS, dtype=bool) for name in ("separated", "naive", "equivalent", "outside")}
    for look in range(1, LOOKS + 1):
        counts[outcomes(rng, chances, RUNS), np.arange(RUNS)] += 1
        decided = counts[0] + counts[2]
        z = np.divide(counts[0] - counts[2], np.sqrt(decided), out=np.zeros(RUNS), where=decided > 0)
        ever["naive"] |= 2 * stats.norm.sf(np.abs(z)) <= ALPHA
        record = sequential.Record.counted(counts)
        ever["separated"] |= sequential.p_equal(record) <= ALPHA
        ever["equivalent"] |= sequential.p_apart(record, MARGIN) <= ALPHA
        if look % 50 == 0:
            low, high = sequential.interval(record, 1 - ALPHA)
            ever["outside"] |= (low > truth) | (high < truth)
    return {name: float(marks.mean()) for name, marks in ever.items()}


def delays(share: float, level: float, seed: int, runs: int = 2_000) -> tuple[float, float]:
    """Return mean and median judgments until a pair is separated; none tie."""
    rng = np.random.default_rng(seed)
    counts, delay, look = np.zeros((3, runs)), np.full(runs, np.inf), 0
    while not np.all(np.isfinite(delay)):
        look += 1
        left = ~np.isfinite(delay)
        counts[np.where(rng.random(runs) < share, 0, 2), np.arange(runs)] += 1
        hit = np.zeros(runs, dtype=bool)
        hit[left] = sequential.p_equal(sequential.Record.counted(counts[:, left])) <= 1 - level
        delay[hit] = look
    return float(delay.mean()), float(np.median(delay))


def family(choice: str, ties: float, seed: int) -> float:
    """Return how often any of many equal pairs is ever separated (Holm), the next one chosen by what was seen."""
    rng = np.random.default_rng(seed)
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    counts = np.zeros((3, FAMILIES, pairs))
    wrong = np.zeros(FAMILIES, dtype=bool)
    everyone = np.arange(FAMILIES)
    p = np.ones((FAMILIES, pairs))
    chances = ((1 - ties) / 2, ties, (1 - ties) / 2)
    for _ in range(ASKED):
        pair = p.argmin(axis=1) if choice == "most different" else rng.integers(pairs, size=FAMILIES)
        counts[outcomes(rng, chances, FAMILIES), everyone, pair] += 1
        judged = sequential.p_equal(sequential.Record.counted(counts[:, everyone, pair]))
        p[everyone, pair] = judged
        smallest = np.flatnonzero(p.min(axis=1) <= ALPHA / pairs * 2)  # only these can be separated
        for run in smallest[~wrong[smallest]]:
            wrong[run] = bool(np.any(adjusted(p[run], "holm") <= ALPHA))
    return float(wrong.mean())


def equal(ties: float) -> tuple[float, float, float]:
    """Return the chances of equal systems."""
    return (1 - ties) / 2, ties, (1 - ties) / 2


def at_margin(ties: float) -> tuple[float, float, float]:
    """Return the chances of systems exactly a margin apart."""
    won, tied, lost = equal(ties)
    return won + MARGIN, tied, lost - MARGIN


def work(task: tuple[Any, ...]) -> Any:
    """Do one of the simulations."""
    function, *arguments = task
    return function(*arguments)


if __name__ == "__main__":
    shares = (0.0, 0.2, 0.6)
    pairs = [
        (one_pair, make(ties), 10 * place + number)
        for place, make in enumerate((equal, at_margin))
        for number, ties in enumerate(shares)
    ]
    choices = [(choice, ties) for choice in ("most different", "uniform") for ties in (0.0, 0.2)]
    waits = [(share, level) for share in (0.55, 0.6, 0.7, 0.85) for level in (0.95, 1 - 0.05 / 78)]
    tasks = [*pairs, *((family, *choice, 20) for choice in choices), *((delays, *wait, 30) for wait in waits)]
    found = parallel.each(work, tasks)
    names = [f"{100 * ties:.0f} % ties" for ties in shares]
    told = {
        "alpha": ALPHA,
        "margin": MARGIN,
        "runs": RUNS,
        "looks": LOOKS,
        "families_runs": FAMILIES,
        "asked": ASKED,
        "pairs": SYSTEMS * (SYSTEMS - 1) // 2,
        "equal": dict(zip(names, found[:3], strict=True)),
        "at the margin": dict(zip(names, found[3:6], strict=True)),
        "families": {
            f"{choice}, {100 * ties:.0f} % ties": share
            for (choice, ties), share in zip(choices, found[6:10], strict=True)
        },
        "delays": [
            {
                "share": share,
                "level": level,
                "fixed": sample_size.sign_needed(share, level=level),
                "mean": mean,
                "median": median,
            }
            for (share, level), (mean, median) in zip(waits, found[10:], strict=True)
        ],
    }
    print(json.dumps(told))
