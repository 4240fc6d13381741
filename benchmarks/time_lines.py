"""Time whole processes that read nested votes from JSON lines: `rank` beside a bare group-by of the same file."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from nested_votes import write_votes

ROWS, RUNS = 2_000_000, 3
#: What DuckDB needs for the same counts, if it is told which three columns there are.
GROUP_BY = (
    'import duckdb, sys; duckdb.execute("SELECT model_a, model_b, winner, count(*) FROM read_json(?, '
    "format = 'newline_delimited', columns = {'model_a': 'VARCHAR', 'model_b': 'VARCHAR', 'winner': 'VARCHAR'}) "
    'GROUP BY ALL", [sys.argv[1]]).fetchnumpy()'
)


def _seconds(command: list[str]) -> tuple[float, float]:
    """Return what a process took of the processors, and on the clock."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, env=os.environ)
    seconds, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds


def main() -> None:
    """Print the least of several runs of each, which take turns."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "votes.jsonl"
        write_votes(path, ROWS)
        rank = [sys.executable, "-m", "betterthan", "rank", str(path)]
        commands = {
            "group-by of three columns": [sys.executable, "-c", GROUP_BY, str(path)],
            "`rank --ci none`": [*rank, "--ci", "none"],
            "`rank`": rank,
        }
        runs = {name: [_seconds(command)] for name, command in commands.items()}
        for _ in range(RUNS - 1):
            for name, command in commands.items():
                runs[name].append(_seconds(command))
        told = {name: [min(cpu for cpu, _ in each), min(clock for _, clock in each)] for name, each in runs.items()}
        print(json.dumps({"gigabytes": path.stat().st_size / 1e9, "rows": ROWS, "seconds": told}))


if __name__ == "__main__":
    main()
