"""Write scores of 1,000 items × 10 systems, which share the items' difficulty: `python peers_scores.py PATH`."""

import sys

import numpy as np

if __name__ == "__main__":
    rng = np.random.default_rng(0)
    values = rng.normal(0.5, 0.2, (1000, 1)) + np.linspace(0, 0.05, 10) + rng.normal(0, 0.1, (1000, 10))
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        stream.write(",".join(["item", *(f"system {place}" for place in range(10))]) + "\n")
        for item, row in enumerate(values):
            stream.write(",".join([f"i{item}", *(f"{value:.4f}" for value in row)]) + "\n")
