"""An option that is given twice: collected where it is a list, refused everywhere else."""

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from betterthan.cli.main import betterthan
from betterthan.cli.shared.single_options import SingleCommand
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text("item,system,bleu,chrf,glow\na,owl,1,2,5\na,yak,2,1,3\nb,owl,2,3,4\nb,yak,1,1,2\n")
    return path


def test_parts_of_a_list_are_collected(run: Run, scores: Path) -> None:
    parts = run(
        "rank", scores, "--score", "bleu", "--score", "glow", "--model", "mean", "--model", "median", "--ci", "none"
    )
    whole = run("rank", scores, "--score", "bleu,glow", "--model", "mean,median", "--ci", "none")
    assert (parts.code, parts.err) == (0, "")
    assert parts.out == whole.out
    assert "bleu" in parts.out
    assert "glow" in parts.out
    assert "mean,median" in parts.out


@pytest.mark.parametrize(
    ("arguments", "flag"),
    [
        (("rank", "scores.csv", "--item", "a", "--item", "b"), "--item"),
        (("rank", "scores.csv", "-o", "x.csv", "-o", "y.csv"), "--output"),
        (("rank", "scores.csv", "--seed", "1", "--resamples", "9", "--seed", "2"), "--seed"),
        (("agree", "scores.csv", "--level", "nominal", "--level", "ordinal"), "--level"),
        (("score", "scores.csv", "--outputs", "a", "--outputs", "b"), "--outputs"),
        (("campaign", "new", "c.campaign", "--items", "a", "--items", "b"), "--items"),
        (("power", "--sd", "1", "--sd", "2"), "--sd"),
    ],
)
def test_a_single_value_is_given_once(run: Run, arguments: tuple[str, ...], flag: str) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"betterthan: {flag} was given 2 times, but takes one value. Give it once.\n"


def test_conditions_are_repeated_as_before(run: Run, scores: Path) -> None:
    answer = run("rank", scores, "--where", "item!=c", "--where", "item!=d", "--model", "mean", "--ci", "none")
    assert answer.code == 0


def _commands(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command)
        elif command is not None:
            yield command


def test_every_command_refuses_repeated_options() -> None:
    assert [each.name for each in _commands(betterthan) if not isinstance(each, SingleCommand)] == []
