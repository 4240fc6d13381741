"""Write the bundled evidence: simulated, with a fixed seed and known truth."""

import json
from pathlib import Path

import numpy as np

from betterthan.engine.write import write_columns, write_text
from betterthan.studies.worlds import DEMO_ARENA, DEMO_SCORES, DEMO_SEED

FOLDER = Path(__file__).parent.parent / "src" / "betterthan" / "demo"


def main(folder: Path = FOLDER) -> None:
    """Write arena.csv.gz, scores.csv.gz and truth.json."""
    rng = np.random.default_rng(DEMO_SEED)
    write_columns(folder / "arena.csv.gz", DEMO_ARENA.simulate(rng, judgments=4000, items=300, judges=24))
    write_columns(folder / "scores.csv.gz", DEMO_SCORES.simulate(rng, instances=240))
    truth = {
        "arena": dict(zip(DEMO_ARENA.systems, np.round(DEMO_ARENA.truth(), 6).tolist(), strict=False)),
        "scores": dict(zip(DEMO_SCORES.systems, np.round(DEMO_SCORES.truth(), 6).tolist(), strict=False)),
    }
    write_text(folder / "truth.json", json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
