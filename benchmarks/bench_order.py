"""Models that go through judgments in order: Elo over 10 million, TrueSkill over 1 million."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from tempfile import TemporaryDirectory
from time import perf_counter

from data import ROWS, made
from harness import REPEATED, Contestant, Measured, contest
from process import HERE
from report import Target, contest_table, table, write

LOOP, CORE = "betterthan's loop", "evalica's Rust core"
IN_MEMORY = (
    Contestant(LOOP, "in_order:loop", "`models.elo.play` compiled by Numba, on NumPy arrays in memory"),
    Contestant(
        CORE, "with_evalica_elo:core", "`_brzo.elo` on arrays in memory, of the types that it takes as they are"
    ),
)
ELO, ELO_PLAIN = "betterthan", "betterthan without Numba"
EVALICA, EVALICA_TUNED = "evalica", "evalica, tuned by hand"
FROM_FILE = (
    Contestant(
        ELO,
        "in_order:rank",
        '`bt.rank(path, model="elo", ci="none")`: also random orders, to see what hangs on it',
        {"model": "elo", "numba": True},
    ),
    Contestant(ELO_PLAIN, "in_order:rank", "the same in plain Python", {"model": "elo", "numba": False}),
    Contestant(EVALICA, "with_evalica_elo:names", "Polars reads; lists of names into `elo(…, k=20)`, as documented"),
    Contestant(
        EVALICA_TUNED,
        "with_evalica_elo:tuned",
        "codes from Parquet's dictionaries by PyArrow; `elo` on codes with a range index",
    ),
)
SKILL, SKILL_PLAIN, SKILL_LOOP = "betterthan", "betterthan without Numba", "betterthan's loop"
#: Packages that take too long for all judgments: how many are played instead, and twice as many to see that time grows
#: in proportion.
PACKAGES = {
    "trueskill": ("with_trueskill:pairs", "`rate_1vs1` game by game, its own backend", 20_000),
    "openskill": ("with_openskill:pairs", "`ThurstoneMostellerPart.rate` game by game", 50_000),
}
SKILLS = (
    Contestant(
        SKILL,
        "in_order:rank",
        '`bt.rank(path, model="trueskill", ci="none")`: also random orders, to see what hangs on it',
        {"model": "trueskill", "numba": True},
    ),
    Contestant(SKILL_PLAIN, "in_order:rank", "the same in plain Python", {"model": "trueskill", "numba": False}),
    Contestant(SKILL_LOOP, "in_order:skill_loop", "`play_pairs` compiled by Numba, on NumPy arrays in memory"),
    *(
        Contestant(f"{name}, {number:,} games", call, what, {"games": number})
        for name, (call, what, games) in PACKAGES.items()
        for number in (games, 2 * games)
    ),
)
#: Ratings around 1000 to nine digits.
TOLERANCE = 1e-6
COLD_RUNS = 3


def run() -> None:
    """Run the three contests, then cold processes, and write the page."""
    memory = contest(IN_MEMORY, "10m")
    elo = contest(FROM_FILE, "10m")
    skill = contest(SKILLS, "1m")
    what = {entry.name: entry.what for entry in SKILLS}
    growth = {}
    for name, (_, _, games) in PACKAGES.items():
        few, more = (skill[f"{name}, {number:,} games"] for number in (games, 2 * games))
        times = ROWS["1m"] / (2 * games)
        growth[name] = more.seconds / few.seconds
        skill[f"{name}, 1 million games"] = replace(more, seconds=more.seconds * times, cpu=more.cpu * times)
        what[f"{name}, 1 million games"] = f"not run: {times:g} × the time of {2 * games:,} games"
    text = [
        "Each contestant runs in processes of its own; imports and a warm-up on 20,000 rows are not counted; "
        f"{REPEATED}, runs taking turns. The memory peak is the whole process's.\n",
        "## Elo over 10 million judgments of 100 systems, arrays in memory\n",
        contest_table({entry.name: entry.what for entry in IN_MEMORY}, memory, LOOP, _apart(memory, LOOP)),
        "## Elo over the same judgments, from Parquet to ratings\n",
        contest_table({entry.name: entry.what for entry in FROM_FILE}, elo, ELO, _apart(elo, ELO)),
        "## TrueSkill over 1 million judgments of 100 systems, two players each, from Parquet to ratings\n",
        contest_table(what, skill, SKILL, {}),
        "The packages play only the first judgments, and their time is extrapolated: twice as many games take "
        + " and ".join(f"{ratio:.2f} × as long in {name}" for name, ratio in growth.items())
        + ". That our ratings are trueskill's, game by game, is tested (`tests/models/test_skill.py`).\n",
        "## Cold processes\n",
        f"Whole processes from start to end, best of {COLD_RUNS}: with all imports, and with what Numba compiles.\n",
        table(["command", "Numba has compiled before", "compiles now", "without Numba"], _cold()),
    ]
    write("order", "Order: Elo and TrueSkill, judgment by judgment", text, _targets(memory, elo, skill), _VERSIONS)


def _targets(
    memory: Mapping[str, Measured], elo: Mapping[str, Measured], skill: Mapping[str, Measured]
) -> list[Target]:
    def ratio(measured: Mapping[str, Measured], name: str, ours: str) -> float:
        return measured[name].seconds / measured[ours].seconds

    apart = max(
        _distance(result, reference[ours])
        for reference, ours in ((memory, LOOP), (elo, ELO))
        for result in reference.values()
    )
    return [
        Target.at_least(f"Elo's loop no slower than {CORE}", ratio(memory, CORE, LOOP), 1),
        Target.at_least(f"Elo from Parquet 5 × as fast as {EVALICA}", ratio(elo, EVALICA, ELO), 5),
        Target(f"all Elo ratings within {TOLERANCE:g} of each other", f"{apart:.1e}", apart < TOLERANCE),
        *(
            Target.at_least(
                f"{ours}: {times} × as fast as {name}", ratio(skill, f"{name}, 1 million games", ours), times
            )
            for ours in (SKILL_LOOP, SKILL)
            for name, times in (("trueskill", 500), ("openskill", 50))
        ),
    ]


def _apart(measured: Mapping[str, Measured], ours: str) -> dict[str, dict[str, str]]:
    others = {name: result for name, result in measured.items() if name != ours}
    return {"largest difference": {name: f"{_distance(other, measured[ours]):.1e}" for name, other in others.items()}}


def _distance(one: Measured, other: Measured) -> float:
    assert one.answer.keys() == other.answer.keys()
    return max(abs(one.answer[name] - other.answer[name]) for name in one.answer)


def _cold() -> list[list[str]]:
    rows = []
    for model, size in (("elo", "10m"), ("trueskill", "1m")):
        arguments = f"{str(made(size))!r}, {model!r}"
        ours = [sys.executable, "-c", f"from contestants.in_order import rank; rank({arguments}, True)"]
        plain = [sys.executable, "-c", f"from contestants.in_order import rank; rank({arguments}, False)"]
        _seconds(ours)
        before = min(_seconds(ours) for _ in range(COLD_RUNS))
        now = min(_seconds_without_cache(ours) for _ in range(COLD_RUNS))
        without = min(_seconds(plain) for _ in range(COLD_RUNS))
        name = f'`bt.rank(path, model="{model}", ci="none")`, {ROWS[size]:,} judgments'
        rows.append([name, *(f"{seconds:.2f}" for seconds in (before, now, without))])
    evalica = [sys.executable, "-c", f"from contestants.with_evalica_elo import names; names({str(made('10m'))!r})"]
    seconds = min(_seconds(evalica) for _ in range(COLD_RUNS))
    return [*rows, [f"evalica from Parquet, {ROWS['10m']:,} judgments", "–", "–", f"{seconds:.2f}"]]


def _seconds_without_cache(command: list[str]) -> float:
    with TemporaryDirectory() as folder:
        return _seconds(command, NUMBA_CACHE_DIR=folder)


def _seconds(command: list[str], **environment: str) -> float:
    start = perf_counter()
    subprocess.run(command, capture_output=True, check=True, cwd=HERE, env={**os.environ, **environment})
    return perf_counter() - start


_VERSIONS = ("duckdb", "evalica", "llvmlite", "numba", "numpy", "openskill", "polars", "pyarrow", "trueskill")
