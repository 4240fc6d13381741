"""How long until something happens: fresh processes, start to end."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from data import made
from report import Target, table, write

RUNS = 15
VOTES = Path(__file__).parents[1] / "examples" / "votes.csv"
#: What every ranking of a file needs; a small one is measured in multiples of it.
BASE, SMALL = '`python -c "import numpy, duckdb"`', "`betterthan rank examples/votes.csv`"
#: Other verbs of the same file, measured in multiples of that.
VERBS = {
    f"`betterthan {verb} examples/votes.csv{more}`": [verb, str(VOTES), *more.split()]
    for verb, more in (("compare", " aurora birch"), ("diagnose", ""), ("fit", ""), ("next", ""))
}
#: Modules are compiled once, by the first run, as after an installation.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run() -> None:
    """Time each command fifteen times, taking turns, and keep the best."""
    script = str(Path(sys.executable).with_name("betterthan"))
    small = str(made("warm", "csv"))
    commands = {
        "`python -c pass`": [sys.executable, "-c", "pass"],
        "`import betterthan`": [sys.executable, "-c", "import betterthan"],
        "`betterthan --help`": [script, "--help"],
        "`import betterthan; betterthan.rank`": [sys.executable, "-c", "import betterthan; betterthan.rank"],
        BASE: [sys.executable, "-c", "import numpy, duckdb"],
        SMALL: [script, "rank", str(VOTES)],
        **{name: [script, *command] for name, command in VERBS.items()},
        "`betterthan rank` on 20,000 rows of CSV": [script, "rank", small],
        "`import choix`": [sys.executable, "-c", "import choix"],
        "`import evalica`": [sys.executable, "-c", "import evalica"],
        "`import arena_rank…`": [sys.executable, "-c", "import arena_rank.models.bradley_terry"],
    }
    best, least = dict.fromkeys(commands, float("inf")), dict.fromkeys(commands, float("inf"))
    for _ in range(RUNS):
        for name, command in commands.items():
            seconds, cpu = _seconds(command)
            best[name], least[name] = min(best[name], seconds), min(least[name], cpu)
    base = best["`python -c pass`"]
    rows = [
        [name, f"{seconds:.3f}", f"{least[name]:.3f}", f"{seconds - base:.3f}", f"{seconds / base:.3g}"]
        for name, seconds in best.items()
    ]
    targets = [
        Target.below("`import betterthan` below 0.2 s", best["`import betterthan`"], 0.2, "s"),
        Target.below("`betterthan --help` below 0.5 s", best["`betterthan --help`"], 0.5, "s"),
        Target.below(f"{SMALL} at most 2.2 × {BASE}", best[SMALL] / best[BASE], 2.2, "×"),
        Target.below("the same by CPU time, which other processes hardly change", least[SMALL] / least[BASE], 2.2, "×"),
        *(
            Target.below(f"{name} at most 2 × {SMALL}, by CPU time", least[name] / least[SMALL], 2, "×")
            for name in VERBS
        ),
    ]
    text = [
        f"Whole processes from start to end, best of {RUNS}, taking turns. `betterthan.rank` loads what the package "
        "loads only when it is used. CPU seconds are the least of the same runs, of all threads.\n",
        table(["command", "seconds", "CPU s", "beyond `pass`", "× `pass`"], rows),
    ]
    write("startup", "Start-up", text, targets, ("choix", "click", "duckdb", "evalica", "arena-rank", "numpy", "scipy"))


def _seconds(command: list[str]) -> tuple[float, float]:
    """Return how long a process took, on the clock and of the processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, env=ENVIRONMENT)
    seconds, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
