"""All peers in one table: whole processes from a file to a ranking, and how time and memory grow.

As a script, `python bench_peers.py intervals largest` measures some sections again.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

from data import FOLDER, made
from harness import _wait_for_quiet
from process import HERE, child
from report import Target, short, table, write

SIZES = {"10k": 10_000, "100k": 100_000, "1m": 1_000_000, "10m": 10_000_000, "100m": 100_000_000}
#: Whoever takes longer, or more memory in GB, is not asked for the next size: ten times that would not fit.
LONG, LARGE, RUNS = 30.0, 2.0, 3
OURS, DEFAULT, BARE = "betterthan, `--ci none`", "betterthan, all defaults", "DuckDB group-by, three columns"
BARE5 = "DuckDB group-by, five columns"
CHOIX, POLARS = "pandas group-by + choix", "Polars + choix by hand"
NUMBERS = HERE / "results" / "peers.json"


@dataclass(frozen=True)
class Process:
    """A process that reads a file and ends with its answer."""

    name: str
    what: str
    #: `module:function` or an R script of `contestants`, arguments of the command `betterthan`, or columns to group by.
    call: str
    options: str = "{}"

    def measured(self, path: str) -> dict[str, float]:
        """Run it once; return seconds, CPU seconds and peak memory in GB."""
        _wait_for_quiet(20)
        if self.call.startswith("rank"):
            verb, *more = self.call.split()
            script = str(Path(sys.executable).with_name("betterthan"))
            command = ["time_arena.py", "run", script, verb, path, *more]
        elif self.call.endswith(".R"):
            command = ["time_arena.py", "run", "Rscript", str(HERE / "contestants" / self.call), path]
        elif ":" in self.call:
            command = ["time_arena.py", "run", sys.executable, str(HERE / "whole.py"), self.call, path, self.options]
        else:
            command = ["time_arena.py", "bare", path, self.call]
        found: dict[str, float] = json.loads(child(*command).splitlines()[-1])
        print(f"  {self.name}, {Path(path).name}: {found}", flush=True)
        return found

    def best(self, path: str) -> dict[str, float]:
        """Take the best of several runs, and the largest peak; work that takes long is done once."""
        runs = [self.measured(path)]
        while len(runs) < RUNS and runs[0]["seconds"] < LONG / 3:
            runs.append(self.measured(path))
        return {
            "seconds": min(run["seconds"] for run in runs),
            "cpu": min(run["cpu"] for run in runs),
            "peak": max(run["peak"] for run in runs),
        }


POINTS = (
    Process(BARE, "counts, and nothing else", "3"),
    Process(BARE5, "the same with prompts and judges", "5"),
    Process(OURS, "`betterthan rank FILE --ci none`", "rank --ci none"),
    Process(POLARS, "streaming group-by in Polars, `ilsr_pairwise_dense`", "with_choix:point_polars"),
    Process(CHOIX, "pandas reads and groups, `ilsr_pairwise_dense`", "with_choix:point_group_by"),
    Process(
        "choix as documented", "pandas reads, a list of (winner, loser), `ilsr_pairwise`", "with_choix:point_documented"
    ),
    Process("evalica", "Polars reads, lists of names into `bradley_terry`", "with_evalica:point"),
    Process("arena-rank", "pandas reads, `PairDataset.from_pandas`, `BradleyTerry.fit`", "with_arena_rank:point"),
)
#: Who is compared as its authors document it.
AS_DOCUMENTED = ("choix as documented", "evalica", "arena-rank")
BRADLEYTERRY2 = Process("BradleyTerry2 (R, from CSV)", "`read.csv`, `countsToBinomial`, `BTm`", "bradleyterry2.R")
HONEST = Process(DEFAULT, "`betterthan rank FILE`: 1,000 resamples by item and judge", "rank")
ROWS, MULTINOMIAL = "betterthan, 1,000 resamples of rows", "multinomial + L-BFGS, two processes"
INTERVALS = (
    Process(ROWS, "`betterthan rank FILE --unit row`", "rank --unit row"),
    Process("betterthan, analytic", "`betterthan rank FILE --unit row --ci analytic`", "rank --unit row --ci analytic"),
    Process(MULTINOMIAL, "FastChat's method: 1,000 draws of counts, a fit each", "multinomial:intervals"),
    Process("arena-rank, sandwich", "`compute_ratings_and_cis`, no resamples", "with_arena_rank:sandwich"),
    Process(
        "evalica, 10 resamples",
        "`bootstrap(bradley_terry, …)`; 1,000 would need a hundred times as long",
        "with_evalica:bootstrap",
        '{"resamples": 10}',
    ),
)
GAMES = 100_000
_FEW = json.dumps({"games": GAMES})
IN_ORDER = (
    Process("betterthan", "`betterthan rank FILE --model trueskill --ci none`", "rank --model trueskill --ci none"),
    Process("trueskill", "`rate_1vs1`, game by game", "with_trueskill:pairs", _FEW),
    Process("openskill", "`ThurstoneMostellerPart.rate`, game by game", "with_openskill:pairs", _FEW),
)
SCORES = (
    Process("betterthan", "`rank` (three models, 1,000 resamples each) and `compare --all`", "with_scores:ours"),
    Process("autorank", "`autorank(frame)`", "with_scores:autorank"),
    Process("evalstats", "`compare_models(scores)`", "with_scores:evalstats"),
)


Found = dict[str, Any]


def run(*sections: str) -> None:
    """Measure everything, or some sections again beside what was measured before, and write the page."""
    found: Found = json.loads(NUMBERS.read_text(encoding="utf-8")) if sections else {}
    for section in sections or [name for name in SECTIONS if name != "largest"]:
        SECTIONS[section](found)
        # The documentation's picture is drawn from these numbers.
        NUMBERS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    _write(found)


def _growth(found: Found) -> None:
    growth: Found = {}
    for process in (*POINTS, HONEST):
        for size in SIZES:
            growth.setdefault(process.name, {})[size] = process.best(str(made(size, "units.parquet")))
            if growth[process.name][size]["seconds"] > LONG or growth[process.name][size]["peak"] > LARGE:
                break
    if _has_bradleyterry2():
        for size in ("10k", "100k", "1m"):
            growth.setdefault(BRADLEYTERRY2.name, {})[size] = BRADLEYTERRY2.best(str(made(size, "csv")))
    found["growth"] = growth


def _has_bradleyterry2() -> bool:
    """Is R installed, with the package? On Debian: apt-get install r-cran-bradleyterry2."""
    asked = ["Rscript", "-e", "library(BradleyTerry2)"]
    return which("Rscript") is not None and not subprocess.run(asked, capture_output=True, check=False).returncode


def _largest(found: Found) -> None:
    """Measure 100 million judgments again, what we are measured by and ourselves."""
    for process in (*POINTS, HONEST):
        if process.name in {BARE, BARE5, OURS, DEFAULT}:
            found["growth"][process.name]["100m"] = process.best(str(made("100m", "units.parquet")))


def _systems(found: Found) -> None:
    found["systems"] = {
        process.name: {
            str(number): process.best(str(made("1m", f"systems-{number}.parquet"))) for number in (10, 100, 1000)
        }
        for process in (*POINTS[2:], Process(DEFAULT, "", "rank"))
    }


def _intervals(found: Found) -> None:
    found["intervals"] = {process.name: process.best(str(made("1m", "units.parquet"))) for process in INTERVALS}


def _in_order(found: Found) -> None:
    found["in order"] = {process.name: process.best(str(made("100k", "parquet"))) for process in IN_ORDER}


def _of_scores(found: Found) -> None:
    found["scores"] = {process.name: process.best(_scores()) for process in SCORES}


SECTIONS: dict[str, Callable[[Found], None]] = {
    "growth": _growth,
    "largest": _largest,
    "systems": _systems,
    "intervals": _intervals,
    "in order": _in_order,
    "scores": _of_scores,
}


def _write(found: Found) -> None:
    growth, systems, intervals = found["growth"], found["systems"], found["intervals"]
    in_order, scores = found["in order"], found["scores"]
    at = {name: sizes["10m"]["seconds"] for name, sizes in growth.items() if "10m" in sizes}
    r = [BRADLEYTERRY2] if BRADLEYTERRY2.name in growth else []
    best = min((name for name in AS_DOCUMENTED if name in at), key=at.__getitem__)
    text = [
        "Whole processes from start to end, imports included, on Parquet files with the columns model_a, model_b, "
        f"winner, prompt_id and judge (100 systems; ten judgments per prompt, fifty per judge). Best of {RUNS} runs, "
        f"one where a run takes above {LONG / 3:.0f} s; whoever takes above {LONG:.0f} s or {LARGE:.0f} GB is not "
        "asked for more. Every section was measured in one run.\n",
        "## From a file to a ranking\n",
        _grown(growth, (*POINTS, *r, HONEST), list(SIZES), [f"{rows:,}" for rows in SIZES.values()]),
        "Only the last line of the table has intervals; it resamples items and judges.\n",
        "![How time grows with the number of judgments](../../docs/pictures/scaling.svg)\n",
        "## A million judgments of 10, 100 and 1,000 systems\n",
        _grown(systems, (*POINTS[2:], HONEST), ["10", "100", "1000"], ["10", "100", "1,000"]),
        "These files have no prompts and judges: all defaults resample rows.\n",
        "## A million judgments, with intervals\n",
        _flat(intervals, INTERVALS, ROWS),
        f"## {GAMES:,} judgments in their order\n",
        _flat(in_order, IN_ORDER, IN_ORDER[0].name),
        "## Scores: 1,000 items × 10 systems\n",
        _flat(scores, SCORES, SCORES[0].name),
        *([] if r else ["BradleyTerry2 was not run: R is not installed where this was measured.\n"]),
    ]
    targets = [
        Target.at_least(f"10 million: 10 × the best peer as documented (here: {best})", at[best] / at[OURS], 10),
        Target.at_least(f"10 million: 10 × {CHOIX}, which is written by hand", at[CHOIX] / at[OURS], 10),
        Target.at_least(
            f"1,000 resamples of a million: 12 × {MULTINOMIAL}",
            intervals[MULTINOMIAL]["seconds"] / intervals[ROWS]["seconds"],
            12,
        ),
        Target.below(
            "100 million, `--ci none`: at most 2 × the bare group-by",
            growth[OURS]["100m"]["seconds"] / growth[BARE]["100m"]["seconds"],
            2,
            "×",
        ),
        Target.below("100 million, `--ci none`: below 1 GB", growth[OURS]["100m"]["peak"], 1, "GB"),
        Target.below(
            "100 million, all defaults: at most 4 × the bare group-by of five columns",
            growth[DEFAULT]["100m"]["seconds"] / growth[BARE5]["100m"]["seconds"],
            4,
            "×",
        ),
        Target.below("100 million, all defaults: below 1.5 GB", growth[DEFAULT]["100m"]["peak"], 1.5, "GB"),
    ]
    packages = (
        "arena-rank",
        "autorank",
        "choix",
        "duckdb",
        "evalica",
        "evalstats",
        "numpy",
        "openskill",
        "pandas",
        "polars",
        "scipy",
        "trueskill",
    )
    write("peers", "Peers: whole processes, and how they grow", text, targets, packages)


def _grown(
    found: dict[str, dict[str, dict[str, float]]], processes: tuple[Process, ...], keys: list[str], head: list[str]
) -> str:
    """Return seconds and peak memory of everyone at every size."""

    def cell(at: dict[str, float] | None) -> str:
        return "–" if at is None else f"{short(at['seconds'])} s, {at['peak']:.2f} GB"

    lines = [
        [process.name, process.what, *(cell(found[process.name].get(key)) for key in keys)] for process in processes
    ]
    return table(["who", "what", *head], lines)


def _flat(found: dict[str, dict[str, float]], processes: tuple[Process, ...], ours: str) -> str:
    lines = [
        [
            process.name,
            process.what,
            short(at["seconds"]),
            short(at["seconds"] / found[ours]["seconds"]),
            short(at["cpu"]),
            f"{at['peak']:.2f}",
        ]
        for process in processes
        for at in (found[process.name],)
    ]
    return table(["who", "what", "seconds", "× ours", "CPU s", "peak GB"], lines)


def _scores() -> str:
    """Write a table of scores, always the same, and return its path."""
    path = FOLDER / "scores-peers.csv"
    if not path.exists():
        child("peers_scores.py", str(path))
    return str(path)


if __name__ == "__main__":  # python bench_peers.py intervals largest: these sections again
    run(*sys.argv[1:])
