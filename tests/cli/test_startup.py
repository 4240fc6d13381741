"""What `betterthan rank` loads: what ranking a small file needs, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

VOTES = Path(__file__).parents[2] / "examples" / "votes.csv"
#: What other verbs, other models and larger evidence need.
NOT_NEEDED = (
    "altair",
    "betterthan.verbs.collect",
    "betterthan.verbs.diagnose",
    "betterthan.verbs.compare",
    "betterthan.engine.frames.frame_table",
    "betterthan.readers.tool_parts.tool_format",
    "betterthan.verbs.fit",
    "betterthan.verbs.report",
    "betterthan.verbs.select",
    "jinja2",
    "joblib",
    "narwhals",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "rich.console",
    "scipy",
    "statistics",
)
NEEDED_MODELS = {"base", "bradley_terry", "likelihood", "refitting"}


def modules_after(*command: str) -> set[str]:
    """Return the modules that are there after a command."""
    code = (
        "import sys, atexit; from betterthan.cli.main import main; atexit.register(lambda: print(*sys.modules)); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, encoding="utf-8", check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Return the modules that are there after a board was printed."""
    return modules_after("rank", str(VOTES))


def test_rank_loads_nothing_that_others_need(loaded: set[str]) -> None:
    assert "betterthan.models.bradley_terry" in loaded
    assert sorted(loaded & set(NOT_NEEDED)) == []


def test_rank_loads_one_model_of_all(loaded: set[str]) -> None:
    models = {module.split(".")[2] for module in loaded if module.startswith("betterthan.models.")}
    assert models == NEEDED_MODELS


#: What SciPy consists of beside the special functions, and which verb needs it of a small file.
PARTS = {"fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "sparse", "spatial", "stats"}
NEEDED_PARTS = {
    ("diagnose", str(VOTES)): {"linalg", "sparse"},
    ("compare", str(VOTES), "aurora", "birch"): set(),
    ("fit", str(VOTES)): {"linalg", "sparse"},
    ("next", str(VOTES)): {"linalg", "sparse"},
}


@pytest.fixture(scope="module")
def always() -> set[str]:
    """Return the parts that come with the special functions: before SciPy 1.16 these load linear algebra themselves."""
    code = "import sys, scipy.special; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {part for part in PARTS if f"scipy.{part}" in done.stdout.split()}


@pytest.mark.parametrize("command", NEEDED_PARTS, ids=lambda command: command[0])
def test_verbs_load_no_part_of_scipy_that_they_do_not_use(command: tuple[str, ...], always: set[str]) -> None:
    found = modules_after(*command)
    parts = {part for part in PARTS if f"scipy.{part}" in found}
    assert parts - NEEDED_PARTS[command] <= always
    assert not found & {"altair", "jinja2", "joblib", "numba", "pandas", "betterthan.verbs.report"}


@pytest.mark.parametrize(
    "command",
    [
        ("rank", str(VOTES)),
        ("rank", str(VOTES), "--ci", "none"),
        ("rank", str(VOTES), "--left", "nobody"),
        ("compare", str(VOTES), "aurora", "birch"),
        ("diagnose", str(VOTES)),
    ],
    ids=lambda command: "-".join(command[2:]) or command[0],
)
def test_nothing_is_said_at_the_end(command: tuple[str, ...]) -> None:
    code = "from betterthan.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1, 2}
    assert len(done.stderr.splitlines()) == (done.returncode == 2)  # DuckDB would tell what was not taken apart


def test_no_garbage_is_looked_for_at_the_end() -> None:
    code = """
from betterthan.cli.main import main
class Last:
    def __del__(self):
        print("taken apart")
last = Last()
main()
"""
    done = subprocess.run([sys.executable, "-c", code, "rank", str(VOTES)], capture_output=True, text=True, check=True)
    assert "taken apart" not in done.stdout
    assert "verb:rank" in done.stdout.splitlines()[-1]


def test_help_opens_no_database() -> None:
    assert "duckdb" not in modules_after("rank", "--help")
