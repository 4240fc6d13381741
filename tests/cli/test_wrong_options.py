"""A wrong value is exit code 2 and one sentence, in every verb that has the option."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt

Run = Callable[..., Any]
VOTES, SCORES = "examples/votes.csv", "examples/scores.csv"
VERBS = {
    "rank": (VOTES,),
    "compare": (SCORES, "aurora", "birch"),
    "diagnose": (VOTES,),
    "select": (VOTES,),
    "next": (VOTES,),
    "replay": (VOTES,),
    "power": (SCORES, "aurora", "birch"),
    "report": (VOTES, "-o", "page.html"),
    "plot": ("leaderboard", VOTES, "-o", "picture.svg"),
}


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("rank", VOTES, "--ci", "none", "--unit", "judge"),
            "--unit judge has no effect with --ci none, which makes no intervals. Leave one of them out.",
        ),
        (
            ("rank", VOTES, "--ci", "none", "--resamples", "50"),
            "--resamples 50 has no effect with --ci none, which makes no intervals. Leave one of them out.",
        ),
        (
            ("rank", VOTES, "--ci", "none", "--level", "0.9"),
            "--level 0.9 has no effect with --ci none, which makes no intervals. Leave one of them out.",
        ),
        (
            ("rank", VOTES, "--ci", "none", "--clusters", "wmt"),
            "--clusters wmt has no effect with --ci none, which makes no intervals. Leave one of them out.",
        ),
        (
            ("report", VOTES, "--ci", "none", "--resamples", "50", "-o", "page.html"),
            "--resamples 50 has no effect with --ci none, which makes no intervals. Leave one of them out.",
        ),
        (
            ("rank", VOTES, "--ci", "information", "--unit", "judge"),
            "--ci information takes every judgment, or item, as independent, so --unit judge has no effect. "
            "Leave one of them out, or use --ci analytic.",
        ),
        (
            ("compare", VOTES, "aurora", "cedar", "--margin", "0.1"),
            "judgments say which system won, not by how much, so differences up to a margin cannot be left out. "
            "Leave out --margin 0.1.",
        ),
        (
            ("power", "--sd", "12", "--difference", "1", "--seed", "3"),
            "--seed 3 has no effect without evidence. Leave it out.",
        ),
        (
            ("power", "--sd", "12", "--difference", "1", "--tolerance", "1"),
            "--tolerance 1.0 has no effect without evidence. Leave it out.",
        ),
        (
            ("power", "--sd", "12", "--difference", "1", "--simulations", "300"),
            "--simulations 300 has no effect without evidence. Leave it out.",
        ),
        (
            ("power", "--sd", "12", "--difference", "1", "--on-error", "skip"),
            "--on-error describes evidence, but no FILE is given. Give one, or leave it out.",
        ),
        (
            ("power", SCORES, "aurora", "birch", "--simulations", "0", "--seed", "4"),
            "--seed 4 has no effect with --simulations 0. Leave it out.",
        ),
        (
            ("diagnose", VOTES, "--measure", "hard"),
            "--measure hard is for scores: judgments need no measure of quality. Leave it out.",
        ),
        (
            ("diagnose", SCORES, "--chance", "symmetric"),
            "--chance symmetric is for judgments: scores have no sides. Leave it out.",
        ),
    ],
)
def test_an_option_without_effect_is_refused(run: Run, arguments: tuple[str, ...], said: str) -> None:
    answer = run(*arguments)
    assert answer.code == 2
    assert answer.err.endswith(f"{said}\n")
    assert answer.out == ""


def test_intervals_of_single_judgments_say_so(run: Run) -> None:
    """They were signed and printed as if they were by item and judge, and nothing warned."""
    answer = run("rank", VOTES, "--ci", "information")
    assert "(95 % family-wise confidence, for judgments like these, these 60 items and these 9 judges)" in answer.out
    assert "|unit:row|" in answer.out
    assert "! other-units: Certainty is by single judgment, but " in answer.out
    assert "Use --ci bootstrap." in answer.out


def test_a_plan_may_say_more_than_a_call_needs(run: Run) -> None:
    line = run("rank", VOTES, "--resamples", "30", "--unit", "judge").out.splitlines()[-1]
    assert run("rank", VOTES, "--plan", line, "--ci", "none").code == 0


@pytest.fixture
def errors(tmp_path: Path) -> Path:
    """Scores of which less is better, though nothing says so."""
    place = tmp_path / "measured.csv"
    rows = [f"{item},{scores}" for item, scores in enumerate(["1,2,3", "1.5,2.5,2", "0.5,2,4", "1,3,3.5"] * 5)]
    place.write_text("\n".join(["item,owl,yak,elk", *rows, ""]), encoding="utf-8")
    return place


def test_that_less_is_better_travels_with_the_signature(run: Run, errors: Path) -> None:
    """Without it, the same signature gave the opposite ranking."""
    wanted = run("rank", errors, "--lower-is-better", "all", "--model", "mean", "--resamples", "30")
    assert wanted.out.startswith("owl ranks first")
    line = wanted.out.splitlines()[-1]
    assert "|direction:less|" in line
    assert run("rank", errors, "--plan", line) == wanted
    answer = run("rank", errors, "--plan", line, "--lower-is-better", "none")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "betterthan: in the scores that the plan was made for, less is better, and these are read in another way. "
        "Name the metrics with --lower-is-better, or leave the plan out.\n"
    )
    with pytest.raises(bt.PlanError, match="less is better, and these are read in another way"):
        bt.rank(errors, line)
    assert bt.rank(bt.read(errors, lower_is_better=True), line).board.rows[0].system == "owl"
    other = run("rank", errors, "--model", "mean", "--resamples", "30").out.splitlines()[-1]
    assert "! data-changed:" in run("rank", errors, "--plan", other, "--lower-is-better", "all").out


def test_a_plan_for_other_evidence_or_of_another_version(run: Run) -> None:
    line = run("rank", VOTES, "--ci", "none").out.splitlines()[-1]
    answer = run("rank", SCORES, "--plan", line)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "betterthan: the plan was made for judgments, and this evidence is scores. "
        "Choose a plan that was made for the same kind, or leave it out.\n"
    )
    version, _, rest = line.partition("|")
    answer = run("rank", VOTES, "--plan", f"betterthan 0.9.9|{rest}")
    assert answer.code == 0
    assert (
        f"i version-changed: Version 0.9.9 of betterthan printed the signature of the plan; this is version "
        f"{version.split()[1]}. To repeat the earlier result exactly, install that version.\n"
    ) in answer.out
    assert "version-changed" not in run("rank", VOTES, "--plan", line).out
