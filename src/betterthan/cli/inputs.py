"""Options that say which evidence is meant: shared by every verb that reads."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

_NAMES = (
    "left",
    "right",
    "outcome",
    "item",
    "judge",
    "ranking",
    "weight",
    "system",
    "rank",
    "metric",
    "dataset",
)

_OPTIONS = [
    click.argument("files", nargs=-1, required=True, metavar="FILE..."),
    click.option("--as", "kind", type=click.Choice(["judgments", "rankings", "scores"]), help="Kind of evidence, where the file leaves it open."),
    click.option("--left", metavar="COLUMN", help="Judgments: the first system compared."),
    click.option("--right", metavar="COLUMN", help="Judgments: the second system compared."),
    click.option("--outcome", metavar="COLUMN", help="Judgments: who won."),
    click.option("--counts", metavar="COLUMNS", help="Judgments: counted outcomes, 'wins,ties,losses', 'wins,losses', or one column: how often the row occurred."),
    click.option("--outcome-map", metavar="WORD=SIDE,…", help="Judgments: your words for left, tie, right."),
    click.option("--item", metavar="COLUMN", help="Item, prompt, segment, instance."),
    click.option("--judge", metavar="COLUMN", help="Judge, annotator, rater."),
    click.option("--ranking", metavar="COLUMN", help="Which ranking a row belongs to."),
    click.option("--weight", metavar="COLUMN", help="Weight of the row."),
    click.option("--system", metavar="COLUMN", help="Scores, rankings (long): the system."),
    click.option("--score", metavar="COLUMNS", help="Scores (long): the score; several columns are several metrics."),
    click.option("--rank", metavar="COLUMN", help="Rankings (long): the rank, 1 is best."),
    click.option("--metric", metavar="COLUMN", help="Scores (long): the metric."),
    click.option("--dataset", metavar="COLUMN", help="Scores (long): the data set."),
    click.option("--systems", metavar="COLUMNS", help="Wide tables: the systems' columns."),
    click.option("--lower-is-better", metavar="METRICS", help="Metrics for which less is better, or 'all'."),
    click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Keep only these rows; may be repeated."),
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option("--on-error", type=click.Choice(["refuse", "skip"]), default="refuse", show_default=True, help="Stop at a bad row, or leave it out and count it."),
]  # fmt: skip


def evidence_options(function: _F) -> _F:
    """Add the evidence options to a verb; it passes its arguments on to `read_evidence`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


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
        choices["where"] = dict(_pair(part, "--where") for part in where)
    choices |= {name: options.pop(name) for name in ("encoding", "on_error")}
    return read(list(options.pop("files")), options.pop("kind"), **choices)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name:
        raise click.UsageError(f"{option} takes NAME=VALUE, got {text!r}.")
    return name.strip(), value.strip()
