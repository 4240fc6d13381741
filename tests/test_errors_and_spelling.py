"""How errors are composed, and how messages spell options for each front end."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import betterthan as bt
from betterthan.base import parallel, spelling


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "no such thing"),
        ({"where": "votes.csv, row 3"}, "votes.csv, row 3: no such thing"),
        ({"allowed": "left, right"}, "no such thing; allowed: left, right."),
        ({"remedy": "Do this."}, "no such thing. Do this."),
        (
            {"where": "votes.csv", "allowed": "left, right", "remedy": "Do this."},
            "votes.csv: no such thing; allowed: left, right. Do this.",
        ),
    ],
)
def test_an_error_says_where_what_what_is_allowed_and_what_to_do(parts: dict[str, str], text: str) -> None:
    error = bt.PlanError("no such thing", **parts)
    assert str(error) == text
    assert (error.what, error.where, error.allowed, error.remedy) == (
        "no such thing",
        *(parts.get(name, "") for name in ("where", "allowed", "remedy")),
    )


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
@pytest.mark.parametrize(
    "error",
    [
        bt.EvidenceError("unknown word", where="votes.csv", allowed="left", remedy="Map it."),
        bt.MissingExtraError("altair", "plots", "drawing"),
    ],
)
def test_errors_survive_pickle_and_copy(error: bt.BetterthanError, again: Callable[[Any], Any]) -> None:
    other = again(error)
    assert (type(other), str(other), vars(other)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("name", "value", "python", "command_line"),
    [
        ("on_error", "skip", "on_error='skip'", "--on-error skip"),
        ("time", "COLUMN", "time='COLUMN'", "--time COLUMN"),
        ("level", None, "level", "--level"),
        ("level", 0.9, "level=0.9", "--level 0.9"),
        ("position", True, "position=True", "--position"),
        ("lower_is_better", True, "lower_is_better=True", "--lower-is-better all"),
        ("systems", ["A", "B"], "systems=['A', 'B']", "--systems A,B"),
        ("systems", ("A", "B"), "systems=['A', 'B']", "--systems A,B"),
        ("systems", ["the owl", "B"], "systems=['the owl', 'B']", "--systems 'the owl,B'"),
        ("kind", "scores", "kind='scores'", "--as scores"),
        ("where", {"metric": "NAME"}, "where={'metric': 'NAME'}", "--where metric=NAME"),
        ("where", {"a": 1, "b": "x"}, "where={'a': 1, 'b': 'x'}", "--where a=1 --where b=x"),
        (
            "outcomes",
            {"A": "left", "B": "right"},
            "outcomes={'A': 'left', 'B': 'right'}",
            "--outcome-map A=left,B=right",
        ),
    ],
)
def test_an_option_is_spelled_for_its_reader(name: str, value: Any, python: str, command_line: str) -> None:
    assert spelling.option(name, value) == python
    with spelling.spell_for("command line"):
        assert spelling.option(name, value) == command_line
    assert spelling.option(name, value) == python


@pytest.mark.parametrize(
    ("front_end", "texts"),
    [
        ("python", ("bt.next_matches(...)", "bt.fit(..., position=True)", "bt.compare_all(...)")),
        ("command line", ("betterthan next", "betterthan fit FILE --position", "betterthan compare --all")),
    ],
)
def test_a_verb_is_spelled_for_its_reader(front_end: spelling.FrontEnd, texts: tuple[str, ...]) -> None:
    with spelling.spell_for(front_end):
        assert (spelling.verb("next"), spelling.verb("fit", position=True), spelling.verb("compare_all")) == texts


def test_worker_processes_spell_like_the_process_that_started_them() -> None:
    with spelling.spell_for("command line"):
        assert parallel.each(spelling.option, ["level", "on_error"]) == ["--level", "--on-error"]
    assert parallel.each(spelling.option, ["level", "on_error"]) == ["level", "on_error"]


def test_worker_threads_spell_like_the_process() -> None:
    with spelling.spell_for("command line"), ThreadPoolExecutor(1) as threads:
        assert threads.submit(spelling.option, "on_error", "skip").result() == "--on-error skip"
    assert spelling.flag("kind") == "--as"
