"""Simulate looking at every judgment: wrong decisions, coverage and delays, printed as JSON."""

import json
from typing import Any

import numpy as np
from scipy import stats

from betterthan.infer.multiplicity import adjusted
from betterthan.infer.power import sign_needed
from betterthan.infer.sequential import Record, interval, p_apart, p_equal

ALPHA, MARGIN = 0.05, 0.1
RUNS, LOOKS = 4_000, 2_000
FAMILIES, SYSTEMS, ASKED = 600, 6, 1_500


def outcomes(rng: np.random.Generator, chances: tuple[float, float, float], runs: int) -> Any:
    """Draw one judgment per run: 0 the first won, 1 tie, 2 the second won."""
    return rng.choice(3, size=runs, p=chances)


def one_pair(chances: tuple[float, float, float], seed: int, *, every: int = 1) -> dict[str, float]:
    """Look at one pair in many runs: how often it was ever separated, called equivalent, or outside its interval."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((3, RUNS))
    truth = chances[0] + chances[1] / 2
    ever = {name: np.zeros(RUNS, dtype=bool) for name in ("separated", "naive", "equivalent", "outside")}
    delay = np.full(RUNS, np.inf)
    for look in range(1, LOOKS + 1):
        counts[outcomes(rng, chances, RUNS), np.arange(RUNS)] += 1
        decided = counts[0] + counts[2]
        z = np.divide(counts[0] - counts[2], np.sqrt(decided), out=np.zeros(RUNS), where=decided > 0)
        ever["naive"] |= 2 * stats.norm.sf(np.abs(z)) <= ALPHA
        record = Record.counted(counts)
        hit = p_equal(record) <= ALPHA
        delay[hit & ~np.isfinite(delay)] = look
        ever["separated"] |= hit
        if look % every == 0:
            ever["equivalent"] |= p_apart(record, MARGIN) <= ALPHA
        if look % 50 == 0:
            low, high = interval(record, 1 - ALPHA)
            ever["outside"] |= (low > truth) | (high < truth)
    found = {name: float(marks.mean()) for name, marks in ever.items()}
    reached = np.isfinite(delay)
    return found | {
        "delay": float(delay[reached].mean()),
        "median": float(np.median(delay)),
        "there": float(reached.mean()),
    }


def delays(share: float, level: float, seed: int, runs: int = 2_000) -> tuple[float, float]:
    """Return mean and median judgments until a pair is separated; none tie."""
    rng = np.random.default_rng(seed)
    counts, delay, look = np.zeros((3, runs)), np.full(runs, np.inf), 0
    while not np.all(np.isfinite(delay)):
        look += 1
        left = ~np.isfinite(delay)
        counts[np.where(rng.random(runs) < share, 0, 2), np.arange(runs)] += 1
        hit = np.zeros(runs, dtype=bool)
        hit[left] = p_equal(Record.counted(counts[:, left])) <= 1 - level
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
        judged = p_equal(Record.counted(counts[:, everyone, pair]))
        p[everyone, pair] = judged
        smallest = np.flatnonzero(p.min(axis=1) <= ALPHA / pairs * 2)  # only these can be separated
        for run in smallest[~wrong[smallest]]:
            wrong[run] = bool(np.any(adjusted(p[run], "holm") <= ALPHA))
    return float(wrong.mean())


if __name__ == "__main__":
    told = {
        "alpha": ALPHA, "margin": MARGIN, "runs": RUNS, "looks": LOOKS, "families_runs": FAMILIES, "asked": ASKED,
        "pairs": SYSTEMS * (SYSTEMS - 1) // 2,
        "equal": {f"{100 * ties:.0f} % ties": one_pair(((1 - ties) / 2, ties, (1 - ties) / 2), seed)
                  for seed, ties in enumerate((0.0, 0.2, 0.6))},
        "at the margin": {
            f"{100 * ties:.0f} % ties": one_pair(((1 - ties) / 2 + MARGIN, ties, (1 - ties) / 2 - MARGIN), 10 + seed)
            for seed, ties in enumerate((0.0, 0.2, 0.6))
        },
        "families": {f"{choice}, {100 * ties:.0f} % ties": family(choice, ties, 20)
                     for choice in ("most different", "uniform") for ties in (0.0, 0.2)},
        "delays": [
            {"share": share, "level": level, "fixed": sign_needed(share, level=level), "mean": mean, "median": median}
            for share in (0.55, 0.6, 0.7, 0.85) for level in (0.95, 1 - 0.05 / 78)
            for mean, median in [delays(share, level, 30)]
        ],
    }  # fmt: skip
    print(json.dumps(told))
