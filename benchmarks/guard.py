"""Fail when a hot path became slower: `python benchmarks/guard.py`, and with `--record` after an intended change.

Every path is measured in multiples of something that does not change with this project: a bare DuckDB group-by of the
same file, `import numpy, duckdb`, a BLAS solve. Both are measured in one run, by CPU time and taking turns, so that the
machine and what else it does hardly matter. A path above 1.5 × its recorded multiple fails.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
VOTES = HERE.parent / "examples" / "votes.csv"
RECORDED = HERE / "results" / "guard.json"
#: A ratio may grow so much before it is a failure; best of so many turns.
ALLOWED, TURNS = 1.5, 5
ROWS, LINES = 2_000_000, 200_000

IMPORTS = "import numpy, duckdb"
THREE, FIVE = "model_a, model_b, winner", "model_a, model_b, winner, prompt_id, judge"
#: As many solves as 1,000 resamples of 100 systems need at least.
SOLVE = (
    "import numpy as np; from threadpoolctl import threadpool_limits\n"
    "many, one = np.random.default_rng(0).normal(size=(100, 100)) + 100 * np.eye(100), np.ones(100)\n"
    "with threadpool_limits(1):\n    for _ in range(3000): np.linalg.solve(many, one)"
)
#: Judgments of 100 systems; every prompt has about ten, every judge about fifty.
WORLD = """
    SELECT printf('system %02d', a) AS model_a, printf('system %02d', (a + 1 + b) % 100) AS model_b,
        CASE WHEN u < 0.2 THEN 'tie' WHEN u < 0.6 + a / 500.0 THEN 'model_a' ELSE 'model_b' END AS winner,
        concat('p', p) AS prompt_id, concat('u', j) AS judge
    FROM (
        SELECT hash(i) % 100 AS a, hash(i, 1) % 99 AS b, (hash(i, 2) % 1000000) / 1e6 AS u,
            hash(i, 3) % {prompts} AS p, hash(i, 4) % {judges} AS j
        FROM range({rows}) AS world(i)
    )
"""


def group_by(source: str, columns: str) -> list[str]:
    """Return a process that groups a file by columns in DuckDB, and does nothing else."""
    asked = f"SELECT {columns}, count(*) FROM '{source}' GROUP BY ALL"
    return [sys.executable, "-c", "import duckdb, sys; duckdb.sql(sys.argv[1]).fetchnumpy()", asked]


def paths(folder: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return every hot path, with what it is measured by."""
    arena, lines = str(folder / "arena.parquet"), str(folder / "lines.jsonl")
    betterthan = [sys.executable, "-m", "betterthan"]
    imports, solve = [sys.executable, "-c", IMPORTS], [sys.executable, "-c", SOLVE]
    three, five = group_by(arena, THREE), group_by(arena, FIVE)
    small = str(VOTES)
    return {
        "rank --ci none, 2 million judgments": ([*betterthan, "rank", arena, "--ci", "none"], three),
        "rank, 2 million judgments by item and judge": ([*betterthan, "rank", arena], five),
        "rank --unit row, 1,000 resamples": ([*betterthan, "rank", arena, "--unit", "row"], solve),
        "diagnose, 2 million judgments": ([*betterthan, "diagnose", arena], five),
        "rank, 200,000 JSON lines": ([*betterthan, "rank", lines, "--ci", "none"], group_by(lines, THREE)),
        "import betterthan": ([sys.executable, "-c", "import betterthan"], imports),
        "betterthan --help": ([*betterthan, "--help"], imports),
        "rank examples/votes.csv": ([*betterthan, "rank", small], imports),
        "compare examples/votes.csv": ([*betterthan, "compare", small, "aurora", "birch"], imports),
        "diagnose examples/votes.csv": ([*betterthan, "diagnose", small], imports),
        "fit examples/votes.csv": ([*betterthan, "fit", small], imports),
        "next examples/votes.csv": ([*betterthan, "next", small], imports),
        "report examples/votes.csv": ([*betterthan, "report", small, "-o", str(folder / "page.html")], imports),
    }


def write_data(folder: Path) -> None:
    """Write the judgments, always the same."""
    import duckdb

    for name, rows, how in (("arena.parquet", ROWS, "parquet"), ("lines.jsonl", LINES, "json")):
        world = WORLD.format(rows=rows, prompts=rows // 10, judges=rows // 50)
        duckdb.sql(f"COPY ({world}) TO '{folder / name}' (FORMAT {how})")


def cpu_seconds(command: list[str]) -> float:
    """Return the CPU time of one process, with all its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode not in {0, 1}:  # 1: a verb that found something
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratios(asked: Mapping[str, tuple[list[str], list[str]]], seconds: Callable[[list[str]], float]) -> dict[str, float]:
    """Measure all paths and what they are measured by, taking turns; noise only adds, so the least counts."""
    best = dict.fromkeys((tuple(command) for pair in asked.values() for command in pair), float("inf"))
    for _ in range(TURNS):
        for command in best:
            best[command] = min(best[command], seconds(list(command)))
    return {name: best[tuple(path)] / best[tuple(base)] for name, (path, base) in asked.items()}


def slower(found: Mapping[str, float], recorded: Mapping[str, float]) -> list[str]:
    """Return the paths that became too slow, and those of which nothing is recorded.

    >>> slower({"rank": 2.9, "fit": 3.1, "next": 1.0}, {"rank": 2.0, "fit": 2.0})
    ['fit', 'next']
    """
    return [name for name, ratio in found.items() if ratio > ALLOWED * recorded.get(name, 0.0)]


def main(arguments: list[str]) -> int:
    """Measure, then compare with what is recorded, or record."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        found = ratios(paths(folder), cpu_seconds)
    if "--record" in arguments:
        RECORDED.write_text(json.dumps({name: round(ratio, 2) for name, ratio in found.items()}, indent=2) + "\n")
        print(f"{len(found)} ratios recorded in {RECORDED.name}")
        return 0
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    failed = slower(found, recorded)
    for path, ratio in found.items():
        verdict = "too slow" if path in failed else "ok"
        print(f"{path:<46} {ratio:6.2f} × (recorded {recorded.get(path, float('nan')):.2f})  {verdict}")
    if failed:
        print(f"{len(failed)} of {len(found)} paths are above {ALLOWED} × their recorded ratio.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
