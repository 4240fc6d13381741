"""Write the bundled and the example evidence: simulated, with fixed seeds and known truth."""

import json
from pathlib import Path

import numpy as np

from betterthan.engine.write import write_columns
from betterthan.present.whole import write_text
from betterthan.worlds import DEMO_ARENA, DEMO_SCORES, DEMO_SEED, Arena

ROOT = Path(__file__).parent.parent


def write_demo(folder: Path) -> None:
    """Write arena.csv.gz, scores.csv.gz and truth.json."""
    rng = np.random.default_rng(DEMO_SEED)
    write_columns(folder / "arena.csv.gz", DEMO_ARENA.simulate(rng, judgments=4000, items=300, judges=24))
    write_columns(folder / "scores.csv.gz", DEMO_SCORES.simulate(rng, instances=240))
    truth = {
        "arena": dict(zip(DEMO_ARENA.systems, np.round(DEMO_ARENA.truth(), 6).tolist(), strict=False)),
        "scores": dict(zip(DEMO_SCORES.systems, np.round(DEMO_SCORES.truth(), 6).tolist(), strict=False)),
    }
    write_text(folder / "truth.json", json.dumps(truth, indent=1) + "\n")


def write_examples(folder: Path) -> None:
    """Write votes.csv and scores.csv: small enough to read."""
    rng = np.random.default_rng(DEMO_SEED + 1)
    world = Arena(strengths=(1.2, 0.6, 0.5, 0.1, -0.4, -0.9))
    write_columns(folder / "votes.csv", world.simulate(rng, judgments=900, items=60, judges=9))
    write_columns(folder / "scores.csv", DEMO_SCORES.simulate(rng, instances=80))


if __name__ == "__main__":
    write_demo(ROOT / "src" / "betterthan" / "demo")
    write_examples(ROOT / "examples")
