"""Options that say which evidence is meant: shared by every verb that reads."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

_NAMES = (
    "left", "right", "outcome", "item", "judge", "ranking", "weight", "time", "system", "rank", "metric", "dataset",
    "encoding", "on_error",
)  # fmt: skip

_KINDS = click.Choice(["judgments", "rankings", "scores"])
_ON_ERROR = click.Choice(["refuse", "skip"])

#: Option, metavar or type, help.
_OPTIONS: list[tuple[str, Any, str]] = [
    ("--as", _KINDS, "Kind of evidence, where the file leaves it open."),
    ("--left", "COLUMN", "Judgments: the first system compared."),
    ("--right", "COLUMN", "Judgments: the second system compared."),
    ("--outcome", "COLUMN", "Judgments: who won."),
    (
        "--counts",
        "COLUMNS",
        "Judgments: counted outcomes, 'wins,ties,losses' or 'wins,losses'; or one column: how often.",
    ),
    ("--outcome-map", "WORD=SIDE,…", "Judgments: your words for left, tie, right."),
    ("--item", "COLUMN", "Item, prompt, segment, instance."),
    ("--judge", "COLUMN", "Judge, annotator, rater."),
    ("--ranking", "COLUMN", "Which ranking a row belongs to."),
    ("--weight", "COLUMN", "Weight of the row."),
    ("--time", "COLUMN", "Judgments: when it was made, for models in which the order matters."),
    ("--system", "COLUMN", "Scores, rankings (long): the system."),
    ("--score", "COLUMNS", "Scores (long): the score; several columns are several metrics."),
    ("--rank", "COLUMN", "Rankings (long): the rank, 1 is best."),
    ("--metric", "COLUMN", "Scores (long): the metric."),
    ("--dataset", "COLUMN", "Judgments, scores (long): the data set."),
    ("--systems", "COLUMNS", "Wide tables: the systems' columns."),
    ("--lower-is-better", "METRICS", "Metrics for which less is better, or 'all'."),
    ("--where", "COLUMN=VALUE", "Keep only these rows; may be repeated."),
    ("--encoding", "NAME", "Encoding of text files.  [default: utf-8]"),
    ("--on-error", _ON_ERROR, "Stop at a bad row, or leave it out and count it.  [default: refuse]"),
]


#: What can be said of two runs matched by instance; everything else describes one table.
_OF_RUNS = ("item", "score", "group", "lower_is_better", "where", "encoding", "on_error")

#: Further spellings of an option, or the name its value has in Python.
_OTHER_NAMES = {"--as": ["kind"], "--outcome-map": ["--map"]}


def evidence_options(function: _F) -> _F:
    """Add the evidence options to a verb; it passes its arguments on to `read_evidence`."""
    return _with_options(function, required=True)


def optional_evidence(function: _F) -> _F:
    """Add the evidence options to a verb that can also begin without evidence."""
    return _with_options(function, required=False)


def pair_options(function: _F, *, required: bool = True) -> _F:
    """Add the evidence options to a verb for two systems; it passes its arguments on to `read_pair`."""
    text = "Scores: which instances hang together (document, prompt)."
    return _with_options(click.option("--group", metavar="COLUMN", help=text)(function), required=required)


def _with_options(function: _F, *, required: bool) -> _F:
    for name, kind, text in reversed(_OPTIONS):
        choice = {"metavar": kind} if isinstance(kind, str) else {"type": kind}
        names = [name, *_OTHER_NAMES.get(name, [])]
        function = click.option(*names, multiple=name == "--where", help=text, **choice)(function)
    return click.argument("files", nargs=-1, required=required, metavar="FILE..." if required else "[FILE]...")(
        function
    )


def read_evidence(options: dict[str, Any]) -> Any:
    """Take the evidence options out of a verb's arguments and read what they describe."""
    from betterthan.evidence.read import read

    given = {name: options.pop(name) for name in _NAMES}
    choices = {name: value for name, value in given.items() if value is not None}
    for name in ("counts", "systems", "score"):
        if (value := options.pop(name)) is not None:
            choices[name] = _listed(value)
    if (lower := options.pop("lower_is_better")) is not None:
        choices["lower_is_better"] = True if lower == "all" else _listed(lower)
    if (words := options.pop("outcome_map")) is not None:
        choices["outcomes"] = dict(_pair(part, "--outcome-map") for part in _listed(words))
    if where := options.pop("where"):
        choices["where"] = _conditions(where)
    if (group := options.pop("group", None)) is not None:
        choices["group"] = group
    return read(list(options.pop("files")), options.pop("kind"), **choices)


def read_pair(options: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Read what two systems are compared on, FILE A B or two runs of an evaluation; return it with the names given."""
    from betterthan.evidence.runs import read_runs

    files = options["files"]
    if len(files) != 2 or not all(Path(name).is_file() for name in files):
        if len(files) not in {1, 3}:
            raise click.UsageError("give FILE A B (two systems of a file), or two files to be matched by instance.")
        options["files"] = files[:1]
        return read_evidence(options), tuple(files[1:])
    every = [*_NAMES, "counts", "systems", "score", "lower_is_better", "outcome_map", "where", "group", "kind"]
    given: dict[str, Any] = {name: options[name] for name in every if options[name] not in {None, ()}}
    spelled = {name: "--as" if name == "kind" else f"--{name.replace('_', '-')}" for name in every}
    for name in given:
        if name not in _OF_RUNS:
            allowed = ", ".join(spelled[name] for name in _OF_RUNS)
            raise click.UsageError(
                f"{spelled[name]} does not apply to two runs matched by instance; allowed are {allowed}. "
                "Leave it out, or give FILE A B."
            )
    if "where" in given:
        given["where"] = _conditions(given["where"])
    return read_runs(*files, **given), ()


def numbers(_: click.Context, __: click.Parameter, text: str | None) -> list[int] | None:
    """Read an option's whole numbers, with commas between them."""
    if text is None:
        return None
    try:
        return [int(part) for part in _listed(text)]
    except ValueError:
        raise click.BadParameter(f"takes whole numbers with commas, such as 400,800,1600, got {text!r}.") from None


def _conditions(where: Sequence[str]) -> dict[str, str]:
    """Return which value each column must have."""
    pairs = [_pair(part, "--where") for part in where]
    if len(dict(pairs)) < len(pairs):
        raise click.UsageError("--where names a column twice, but no row has two values. Give each column once.")
    return dict(pairs)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name:
        raise click.UsageError(f"{option} takes NAME=VALUE, got {text!r}.")
    return name.strip(), value.strip()
