"""A wrong value is exit code 2 and one sentence, in every verb that has the option."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
VOTES, SCORES = "examples/votes.csv", "examples/scores.csv"
VERBS = {
    "rank": (VOTES,), "compare": (SCORES, "aurora", "birch"), "diagnose": (VOTES,), "select": (VOTES,), "next": (VOTES,),
    "replay": (VOTES,), "power": (SCORES, "aurora", "birch"), "report": (VOTES, "-o", "page.html"),
    "plot": ("leaderboard", VOTES, "-o", "picture.svg"),
}  # fmt: skip


@pytest.mark.parametrize("verb", [*VERBS, "compare --all"])
def test_a_seed_below_zero(run: Run, verb: str) -> None:
    name, *more = verb.split()
    arguments = (SCORES, *more) if more else VERBS[name]
    answer = run(name, *arguments, "--seed", "-1")
    assert answer.code == 2
    assert answer.err == "betterthan: --seed must be a whole number of at least 0, got -1.\n"


@pytest.mark.parametrize("verb", ["rank", "compare", "select", "next", "replay", "power", "report", "plot"])
def test_a_level_of_95(run: Run, verb: str) -> None:
    answer = run(verb, *VERBS[verb], "--level", "95")
    assert answer.code == 2
    assert answer.err == "betterthan: --level must be a number of at least 0.5 and below 1, got 95.0; 95 % is 0.95.\n"


def test_what_an_option_was_called_before_is_still_understood(run: Run) -> None:
    one, two = (run("rank", VOTES, flag, "judge", "--resamples", "30") for flag in ("--unit", "--resample"))
    assert one == two
    assert "|unit:judge|" in one.out
    assert run("fit", VOTES, "--cluster", "judge") == run("fit", VOTES, "--unit", "judge")


def test_an_option_of_the_other_kind_of_comparison_is_refused(run: Run) -> None:
    answer = run("compare", SCORES, "aurora", "birch", "--correction", "holm")
    assert (answer.code, "--correction is for --all, not two systems. Leave it out." in answer.err) == (2, True)
    answer = run("compare", SCORES, "--all", "--margin", "1")
    assert (answer.code, "--margin is for two systems, not --all. Leave it out." in answer.err) == (2, True)


def test_a_signature_of_another_verb_is_no_plan(run: Run) -> None:
    duel = run("compare", SCORES, "aurora", "birch").out.splitlines()[-1]
    answer = run("rank", SCORES, "--plan", duel)
    assert answer.code == 2
    assert answer.err == ("betterthan: this is a signature of 'compare', not of 'rank'. Paste one that rank printed.\n")
