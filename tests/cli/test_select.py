"""`betterthan select`: formats, options, refusals."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from betterthan import demo
from betterthan.verbs.select.select_model import select
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
FEW = ("--models", "bradley-terry,davidson", "--repeats", "1")


def test_the_command_gives_what_the_function_gives(run: Run) -> None:
    votes = demo.path("arena.csv.gz")
    document = json.loads(run("select", votes, *FEW, "--unit", "item", "--sizes", "50,100", "--format", "json").out)
    found = select(votes, "bradley-terry,davidson", repeats=1, unit="item", sizes=[50, 100]).to_dict()
    spoken = [finding.pop("hint") for finding in document["findings"]]  # each front end names options in its own way
    assert len(spoken) == len([finding.pop("hint") for finding in found["findings"]])
    assert document == found
    answer = run("select", votes, *FEW[:2], "--dev", "100", "--test", "100", "--repeats", "3", "--seed", "7")
    assert answer.code == 0
    assert "|repeats:3|dev:100|test:100|tune_by:log_loss|level:0.95|seed:7|data:" in answer.out


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("csv", "model,role,size,measure,value,low,high\nbradley-terry,model,"),
        ("markdown", "| model | accuracy | 95 % interval |"),
        ("latex", "\\begin{tabular}{lrlrlrrr}"),
        ("html", "<table>"),
    ],
)
def test_formats(run: Run, form: str, beginning: str) -> None:
    assert run("select", demo.path("arena.csv.gz"), *FEW, "--format", form).out.startswith(beginning)


def test_parquet(run: Run, tmp_path: Path) -> None:
    run("select", demo.path("scores.csv.gz"), "--repeats", "1", "-o", tmp_path / "models.parquet")
    frame = pd.read_parquet(tmp_path / "models.parquet")
    assert set(frame["model"]) >= {"mean", "median", "bradley-terry", "davidson", "constant", "upper bound"}
    assert len(frame) == 7 * 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "400,many"], "sizes must be numbers with commas between them, got '400,many'."),
        (["--folds", "1"], "folds must be a whole number from 3 to 1,000,000,000, got 1."),
        (["--unit", "ranking"], "there is no ranking column to split by; allowed: "),
        (["--models", "bradley-tery"], "Did you mean 'bradley-terry'?"),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], message: str) -> None:
    answer = run("select", demo.path("arena.csv.gz"), *arguments)
    assert answer.code == 2
    assert message in answer.err
