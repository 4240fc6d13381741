"""One comparison per row: two systems and who won, or how often each did."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import Table
from betterthan.evidence import Judgments, Kind, Reading, outcomes
from betterthan.findings import Finding
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.format import Recognition

ROLES = ("item", "judge", "ranking", "weight", "propensity", "time", "dataset")
#: Columns next to two counts of wins that may hold ties, or how many comparisons there were.
_TIES_OR_TOTALS = ("t_ij", "t", "n_ij", "total_ij", "total", "n", "ties", "tie", "draws", "n_ties", "games", "matches")
#: Columns that Label Studio adds: sides may be texts, so that its own format is asked, too.
_EXPORTED = frozenset({"annotation_id", "lead_time"})


class PairFormat:
    """Columns for both sides, and one for the outcome or two or three of counted outcomes."""

    name: ClassVar[str] = "judgments"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "one comparison per row: two systems and who won, or how often each did"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset(
        {"left", "right", "outcome", "counts", "scores_of", "outcomes", "gold", *ROLES}
    )
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for two sides and an outcome."""
        columns = Columns.of(found, options, self.uses)
        named = options.left or options.right or options.outcome or options.scores_of
        if named or (options.counts and not columns.winner_loser()):
            return Recognition(1.0, "columns of judgments were named")
        sides = columns.sides() or _named_by_texts(found, columns)
        if sides and (outcome := columns.role("outcome") or columns.counts() or columns.scores_of()):
            told = outcome if isinstance(outcome, str) else ", ".join(outcome)
            certainty = 0.7 if set(found.columns) >= _EXPORTED else 0.8
            return Recognition(certainty, f"columns {sides[0]}, {sides[1]} and {told}")
        return Recognition(0.1, "judgments were asked for") if options.kind == "judgments" else None

    def read(self, found: Table, options: ReadOptions) -> Judgments:
        """Find out which column plays which part; rows are read when they are requested."""
        columns = Columns.of(found, options, self.uses)
        sides = columns.sides(options.left, options.right) or _named_by_texts(found, columns)
        if sides is None:
            raise UnclearError(
                f"cannot tell which columns name the two systems; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name them with {spelling.option('left')} and {spelling.option('right')}.",
            )
        roles = dict(zip(("left", "right"), sides, strict=True))
        counted = columns.counts(options.counts)
        if counted is not None and options.counts is None:
            _refuse_third_count(found, columns, counted)
        outcomes_counted = counted is not None and len(counted) > 1
        outcome = columns.role("outcome", options.outcome)
        if (scores := _scores_of(columns, options, said=bool(outcome) or outcomes_counted)) is not None:
            return _judgments_of_scores(self.name, found, columns, roles, scores, options)
        if outcome and outcome not in roles.values() and not (outcomes_counted and options.outcome is None):
            roles["outcome"] = outcome
        elif not outcomes_counted:
            raise UnclearError(
                f"cannot tell which column says who won; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('outcome')}, or columns of counts with "
                f"{spelling.option('counts', ['n_a', 'n_tie', 'n_b'])}.",
            )
        return judgments_of(self.name, found, columns, roles, counted, options)

    def example(self, folder: Path) -> Any:
        """Return three votes on two items."""
        del folder
        return {
            "item": ["i1", "i1", "i2"],
            "judge": ["ann", "bob", "ann"],
            "left": ["owl", "yak", "owl"],
            "right": ["yak", "elk", "elk"],
            "outcome": ["left", "tie", "right"],
        }


def _scores_of(columns: Columns, options: ReadOptions, *, said: bool) -> tuple[str, str] | None:
    """Return the columns with the scores of both sides: as given, else by their names where nothing `said` who won."""
    if options.scores_of is None:
        return None if said else columns.scores_of()
    for other in ("outcome", "counts"):
        if getattr(options, other):
            raise EvidenceError(
                f"{spelling.option('scores_of')} and {spelling.option(other)} both say who won",
                where=columns.where,
                remedy="Leave one of them out.",
            )
    return columns.scores_of(options.scores_of)


def _judgments_of_scores(  # noqa: PLR0917 (what a judgment is made of)
    name: str, table: Table, columns: Columns, roles: dict[str, str], scores: tuple[str, str], options: ReadOptions
) -> Judgments:
    """Return judgments in which the side with the higher score wins."""
    compared = " : ".join(scores)
    evidence = judgments_of(
        name, table.compared(compared, scores), columns, {**roles, "outcome": compared}, None, options
    )
    used = {role: column for role, column in evidence.roles.items() if role != "outcome"}
    return replace(evidence, reading=Reading.of(name, {**used, "scores_of": scores}, table.columns))


def _refuse_third_count(table: Table, columns: Columns, counted: tuple[str, ...]) -> None:
    """Refuse a third column of counts that may hold ties; totals, which are their sum in every row, add nothing."""
    third = next(iter(columns.called(_TIES_OR_TOTALS)), None)
    if len(counted) != 2 or third is None or third in counted:
        return
    rows = table.rows([], [*counted, third]).numbers
    if np.array_equal(rows[counted[0]] + rows[counted[1]], rows[third]):
        return
    ties = spelling.option("counts", [counted[0], third, counted[1]])
    wins = spelling.option("counts", list(counted))
    raise EvidenceError(
        f"{third!r} is not the sum of {counted[0]!r} and {counted[1]!r}, so it may count ties",
        where=table.name,
        remedy=f"If it does, name all three: {ties}; else {wins}.",
    )


def _named_by_texts(table: Table, columns: Columns) -> tuple[str, str] | None:
    """Return columns such as output_a and output_b where they name systems."""
    found = columns.texts()
    return found if found is not None and are_names(table, found) else None


def are_names(table: Table, columns: tuple[str, str]) -> bool:
    """Whether two columns name systems: few values, repeated often."""
    rows, *distinct = table.unique(columns)
    return rows >= 2 * max(distinct)


def judgments_of(  # noqa: PLR0917 (what a judgment is made of)
    name: str,
    table: Table,
    columns: Columns,
    roles: dict[str, str],
    counted: tuple[str, ...] | None,
    options: ReadOptions,
) -> Judgments:
    """Add to the two sides what else is known of a judgment."""
    given = {role: getattr(options, role) for role in ROLES}
    if counted is None and (single := columns.role("count")) and single not in {*roles.values(), *given.values()}:
        counted = (single,)
    for role, said in given.items():
        column = columns.role(role, said)
        if column and (said is not None or column not in {*roles.values(), *(counted or ())}):
            roles[role] = column
    if options.gold is not None:
        if counted is not None:
            raise EvidenceError(
                f"{spelling.option('gold', options.gold)} needs one judgment per row, and these are counted",
                where=table.name,
                remedy="Leave it out, or give single judgments.",
            )
        if "propensity" in roles:
            raise EvidenceError(
                f"{spelling.option('propensity')} and {spelling.option('gold')} cannot be used together for judgments",
                where=table.name,
                remedy="Label judgments that are drawn at random, and leave it out.",
            )
        roles["gold"] = columns.given(options.gold)
    used: dict[str, str | Sequence[str]] = {**roles, "counts": counted or ()}
    unused: list[Finding] = []
    if options.gold is None and not counted and "outcome" in roles and columns.by_people:
        from betterthan.readers.gold_labels import unused_outcomes  # noqa: PLC0415 (few have labels)

        unused = unused_outcomes(table, set(roles.values()), roles["outcome"])
    reading = Reading.of(name, used, table.columns, unused)
    return Judgments(
        table, roles, counted or (), outcomes.parse_map(options.outcomes), options.on_error, reading=reading
    )


FORMAT = PairFormat()
