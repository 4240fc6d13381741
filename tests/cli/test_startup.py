"""What `betterthan rank` loads: what ranking a small file needs, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

VOTES = Path(__file__).parents[2] / "examples" / "votes.csv"
#: What other verbs, other models and larger evidence need.
NOT_NEEDED = (
    "altair",
    "betterthan.collect",
    "betterthan.diagnosis",
    "betterthan.duel",
    "betterthan.engine.frame",
    "betterthan.loglinear",
    "betterthan.reports",
    "betterthan.selection",
    "jinja2",
    "joblib",
    "narwhals",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "rich.console",
    "scipy",
)
NEEDED_MODELS = {"base", "bradley_terry", "direct", "likelihood"}


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Return the modules that are there after a board was printed."""
    code = "import sys; from betterthan.cli.main import _run; assert _run(sys.argv[1:]) == 0; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "rank", str(VOTES)], capture_output=True, text=True, encoding="utf-8", check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_rank_loads_nothing_that_others_need(loaded: set[str]) -> None:
    assert "betterthan.models.bradley_terry" in loaded
    assert sorted(loaded & set(NOT_NEEDED)) == []


def test_rank_loads_one_model_of_all(loaded: set[str]) -> None:
    models = {module.split(".")[2] for module in loaded if module.startswith("betterthan.models.")}
    assert models == NEEDED_MODELS


def test_nothing_is_said_at_the_end() -> None:
    code = "from betterthan.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "rank", str(VOTES)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
