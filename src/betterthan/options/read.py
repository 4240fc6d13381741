"""Options of everything that reads evidence: which column is what, and which rows are meant."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import WHERE

Kind = Literal["judgments", "rankings", "scores"]

_JUDGMENTS, _RANKINGS, _SCORES = ("judgments",), ("rankings",), ("scores",)


@dataclass(frozen=True)
class ReadOptions(Options):
    """Which column is what, where the columns' names do not say it."""

    verb: ClassVar[str] = "read"

    kind: Kind | None = option(None, "Kind of evidence, where the file leaves it open.", signed=False)
    _: KW_ONLY
    format: str | None = option(None, "Format of the file; convert lists them.", metavar="NAME")
    left: str | None = option(None, "Judgments: the first system compared.", metavar="COLUMN", kinds=_JUDGMENTS)
    right: str | None = option(None, "Judgments: the second system compared.", metavar="COLUMN", kinds=_JUDGMENTS)
    outcome: str | None = option(None, "Judgments: who won.", metavar="COLUMN", kinds=_JUDGMENTS)
    counts: Sequence[str] | None = option(
        None, "Judgments: counted outcomes, 'wins,ties,losses' or 'wins,losses'; or one column: how often.",
        metavar="COLUMNS", kinds=(*_JUDGMENTS, *_RANKINGS),
    )  # fmt: skip
    outcomes: Mapping[str, str] | None = option(
        None, "Judgments: your words for left, tie, right.", metavar="WORD=SIDE,…", kinds=_JUDGMENTS
    )
    pairs: Sequence[str] | None = option(
        None, "Judgments in a column per pair, (1,2) (1,3) (2,3) (1,4) …: the systems' names in order.",
        metavar="NAMES", kinds=_JUDGMENTS,
    )  # fmt: skip
    item: str | None = option(None, "Item, prompt, segment, question.", metavar="COLUMN")
    judge: str | None = option(None, "Judge: a person or a program.", metavar="COLUMN")
    ranking: str | None = option(
        None, "Which ranking a row belongs to.", metavar="COLUMN", kinds=(*_JUDGMENTS, *_RANKINGS)
    )
    weight: str | None = option(None, "Weight of the row.", metavar="COLUMN", kinds=(*_JUDGMENTS, *_RANKINGS))
    propensity: str | None = option(
        None, "Judgments: the chance with which the comparison was chosen, as next writes it; rare ones weigh more.",
        metavar="COLUMN", kinds=_JUDGMENTS,
    )  # fmt: skip
    time: str | None = option(
        None, "Judgments: when it was made, for models in which the order matters.", metavar="COLUMN", kinds=_JUDGMENTS
    )
    system: str | None = option(
        None, "Scores, rankings (long): the system.", metavar="COLUMN", kinds=(*_RANKINGS, *_SCORES)
    )
    score: Sequence[str] | None = option(
        None, "Scores (long): the score; several columns are several metrics.", metavar="COLUMNS", kinds=_SCORES
    )
    rank: str | None = option(None, "Rankings (long): the rank, 1 is best.", metavar="COLUMN", kinds=_RANKINGS)
    orders: str | None = option(
        None, "Rankings: whole orders such as 'A > B = C', or lists of systems.", metavar="COLUMN", kinds=_RANKINGS
    )
    metric: str | None = option(None, "Scores (long): the metric.", metavar="COLUMN", kinds=_SCORES)
    dataset: str | None = option(
        None, "The data set; each has a leaderboard of its own. 'none': the column is no data set.", metavar="COLUMN"
    )
    group: str | None = option(
        None, "Scores: which items are dependent (document, prompt).", metavar="COLUMN", kinds=_SCORES
    )
    repeat: str | None = option(
        None, "Scores: what distinguishes repeated scores (run, seed, epoch, judge).", metavar="COLUMN", kinds=_SCORES
    )
    systems: Sequence[str] | None = option(
        None, "Wide tables: the systems' columns.", metavar="COLUMNS", kinds=(*_RANKINGS, *_SCORES)
    )
    standardise: bool = option(
        False, "Scores by several judges: subtract each judge's mean, divide by the standard deviation.", kinds=_SCORES
    )
    lower_is_better: bool | Sequence[str] | None = option(
        None, "Metrics for which less is better, 'all' or 'none'.", metavar="METRICS", kinds=_SCORES,
        unsaid="by the metric's name",
    )  # fmt: skip
    where: Mapping[str, Any] | Sequence[str] | None = option(None, WHERE, metavar="CONDITION", repeated=True)
    exclude: Sequence[str] | None = option(
        None,
        "Leave out a system, or with judge= or item= a judge or an item; may be repeated.",
        metavar="NAME",
        repeated=True,
    )
    since: str | None = option(None, "Judgments: from this time on.", metavar="DATE", kinds=_JUDGMENTS)
    until: str | None = option(None, "Judgments: up to this time.", metavar="DATE", kinds=_JUDGMENTS)
    join: str | None = option(
        None, "Add the columns of another file, such as the systems of each task.", metavar="FILE"
    )
    on: str | None = option(
        None, "Columns that match in both files: KEY, or KEY=KEY of the file that is joined.", metavar="KEY=KEY"
    )
    encoding: str = option("utf-8", "Encoding of text files.", metavar="NAME", signed=False)
    delimiter: str | None = option(
        None, "CSV: what separates columns, one character or 'tab'.", metavar="SIGN", signed=False
    )
    decimal: Literal[",", "."] | None = option(None, "CSV: the decimal sign of numbers.", signed=False)
    sheet: str | None = option(None, "Spreadsheets: the sheet.", metavar="NAME")
    table: str | None = option(None, "Databases: the table.", metavar="NAME")
    on_error: Literal["refuse", "skip"] = option("refuse", "Stop at a bad row, or leave it out and count it.")
