"""Make the data: judgments of 100 systems from a Bradley–Terry world with ties, always the same (fixed seed).

Run as a script it writes the named files into `benchmarks/data`, where they stay. Like in an arena, some systems are
met far more often than others, and strengths lie about as far apart as those of current chat models.
"""

import sys
from pathlib import Path

from process import HERE, child

FOLDER = HERE / "data"
SYSTEMS = 100
#: Effects of what differs between the two answers, in the layout `style.parquet`: its columns are z0 to z4.
STYLE = (0.3, -0.2, 0.1, 0.05, 0.0)
ROWS = {"warm": 20_000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000, "10m": 10_000_000, "100m": 100_000_000}
#: In the layout `units.parquet`: judgments per prompt and per judge, and how much systems differ from one to another.
PER_PROMPT, PER_JUDGE, OWN_EFFECT = 10, 50, 0.3
#: Rows made at a time, so that a hundred million fit into memory.
_PART = 10_000_000


def made(size: str, layout: str = "parquet") -> Path:
    """Return the path of a data file, after making it (in a process of its own) if it is not there."""
    path = FOLDER / f"battles-{size}.{layout}"
    if not path.exists():
        print(f"  making {path.name}", flush=True)
        child("data.py", size, layout)
    with path.open(
        "rb"
    ) as stream:  # from now on it lies in the system's cache, for the first contestant as for the last
        while stream.read(1 << 20):
            pass
    return path


def _write(size: str, layout: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"battles-{size}.{layout}"
    part = path.with_suffix(".part")  # a run that is broken off leaves nothing that looks complete
    if layout.endswith("parquet"):
        _write_parquet(ROWS[size], part, layout)
    else:
        import duckdb

        how = {"csv": "FORMAT csv, HEADER", "jsonl": "FORMAT json"}[layout]
        duckdb.sql(f"COPY (FROM read_parquet('{made(size)}')) TO '{part}' ({how})")
    part.replace(path)


def _write_parquet(rows: int, path: Path, layout: str) -> None:
    import numpy as np
    import pyarrow.parquet as pq

    rng = np.random.default_rng(20_240_601)
    # `systems-1000.parquet`: so many of them.
    systems = int(layout.removeprefix("systems-").partition(".")[0]) if layout.startswith("systems-") else SYSTEMS
    strength = rng.normal(0.0, 0.8, systems)
    popularity = rng.dirichlet(np.full(systems, 2.0))
    writer = None
    for start in range(0, rows, _PART):
        table = _battles(min(_PART, rows - start), rows, rng, strength, popularity, layout)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def _battles(rows, total, rng, strength, popularity, layout):
    import numpy as np
    import pyarrow as pa

    style = STYLE if layout == "style.parquet" else ()
    systems = len(strength)
    left = rng.choice(systems, size=rows, p=popularity)
    right = rng.choice(systems, size=rows, p=popularity)
    same = left == right
    right[same] = (right[same] + rng.integers(1, systems, size=int(same.sum()))) % systems
    differences = rng.normal(size=(rows, len(style)))
    gap = strength[left] - strength[right] + differences @ np.array(style)
    units = {}
    if layout == "units.parquet":
        for name, letter, each in (("prompt_id", "p", PER_PROMPT), ("judge", "u", PER_JUDGE)):
            codes = rng.integers(total // each, size=rows)
            # Every prompt, and every judge, likes half of the systems better: a bit of a number made of both.
            for side, sign in ((left, 1), (right, -1)):
                mixed = (codes * 2_654_435_761 + side * 40_503 + 12_345) & 0xFFFFFFFF
                gap += sign * OWN_EFFECT * (((mixed ^ (mixed >> 15)) * 2_246_822_519 >> 13) & 1)
            units[name] = pa.array(np.char.add(letter, codes.astype("U9")))
    # A quarter of the judgments are ties, of equals more than of others.
    win, loss = (1 / (1 + np.exp(0.5 - side)) for side in (gap, -gap))
    draw = rng.random(rows)
    winner = np.where(draw < win, 0, np.where(draw < win + loss, 1, 2))

    def column(codes: np.ndarray, labels: list[str]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(labels)).cast(pa.string())

    names = [f"model-{number:03d}" for number in range(systems)]
    columns = {
        "model_a": column(left, names),
        "model_b": column(right, names),
        "winner": column(winner, ["model_a", "model_b", "tie"]),
        **units,
        **{f"z{place}": pa.array(values) for place, values in enumerate(differences.T)},
    }
    return pa.table(columns)


if __name__ == "__main__":
    _write(*sys.argv[1:])
