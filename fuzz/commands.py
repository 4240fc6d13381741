"""Calls of every verb, with options taken from what the command line declares, and wrong values among them."""

import random
from functools import cache
from pathlib import Path

import click

from betterthan.cli.main import betterthan

#: Verbs that read a file of evidence, and what else they need; those that serve pages wait for people.
VERBS = (
    "rank",
    "compare",
    "diagnose",
    "power",
    "fit",
    "select",
    "next",
    "replay",
    "report",
    "plot",
    "convert",
    "agree",
    "items",
    "correlate",
)
VALUES = (
    "",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "0.95",
    "95",
    "1e400",
    "nan",
    "inf",
    "-0",
    "1_0",
    "x",
    "item",
    "judge",
    "row",
    "item+judge",
    "judge+item",
    "model_a",
    "score",
    "bradley-terry",
    "elo(k=32)",
    "elo(k=)",
    "trueskill(",
    "mean,median",
    "a=b",
    "a!=b",
    "~",
    "=",
    "s0",
    "s1",
    "__proto__",
    "\x1b[1m",
    "é" * 300,
    "x" * 9000,
    "*.csv",
    "../../etc/passwd",
    "http://example.org/x.csv",
    "s3://b/k",
    "json",
    "latex",
    "markdown",
    "csv",
    "html",
    "none",
    "bootstrap",
    "analytic",
    "left=right",
    "~ item",
    "~ (1|judge)",
    "utf-8",
    "rot13",
    "utf-16",
    "refuse",
    "skip",
    "\x00",
)
#: Work is kept short: what is searched for is not speed.
SMALL = {
    "rank": ["--resamples", "20"],
    "report": ["--resamples", "20"],
    "select": ["--repeats", "1"],
    "replay": ["--runs", "2", "--budget", "40"],
}


@cache
def options(verb: str) -> tuple[tuple[str, bool], ...]:
    """Return the long options of a verb, and whether each takes a value."""
    context = click.Context(betterthan)
    command = betterthan.get_command(context, verb)
    assert command is not None
    found = []
    for parameter in command.params:
        # Those that print something else and end, such as --help, are of no interest.
        if isinstance(parameter, click.Option) and not parameter.is_eager and "--output" not in parameter.opts:
            long = [name for name in parameter.opts if name.startswith("--")]
            if long:
                found.append((long[0], not (parameter.is_flag or parameter.count)))
    return tuple(sorted(found))


def call(path: Path, rng: random.Random) -> list[str]:
    """Return the arguments of one call on a file."""
    verb = rng.choice(("rank", "rank", "rank", *VERBS))
    words = [verb]
    if verb == "plot":
        words.append(rng.choice(("leaderboard", "ranks", "matrix", "joint", "graph", "judges")))
    words.append(str(path))
    if verb in {"compare", "power"}:
        words += rng.choice((["--all"] if verb == "compare" else [], ["s0", "s1"], ["s0", rng.choice(VALUES)]))
    if "utf16" in path.name and rng.random() < 0.8:
        words += ["--encoding", "utf-16"]
    if verb in {"report", "plot", "convert"}:
        end = {"report": "html", "plot": "svg", "convert": rng.choice(("csv", "jsonl", "parquet"))}[verb]
        words += ["-o", str(path.parent / f"out-{rng.randrange(10**6)}.{end}")]
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 4))):
        name, takes = rng.choice(options(verb))
        words.append(name)
        if takes:
            words.append(rng.choice(VALUES))
    words += SMALL.get(verb, [])
    if verb == "rank" and "--format" not in words:
        words += ["--format", "json"]
    return words


def spoiled(signature: str, rng: random.Random) -> str:
    """Return a signature with something changed."""
    match rng.randrange(5):
        case 0:
            parts = signature.split("|")
            parts[rng.randrange(len(parts))] = rng.choice(VALUES)
            return "|".join(parts)
        case 1:
            name, _, _ = rng.choice(signature.split("|")[1:]).partition(":")
            return signature + f"|{name}:{rng.choice(VALUES)}"
        case 2:
            place = rng.randrange(len(signature))
            return signature[:place] + rng.choice(VALUES) + signature[place + 1 :]
        case 3:
            return signature[: rng.randrange(len(signature))]
        case _:
            parts = signature.split("|")
            rng.shuffle(parts)
            return "|".join(parts)
