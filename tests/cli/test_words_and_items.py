"""Completion of lists, and items that are left out of what comes next."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import betterthan as bt
from betterthan.base.spelling import spell_for
from betterthan.cli.shared.shell_words import completing


def test_the_last_word_of_a_list_is_completed() -> None:
    complete = completing("model", None)
    assert complete is not None
    context, parameter = click.Context(click.Command("rank")), click.Option(["--model"])
    assert complete(context, parameter, "mean,david") == ["mean,davidson"]
    assert complete(context, parameter, "david") == ["davidson"]
    assert "mean,elo,davidson" in complete(context, parameter, "mean,elo,")
    assert completing("level", "NUMBER") is None


def test_next_leaves_out_the_judgments_of_an_item(run: Callable[..., Any], tmp_path: Path) -> None:
    lines = ["left,right,outcome,item,judge"]
    lines += [f"owl,yak,{'left' if place % 2 else 'right'},i{place % 4},j{place % 3}" for place in range(24)]
    place = tmp_path / "votes.csv"
    place.write_text("\n".join(lines), encoding="utf-8")
    answer = run("next", place, "-n", "1", "--exclude", "item=i1", "--exclude", "judge=j0", "--format", "json")
    assert answer.code == 0, answer.err
    with spell_for("command line"):
        expected = bt.next_matches(bt.read(place, exclude=["item=i1", "judge=j0"]), 1).to_json()
    assert answer.out == expected
