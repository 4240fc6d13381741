"""Options of everything that reads evidence: columns and row conditions."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.base import PlanError, spelling
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import WHERE

Kind = Literal["judgments", "rankings", "scores"]

_JUDGMENTS, _RANKINGS, _SCORES = ("judgments",), ("rankings",), ("scores",)


@dataclass(frozen=True)
class ReadOptions(Options):
    """Which column is what, where the columns' names do not say it."""

    verb: ClassVar[str] = "read"
    reads: ClassVar[bool] = False
    arguments: ClassVar[Arguments] = {
        "evidence": (
            "path, list of paths, data frame, array, list or dict",
            "Files, folders or archives, a data frame, an array, a list of rows or a dict of columns.",
        )
    }

    #: Sources of variation that may be taken as given.
    units: ClassVar[tuple[str, ...]] = ("item", "judge", "run", "group", "ranking")

    kind: Kind | None = option(None, "Kind of evidence, if the file does not make it clear.", signed=False)
    _: KW_ONLY
    format: str | None = option(None, "Name of the file's format; `convert` lists them.", metavar="NAME")
    left: str | None = option(None, "Judgments: column of the first system.", metavar="COLUMN", kinds=_JUDGMENTS)
    right: str | None = option(None, "Judgments: column of the second system.", metavar="COLUMN", kinds=_JUDGMENTS)
    outcome: str | None = option(None, "Judgments: column of the outcome.", metavar="COLUMN", kinds=_JUDGMENTS)
    counts: Sequence[str] | None = option(
        None,
        "Judgments: columns of counts, 'wins,ties,losses' or 'wins,losses'; or one column: how often the row occurred.",
        metavar="COLUMNS",
        kinds=(*_JUDGMENTS, *_RANKINGS),
    )
    scores_of: Sequence[str] | None = option(
        None,
        "Judgments: columns with the scores of both sides of a match; the higher score wins.",
        metavar="COLUMNS",
        kinds=_JUDGMENTS,
    )
    outcomes: Mapping[str, str] | None = option(
        None, "Judgments: which of your words mean left, tie or right.", metavar="WORD=SIDE,…", kinds=_JUDGMENTS
    )
    pairs: Sequence[str] | None = option(
        None,
        "Judgments with a column per pair, (1,2) (1,3) (2,3) (1,4) …: names of the systems in order.",
        metavar="NAMES",
        kinds=_JUDGMENTS,
    )
    item: str | None = option(None, "Column of the item: prompt, segment, question.", metavar="COLUMN")
    judge: str | None = option(None, "Column of the judge: a person or a program.", metavar="COLUMN")
    ranking: str | None = option(
        None, "Column of the ranking that a row belongs to.", metavar="COLUMN", kinds=(*_JUDGMENTS, *_RANKINGS)
    )
    weight: str | None = option(None, "Column of the row's weight.", metavar="COLUMN", kinds=(*_JUDGMENTS, *_RANKINGS))
    propensity: str | None = option(
        None,
        "Judgments: column of the probability with which the comparison was chosen. Rare ones get more weight. "
        "With gold: that of the label.",
        metavar="COLUMN",
        kinds=(*_JUDGMENTS, *_SCORES),
    )
    time: str | None = option(
        None,
        "Judgments: column of the time, for models in which the order matters.",
        metavar="COLUMN",
        kinds=_JUDGMENTS,
    )
    system: str | None = option(
        None, "Scores, rankings (long): column of the system.", metavar="COLUMN", kinds=(*_RANKINGS, *_SCORES)
    )
    score: Sequence[str] | None = option(
        None,
        "Scores (long): column of the score; several columns are several metrics.",
        metavar="COLUMNS",
        kinds=_SCORES,
    )
    rank: str | None = option(
        None, "Rankings (long): column of the rank; 1 is best.", metavar="COLUMN", kinds=_RANKINGS
    )
    orders: str | None = option(
        None,
        "Rankings: column of whole orders such as 'A > B = C', or of lists of systems.",
        metavar="COLUMN",
        kinds=_RANKINGS,
    )
    metric: str | None = option(None, "Scores (long): column of the metric.", metavar="COLUMN", kinds=_SCORES)
    dataset: str | None = option(
        None,
        "Column of the data set; each gets its own leaderboard. 'none': there is only one data set.",
        metavar="COLUMN",
    )
    group: str | None = option(
        None,
        "Scores: column of the group (document, prompt); items of a group are dependent.",
        metavar="COLUMN",
        kinds=_SCORES,
    )
    repeat: str | None = option(
        None,
        "Scores: column that distinguishes repeated scores (run, seed, epoch, judge).",
        metavar="COLUMN",
        kinds=_SCORES,
    )
    reduce: str | None = option(
        None,
        "Scores: how repeated ones of an item become one: mean, majority, best, pass@k or pass^k, such as pass@3.",
        metavar="HOW",
        kinds=_SCORES,
        unsaid="mean, with runs as a source of variation",
    )
    systems: Sequence[str] | None = option(
        None, "Wide tables: one column per system.", metavar="COLUMNS", kinds=(*_RANKINGS, *_SCORES)
    )
    standardise: bool = option(
        False,
        "Scores by several judges: subtract each judge's mean and divide by the standard deviation.",
        kinds=_SCORES,
    )
    lower_is_better: bool | Sequence[str] | None = option(
        None,
        "Metrics for which less is better, or 'all' or 'none'.",
        metavar="METRICS",
        kinds=_SCORES,
        unsaid="by the metric's name",
    )
    missing_codes: Sequence[str] | None = option(
        None,
        "Scores: numbers that stand for missing ones, such as -999; 'none' if all numbers are scores.",
        metavar="NUMBERS",
        kinds=_SCORES,
    )
    gold: str | None = option(
        None,
        "Scores or judgments by a judge: column with people's labels of some rows, which correct the others; of scores "
        "also a file.",
        metavar="COLUMN|FILE",
        kinds=(*_JUDGMENTS, *_SCORES),
    )
    gold_judge: str | None = option(
        None, "Scores by several judges: the one whose scores correct the others'.", metavar="NAME", kinds=_SCORES
    )
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    exclude: Sequence[str] | None = option(
        None,
        "Leave out a system, or with judge= or item= a judge or an item; of scores also outlying-items.",
        metavar="NAME",
        repeated=True,
    )
    since: str | None = option(None, "Judgments: keep those from this time on.", metavar="DATE", kinds=_JUDGMENTS)
    until: str | None = option(None, "Judgments: keep those up to this time.", metavar="DATE", kinds=_JUDGMENTS)
    join: str | None = option(
        None, "Add the columns of another file, such as the systems of each task.", metavar="FILE"
    )
    on: str | None = option(
        None, "Columns that match in both files: KEY, or KEY=KEY of the file that is joined.", metavar="KEY=KEY"
    )
    fixed: Sequence[str] | None = option(
        None,
        "What is taken as given and not as a sample of others: item, judge, run, group or ranking.",
        metavar="UNITS",
        signed=False,
    )
    random: Sequence[str] | None = option(
        None,
        "Scores: task, if tasks are a sample of other tasks and not the only ones of interest: for overall scores.",
        metavar="SOURCE",
        kinds=_SCORES,
        signed=False,
    )
    names: str | os.PathLike[str] | Mapping[str, Any] | None = option(
        None,
        "CSV, TOML or JSON file with names of systems to publish; also group, colour, link and licence.",
        metavar="FILE",
        signed=False,
    )
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
    delimiter: str | None = option(
        None, "CSV: separator of columns, one character or 'tab'.", metavar="SIGN", signed=False
    )
    decimal: Literal[",", "."] | None = option(None, "CSV: the decimal sign of numbers.", signed=False)
    sheet: str | None = option(None, "Spreadsheets: name of the sheet.", metavar="NAME")
    table: str | None = option(None, "Databases: name of the table.", metavar="NAME")
    on_error: Literal["refuse", "skip", "skip-most"] = option(
        "refuse", "Stop at the first bad row, or skip bad rows and count them: up to half of all rows, or most of them."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for unit in self.fixed or ():
            if unit not in self.units:
                raise PlanError(f"fixed must name some of {', '.join(self.units)}, got {unit!r}.")
        for source in self.random or ():
            if source != "task":
                raise PlanError(
                    f"{spelling.option('random')} can only name task, got {source!r}: items, judges, runs and groups "
                    "are random already."
                )


@dataclass(frozen=True, eq=False)
class DescribedEvidence:
    """What was given as evidence, and how it is to be read: it is read where a verb first needs it."""

    evidence: Any
    reading: ReadOptions
