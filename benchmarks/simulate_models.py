"""The simulation behind `coverage-models`: bootstrap intervals of every model on worlds with known truth."""

import json
import os
from functools import cache
from multiprocessing import get_context

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt
from betterthan.models.base import Fit, build_model
from betterthan.worlds.simulated import DEMO_SCORES, Arena

DATA_SETS, RESAMPLES = 400, 200
ARENA = Arena(strengths=(1.5, 1.0, 0.95, 0.5, 0.3, 0.25, -0.2, -0.6, -1.2, -1.6), item_spread=0.6)
JUDGMENTS, ITEMS, SCORED_ITEMS = 3000, 200, 200
#: Models by what they are shown, and how their truth is known.
CASES = {
    "judgments": (
        "bradley-terry",
        "davidson",
        "rao-kupper",
        "thurstone",
        "newman",
        "rank-centrality",
        "win-rate",
        "win-rate(over=opponents)",
        "count",
        "borda",
        "average-rank",
        "expected-wins",
        "expected-wins(version=wmt11)",
        "eigenvector",
        "pagerank",
        "hopkins-may",
    ),
    "scores": ("mean", "mean(trim=0.1)", "median", "median(of=differences)", "bradley-terry"),
    "rankings": ("plackett-luce", "davidson"),
    "judgments in order": (
        "elo",
        "elo(order=average)",
        "trueskill",
        "trueskill(preset=wmt)",
        "trueskill(preset=wmt,order=average)",
    ),
}


@cache
def truth(kind: str, model: str) -> dict[str, float] | None:
    """Return what the model finds in infinitely (or very) many judgments; None where only its expectation is known."""
    if kind == "judgments":
        amount = JUDGMENTS if model == "count" else 200_000
        return _shown(build_model(model).fit(ARENA.expected(amount)))
    if kind == "judgments in order":
        return None
    many = 400_000 if kind == "scores" else 40_000
    evidence = _evidence(kind, np.random.default_rng(1), many)
    return _shown(bt.rank(evidence, model=model, ci="none").board.fit)


def _shown(fit: Fit) -> dict[str, float]:
    sign = -1.0 if fit.lower_is_better else 1.0
    return dict(zip(fit.systems, (sign * fit.strength).tolist(), strict=True))


def _evidence(kind: str, rng: np.random.Generator, items: int = SCORED_ITEMS) -> object:
    if kind.startswith("judgments"):
        return bt.read_judgments(ARENA.simulate(rng, judgments=JUDGMENTS, items=ITEMS, judges=20))
    scores = bt.read_scores(DEMO_SCORES.simulate(rng, items=items))
    return scores if kind == "scores" else scores.tables[0].to_rankings()


def one(task: tuple[str, str, int]) -> dict[str, tuple[float, float, float]]:
    """Rank one simulated data set; return every system's score and interval."""
    kind, model, number = task
    rng = np.random.default_rng([list(CASES).index(kind), number])
    logarithmic = {"scale": "log"} if build_model(model).logarithmic else {}
    board = bt.rank(_evidence(kind, rng), model=model, resamples=RESAMPLES, seed=number, **logarithmic).board
    return {row.system: (row.score, row.low, row.high) for row in board}


def main() -> None:
    """Simulate all cases with a process per core, and print them."""
    cases = []
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for kind, models in CASES.items():
            for model in models:
                results = pool.map(one, [(kind, model, number) for number in range(DATA_SETS)], chunksize=10)
                systems = sorted(results[0])
                found = np.array([[result[system] for system in systems] for result in results])
                known = truth(kind, model)
                true = found[:, :, 0].mean(axis=0) if known is None else np.array([known[name] for name in systems])
                held = np.mean((found[:, :, 1] <= true) & (true <= found[:, :, 2]), axis=1)
                cases.append(
                    {
                        "kind": kind,
                        "model": model,
                        "coverage": float(held.mean()),
                        "error": float(held.std(ddof=1) / np.sqrt(len(held))),
                    }
                )
    print(json.dumps({"data_sets": DATA_SETS, "resamples": RESAMPLES, "cases": cases}))


if __name__ == "__main__":
    main()
