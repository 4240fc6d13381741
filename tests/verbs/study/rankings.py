"""Rankings of known strengths by two kinds of judges, for studies of them."""

import numpy as np

import betterthan as bt

NAMES = ("elk", "fox", "jay", "owl", "ram", "yak")


def ballots(
    number: int = 400, *, size: int = 4, noise: float = 1.0, apart: float = 0.7, seed: int = 0
) -> tuple[bt.Rankings, list[dict[str, object]]]:
    """Return rankings of random systems by researchers and Turkers, and every one as a row of plain values."""
    rng = np.random.default_rng(seed)
    kinds = [("researcher", noise), ("turker", 2 * noise)]
    rows: list[dict[str, object]] = []
    for place in range(number):
        kind, spread = kinds[place % 2]
        chosen = np.sort(rng.choice(len(NAMES), size, replace=False))
        seen = -apart * chosen + rng.normal(0.0, spread, size)
        ranks = [1 + int(np.sum(seen > each + apart / 2)) for each in seen]  # what is close ties, or nearly
        order = dict(zip([NAMES[code] for code in chosen], ranks, strict=True))
        rows.append({"ballot": f"b{place:04d}", "judge": f"{kind}_{rng.integers(5)}", "ranks": order})
    entries = [(row["ballot"], row["judge"], *entry) for row in rows for entry in row["ranks"].items()]  # type: ignore[attr-defined]
    names = ("ballot", "judge", "system", "rank")
    columns = {name: list(values) for name, values in zip(names, zip(*entries, strict=True), strict=True)}
    return bt.read_rankings(columns, ranking="ballot"), rows
